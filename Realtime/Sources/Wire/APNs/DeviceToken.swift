/// A device token in hexadecimal digits, as providers write it.
///
/// Apple warns against assuming a size, and update tokens of Live Activities with 80 bytes have been observed, so any
/// even number of digits is valid. The first bytes are the key of the model's draws. A token of the load generator
/// holds its ride and number there; any other token also yields some ride and number.
package struct DeviceToken: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Creates a token from bytes, at least one.
    package init(bytes: [UInt8]) {
        precondition(!bytes.isEmpty, "a token has at least one byte")
        self.bytes = bytes
    }

    /// Reads digits of either case; `nil` if there are none, an odd number, too many, or another character.
    package init?(hexadecimal digits: some Collection<UInt8>) {
        guard !digits.isEmpty, digits.count.isMultiple(of: 2), digits.count <= 2 * DeviceToken.largestByteCount else {
            return nil
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = hexadecimalValue(of: digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        self.bytes = bytes
    }

    /// The maximum size [bytes].
    ///
    /// No observed token is nearly as long, and a longer one would waste memory.
    package static var largestByteCount: Int { 512 }

    /// The observed size of update tokens of Live Activities [bytes].
    static var usualByteCount: Int { 80 }

    /// Creates the update token of a ride, from its number among the ride's tokens.
    package init(ride: UInt64, number: UInt32) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(DeviceToken.usualByteCount)
        bytes.append(bigEndian: ride)
        bytes.append(bigEndian: UInt64(number) << 32)
        // Filler that resembles a token's bytes; no code reads it.
        var word = ride ^ UInt64(number) << 17
        while bytes.count < DeviceToken.usualByteCount {
            word = (word ^ word >> 31) &* 0x9E37_79B9_7F4A_7C15
            bytes.append(bigEndian: word)
        }
        self.bytes = bytes
    }

    /// The first eight bytes as a number; missing bytes are 0.
    package var ride: UInt64 { word(at: 0, count: 8) }

    /// The four bytes after ``ride`` as a number.
    package var number: UInt32 { UInt32(word(at: 8, count: 4)) }

    /// `true` if ``init(ride:number:)`` made the token, so that it names a ride.
    package var namesRide: Bool { self == DeviceToken(ride: ride, number: number) }

    private func word(at start: Int, count: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in start..<start + count { word = word << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
        return word
    }

    /// The digits, lowercase.
    package var hexadecimal: String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { characters in
            writeDigits(to: UnsafeMutableRawBufferPointer(characters)[...])
            return 2 * bytes.count
        }
    }

    /// Passes the path of a push to the device as bytes, which are valid only during the call.
    package func withPath(_ body: (UnsafeRawBufferPointer) -> Void) {
        let prefix: StaticString = "/3/device/"
        let start = prefix.utf8CodeUnitCount
        withUnsafeTemporaryAllocation(byteCount: start + 2 * bytes.count, alignment: 1) { characters in
            characters.copyMemory(from: UnsafeRawBufferPointer(start: prefix.utf8Start, count: start))
            writeDigits(to: characters[start...])
            body(UnsafeRawBufferPointer(characters))
        }
    }

    private func writeDigits(to place: Slice<UnsafeMutableRawBufferPointer>) {
        let characters = UnsafeMutableRawBufferPointer(rebasing: place)
        for (position, byte) in bytes.enumerated() {
            characters[2 * position] = hexadecimalDigit(byte >> 4)
            characters[2 * position + 1] = hexadecimalDigit(byte & 15)
        }
    }
}

/// Returns the value of an ASCII digit; `nil` for any other character.
func hexadecimalValue(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x61 + 10
    case 0x41...0x46: digit - 0x41 + 10
    default: nil
    }
}

/// Returns the ASCII digit of a value below 16.
func hexadecimalDigit(_ value: UInt8, _ letters: RequestID.Letters = .lowercase) -> UInt8 {
    value < 10 ? 0x30 + value : (letters == .lowercase ? 0x61 : 0x41) + value - 10
}

extension [UInt8] {
    mutating func append(bigEndian word: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
    }
}
