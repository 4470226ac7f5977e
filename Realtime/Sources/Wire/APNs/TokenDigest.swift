/// The parts of a device token that the model reads, extracted from its digits without keeping them.
///
/// Ride and number equal those of ``DeviceToken``, at a fraction of the cost.
package struct TokenDigest: Hashable, BitwiseCopyable, Sendable {
    /// The ride, as ``DeviceToken/ride``.
    package let ride: UInt64
    /// The number, as ``DeviceToken/number``.
    package let number: UInt32

    /// Creates the digest of a ride's token.
    package init(ride: UInt64, number: UInt32) {
        self.ride = ride
        self.number = number
    }

    /// Digits that ``init(hexadecimal:)`` reads as this value.
    package var hexadecimal: String {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: ride)
        bytes.append(bigEndian: UInt64(number) << 32)
        return DeviceToken(bytes: Array(bytes.prefix(12))).hexadecimal
    }

    /// Reads hexadecimal digits; `nil` for digits that ``DeviceToken`` refuses.
    package init?(hexadecimal digits: Substring) {
        var digits = digits
        let read: TokenDigest?? = digits.withUTF8 { TokenDigest(bytes: $0) }
        guard case .some(.some(let digest)) = read else { return nil }
        self = digest
    }

    private init?(bytes: UnsafeBufferPointer<UInt8>) {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: 2), bytes.count <= 2 * DeviceToken.largestByteCount else {
            return nil
        }
        var words: (UInt64, UInt64) = (0, 0)
        for position in 0..<min(24, bytes.count) {
            guard let value = hexadecimalValue(of: bytes[position]) else { return nil }
            if position < 16 {
                words.0 |= UInt64(value) << UInt64(60 - 4 * position)
            } else {
                words.1 |= UInt64(value) << UInt64(28 - 4 * (position - 16))
            }
        }
        guard TokenDigest.areDigits(bytes.dropFirst(24)) else { return nil }
        self.init(ride: words.0, number: UInt32(truncatingIfNeeded: words.1))
    }

    /// Returns `true` if all bytes are hexadecimal digits.
    ///
    /// It checks 8 at a time: a token has 160 digits, and most only need to be valid.
    private static func areDigits(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let raw = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes.base)[bytes.indices])
        let start = raw.count % 8
        for position in stride(from: start, to: raw.count, by: 8) {
            guard areDigits(raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)) else { return false }
        }
        return raw[..<start].allSatisfy { hexadecimalValue(of: $0) != nil }
    }

    /// Returns `true` if all 8 bytes of a word are hexadecimal digits.
    ///
    /// The highest bit of a sum is set if the byte is at least the bound.
    @inline(__always)
    private static func areDigits(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highest = 0x80 &* ones
        func isAtLeast(_ bound: UInt64, _ word: UInt64) -> UInt64 { word &+ (0x80 &- bound) &* ones }
        let lowercase = word | 0x20 &* ones
        let isNumber = isAtLeast(0x30, word) & ~isAtLeast(0x3A, word)
        let isLetter = isAtLeast(0x61, lowercase) & ~isAtLeast(0x67, lowercase)
        return word & highest == 0 && (isNumber | isLetter) & highest == highest
    }
}
