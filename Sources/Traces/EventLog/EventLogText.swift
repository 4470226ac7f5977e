/// The text of some rows of an event log in one piece of memory, which serves again after it is written.
///
/// A day of a city has fifteen million rows, so nothing here allocates memory or counts references.
public struct EventLogText: ~Copyable {
    private let start: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    /// The number of bytes.
    public private(set) var count = 0

    /// Creates an empty text with room for a number of bytes.
    public init(capacity: Int) {
        start = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { start.deallocate() }

    /// The bytes, until the next change.
    public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// Removes all bytes.
    public mutating func removeAll() { count = 0 }

    @inline(__always)
    mutating func put(_ text: StaticString) { put(text.utf8Start, text.utf8CodeUnitCount) }

    @inline(__always)
    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let first = bytes.baseAddress { put(first, bytes.count) }
    }

    @inline(__always)
    private mutating func put(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
        precondition(count + length <= capacity, "a row that is longer than stated")
        (start + count).update(from: bytes, count: length)
        count += length
    }

    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        start[count] = byte
        count += 1
    }

    /// Appends a number in decimal digits.
    @inline(__always)
    mutating func put(_ number: Int64) {
        precondition(count < capacity, "a row that is longer than stated")
        if number < 0 { put(UInt8(ascii: "-")) }
        put(number.magnitude)
    }

    /// Appends a number in decimal digits.
    @inline(__always)
    mutating func put(_ number: UInt64) {
        precondition(count + 20 <= capacity, "a row that is longer than stated")
        var rest = number
        var length = 1
        var limit: UInt64 = 10
        while rest >= limit, length < 20 {
            length += 1
            let (next, overflows) = limit.multipliedReportingOverflow(by: 10)
            if overflows { break }
            limit = next
        }
        var place = count + length
        count = place
        while rest >= 100 {
            let pair = Int(rest % 100) * 2
            rest /= 100
            place -= 2
            start[place] = Self.pairs.utf8Start[pair]
            start[place + 1] = Self.pairs.utf8Start[pair + 1]
        }
        if rest >= 10 {
            start[place - 2] = Self.pairs.utf8Start[Int(rest) * 2]
            start[place - 1] = Self.pairs.utf8Start[Int(rest) * 2 + 1]
        } else {
            start[place - 1] = UInt8(ascii: "0") + UInt8(rest)
        }
    }

    /// Appends a number in sixteen hexadecimal digits.
    @inline(__always)
    mutating func putHexadecimal(_ number: UInt64) {
        precondition(count + 16 <= capacity, "a row that is longer than stated")
        for index in 0..<16 {
            start[count + index] = Self.digits.utf8Start[Int(number >> UInt64(60 - 4 * index) & 15)]
        }
        count += 16
    }

    private static let digits: StaticString = "0123456789abcdef"
    /// The numbers 00 to 99.
    private static let pairs: StaticString = """
        00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354\
        5556575859606162636465666768697071727374757677787980818283848586878889909192939495969798\
        99
        """
}
