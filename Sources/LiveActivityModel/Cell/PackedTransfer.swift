import Quantities
import SimulationKernel

/// Packs values into memory one after another, or unpacks them in the same order.
///
/// One list of properties serves both directions, so writing and reading cannot differ. Numbers of fewer bytes are
/// written and read as whole words that overlap the next value, so the last value must be a word.
protocol PackedTransfer {
    /// Transfers an instant of the first twelve days of a run, or `never`, in five bytes.
    mutating func transfer(_ instant: inout Instant)

    /// Transfers a number of up to 64 bits in the given number of bytes; the other bytes must be zero.
    mutating func transfer<Number: FixedWidthInteger>(_ number: inout Number, bytes: Int)

    /// Transfers a value unchanged.
    mutating func transfer<Value: BitwiseCopyable>(_ value: inout Value)

    /// Transfers a property that follows from others: a reader sets it, a writer checks it.
    mutating func derive<Value: Equatable>(_ property: inout Value, _ value: Value)
}

extension PackedTransfer {
    /// Transfers a time [µs] of up to twelve days, not negative.
    @inline(__always)
    mutating func transfer(time: inout Int64) {
        var instant = Instant(microseconds: time)
        transfer(&instant)
        time = instant.microseconds
    }

    /// Transfers an alarm and its next event.
    @inline(__always)
    mutating func transfer(_ alarm: inout Alarm) {
        var (due, next) = (alarm.due, alarm.next)
        transfer(&due)
        transfer(&next)
        alarm = Alarm(due: due, next: next)
    }

    /// Transfers an alarm whose next event is at its due time.
    @inline(__always)
    mutating func transfer(appointment alarm: inout Alarm) {
        var due = alarm.due
        transfer(&due)
        derive(&alarm, Alarm(due: due, next: due))
    }

    /// Transfers a number of up to eighty bits in ten bytes, the last eight as a word.
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

    /// Transfers up to eight flags in one byte.
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
        // Branch-free: eight branches would make 256 paths.
        func bit(_ value: Bool, _ place: UInt8) -> UInt8 { unsafeBitCast(value, to: UInt8.self) << place }
        var byte =
            bit(a, 0) | bit(b, 1) | bit(c, 2) | bit(d, 3) | bit(e, 4) | bit(f, 5) | bit(g, 6) | bit(h, 7)
        transfer(&byte)
        (a, b, c, d) = (byte & 1 != 0, byte & 2 != 0, byte & 4 != 0, byte & 8 != 0)
        (e, f, g, h) = (byte & 16 != 0, byte & 32 != 0, byte & 64 != 0, byte & 128 != 0)
    }
}

/// Writes values; leaves the properties that it is given unchanged.
struct PackedWriter: PackedTransfer {
    private let memory: UnsafeMutableRawPointer
    private let size: Int
    private var offset = 0
    private var excess: UInt64 = 0

    /// - Parameters:
    ///   - memory: The address of the first value.
    ///   - size: The available number of bytes.
    init(into memory: UnsafeMutableRawPointer, size: Int) {
        self.memory = memory
        self.size = size
    }

    /// `true` if every value has fitted.
    var fits: Bool { excess == 0 }

    @inline(__always)
    mutating func transfer(_ instant: inout Instant) {
        // Adds one, so that `never` becomes the highest bit alone, and 0 in forty bits.
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
        assert(property == value, "a property that is left out does not follow from the others")
    }

    @inline(__always)
    private func store(_ value: some BitwiseCopyable) {
        assert(offset + MemoryLayout.size(ofValue: value) <= size, "a value beyond the packed size")
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
