import Quantities
import SimulationKernel

/// Packs values one after the other into memory, or unpacks them in the same order.
///
/// One list of properties serves both ways, so what is written and what is read cannot differ. Numbers of fewer bytes are
/// written and read as whole words, over what comes next, so the last value has to be a word.
protocol PackedTransfer {
    /// An instant of the first twelve days of a run, or `never`: five bytes.
    mutating func transfer(_ instant: inout Instant)

    /// A number of up to 64 bits in as many bytes as are given; the others have to be zero.
    mutating func transfer<Number: FixedWidthInteger>(_ number: inout Number, bytes: Int)

    /// A value as it is.
    mutating func transfer<Value: BitwiseCopyable>(_ value: inout Value)

    /// A property that follows from others: a reader sets it, a writer has found it so.
    mutating func derive<Value: Equatable>(_ property: inout Value, _ value: Value)
}

extension PackedTransfer {
    /// A time [µs] of up to twelve days, not negative.
    @inline(__always)
    mutating func transfer(time: inout Int64) {
        var instant = Instant(microseconds: time)
        transfer(&instant)
        time = instant.microseconds
    }

    /// An alarm and its next event.
    @inline(__always)
    mutating func transfer(_ alarm: inout Alarm) {
        var (due, next) = (alarm.due, alarm.next)
        transfer(&due)
        transfer(&next)
        alarm = Alarm(due: due, next: next)
    }

    /// An alarm whose next event is the appointment.
    @inline(__always)
    mutating func transfer(appointment alarm: inout Alarm) {
        var due = alarm.due
        transfer(&due)
        derive(&alarm, Alarm(due: due, next: due))
    }

    /// A number of up to eighty bits: ten bytes, the last of them a word.
    @inline(__always)
    mutating func transfer(_ number: inout Int128) {
        var high = Int64(truncatingIfNeeded: number >> 64)
        var low = UInt64(truncatingIfNeeded: number)
        transfer(&high, bytes: 2)
        transfer(&low)
        number = Int128(high) << 64 | Int128(low)
    }

    @inline(__always)
    mutating func transfer(_ reminder: inout Reminder) {
        var next = reminder.next
        transfer(&next)
        reminder = Reminder(next: next)
    }

    /// What is true or not, all of it in a byte.
    @inline(__always)
    mutating func transfer(
        _ a: inout Bool,
        _ b: inout Bool,
        _ c: inout Bool,
        _ d: inout Bool,
        _ e: inout Bool,
        _ f: inout Bool,
        _ g: inout Bool,
        _ h: inout Bool
    ) {
        // Without branches: eight of them would make 256 paths.
        func bit(_ value: Bool, _ place: UInt8) -> UInt8 { unsafeBitCast(value, to: UInt8.self) << place }
        var byte =
            bit(a, 0) | bit(b, 1) | bit(c, 2) | bit(d, 3) | bit(e, 4) | bit(f, 5) | bit(g, 6) | bit(h, 7)
        transfer(&byte)
        (a, b, c, d) = (byte & 1 != 0, byte & 2 != 0, byte & 4 != 0, byte & 8 != 0)
        (e, f, g, h) = (byte & 16 != 0, byte & 32 != 0, byte & 64 != 0, byte & 128 != 0)
    }
}

/// Writes values; what it is given stays as it is.
struct PackedWriter: PackedTransfer {
    private let memory: UnsafeMutableRawPointer
    private let size: Int
    private var offset = 0
    private var excess: UInt64 = 0

    /// - Parameters:
    ///   - memory: Where the first value goes.
    ///   - size: How many bytes there are.
    init(into memory: UnsafeMutableRawPointer, size: Int) {
        self.memory = memory
        self.size = size
    }

    /// Whether all values had room.
    var fits: Bool { excess == 0 }

    @inline(__always)
    mutating func transfer(_ instant: inout Instant) {
        // One later, as `never` is the highest bit alone then, and 0 in forty bits.
        let next = UInt64(bitPattern: instant.microseconds &+ 1)
        excess |= (next << 1) >> 41 | UInt64(bitPattern: instant.microseconds) >> 63
        store(next)
        offset &+= 5
    }

    @inline(__always)
    mutating func transfer<Number: FixedWidthInteger>(_ number: inout Number, bytes: Int) {
        let word = UInt64(truncatingIfNeeded: number)
        excess |= word >> UInt64(8 * bytes)
        store(word)
        offset &+= bytes
    }

    @inline(__always)
    mutating func transfer<Value: BitwiseCopyable>(_ value: inout Value) {
        store(value)
        offset &+= MemoryLayout<Value>.size
    }

    @inline(__always)
    mutating func derive<Value: Equatable>(_ property: inout Value, _ value: Value) {
        assert(property == value, "what is left out does not follow")
    }

    @inline(__always)
    private func store(_ value: some BitwiseCopyable) {
        assert(offset + MemoryLayout.size(ofValue: value) <= size, "more than there is room for")
        memory.storeBytes(of: value, toByteOffset: offset, as: type(of: value))
    }
}

/// Reads values that were written in the same order.
struct PackedReader: PackedTransfer {
    private let memory: UnsafeRawPointer
    private var offset = 0

    init(from memory: UnsafeRawPointer) {
        self.memory = memory
    }

    @inline(__always)
    mutating func transfer(_ instant: inout Instant) {
        let next = memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0xFF_FFFF_FFFF
        instant = Instant(microseconds: Int64(bitPattern: (next &- 1) & 0x7FFF_FFFF_FFFF_FFFF))
        offset &+= 5
    }

    @inline(__always)
    mutating func transfer<Number: FixedWidthInteger>(_ number: inout Number, bytes: Int) {
        let word = memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        number = Number(truncatingIfNeeded: word & (UInt64.max >> UInt64(64 - 8 * bytes)))
        offset &+= bytes
    }

    @inline(__always)
    mutating func transfer<Value: BitwiseCopyable>(_ value: inout Value) {
        value = memory.loadUnaligned(fromByteOffset: offset, as: Value.self)
        offset &+= MemoryLayout<Value>.size
    }

    @inline(__always)
    mutating func derive<Value: Equatable>(_ property: inout Value, _ value: Value) { property = value }
}
