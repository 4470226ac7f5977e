import Quantities
import SimulationKernel

/// Memory that takes values one after the other in fewer bytes, or gives them back in the same order.
///
/// One list of properties serves both ways, so what is written and what is read cannot differ. Words are written and read as
/// wholes where values are shorter, so the last value has to be a word.
protocol Shorthand {
    /// An instant of the first twelve days of a run, or `never`: five bytes.
    mutating func exchange(_ instant: inout Instant)

    /// A number of up to 64 bits in as many bytes as are given; the others have to be zero.
    mutating func exchange<Number: FixedWidthInteger>(_ number: inout Number, bytes: Int)

    /// A value as it is.
    mutating func exchange<Value: BitwiseCopyable>(_ value: inout Value)
}

extension Shorthand {
    /// A time [µs] of up to twelve days, not negative.
    @inline(__always)
    mutating func exchange(time: inout Int64) {
        var instant = Instant(microseconds: time)
        exchange(&instant)
        time = instant.microseconds
    }

    /// An alarm and its next event.
    @inline(__always)
    mutating func exchange(_ alarm: inout Alarm) {
        var (due, next) = (alarm.due, alarm.next)
        exchange(&due)
        exchange(&next)
        alarm = Alarm(due: due, next: next)
    }

    /// An alarm whose next event is the appointment.
    @inline(__always)
    mutating func exchange(appointment alarm: inout Alarm) {
        var due = alarm.due
        exchange(&due)
        alarm = Alarm(due: due, next: due)
    }

    @inline(__always)
    mutating func exchange(_ reminder: inout Reminder) {
        var next = reminder.next
        exchange(&next)
        reminder = Reminder(next: next)
    }

    /// What is true or not, all of it in a byte.
    @inline(__always)
    mutating func exchange(
        _ a: inout Bool,
        _ b: inout Bool,
        _ c: inout Bool,
        _ d: inout Bool,
        _ e: inout Bool,
        _ f: inout Bool,
        _ g: inout Bool,
        _ h: inout Bool
    ) {
        // Without branches, of which eight in a row would make many ways.
        func bit(_ value: Bool, _ place: UInt8) -> UInt8 { unsafeBitCast(value, to: UInt8.self) << place }
        var byte =
            bit(a, 0) | bit(b, 1) | bit(c, 2) | bit(d, 3) | bit(e, 4) | bit(f, 5) | bit(g, 6) | bit(h, 7)
        exchange(&byte)
        (a, b, c, d) = (byte & 1 != 0, byte & 2 != 0, byte & 4 != 0, byte & 8 != 0)
        (e, f, g, h) = (byte & 16 != 0, byte & 32 != 0, byte & 64 != 0, byte & 128 != 0)
    }
}

/// Writes values; what it is given stays as it is.
struct ShorthandWriter: Shorthand {
    private let memory: UnsafeMutableRawPointer
    private(set) var offset = 0
    private var excess: UInt64 = 0

    /// - Parameter memory: Where the first value goes.
    init(into memory: UnsafeMutableRawPointer) {
        self.memory = memory
    }

    /// Whether all values had room.
    var fits: Bool { excess == 0 }

    @inline(__always)
    mutating func exchange(_ instant: inout Instant) {
        // One later, as `never` is the highest bit alone then, and 0 in forty bits.
        let next = UInt64(bitPattern: instant.microseconds &+ 1)
        excess |= (next << 1) >> 41
        memory.storeBytes(of: next, toByteOffset: offset, as: UInt64.self)
        offset &+= 5
    }

    @inline(__always)
    mutating func exchange<Number: FixedWidthInteger>(_ number: inout Number, bytes: Int) {
        let word = UInt64(truncatingIfNeeded: number)
        excess |= word >> UInt64(8 * bytes)
        memory.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
        offset &+= bytes
    }

    @inline(__always)
    mutating func exchange<Value: BitwiseCopyable>(_ value: inout Value) {
        memory.storeBytes(of: value, toByteOffset: offset, as: Value.self)
        offset &+= MemoryLayout<Value>.size
    }
}

/// Reads values that were written in the same order.
struct ShorthandReader: Shorthand {
    private let memory: UnsafeRawPointer
    private var offset = 0

    init(from memory: UnsafeRawPointer) {
        self.memory = memory
    }

    @inline(__always)
    mutating func exchange(_ instant: inout Instant) {
        let next = memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0xFF_FFFF_FFFF
        instant = Instant(microseconds: Int64(bitPattern: (next &- 1) & 0x7FFF_FFFF_FFFF_FFFF))
        offset &+= 5
    }

    @inline(__always)
    mutating func exchange<Number: FixedWidthInteger>(_ number: inout Number, bytes: Int) {
        let word = memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        number = Number(truncatingIfNeeded: word & (UInt64.max >> UInt64(64 - 8 * bytes)))
        offset &+= bytes
    }

    @inline(__always)
    mutating func exchange<Value: BitwiseCopyable>(_ value: inout Value) {
        value = memory.loadUnaligned(fromByteOffset: offset, as: Value.self)
        offset &+= MemoryLayout<Value>.size
    }
}
