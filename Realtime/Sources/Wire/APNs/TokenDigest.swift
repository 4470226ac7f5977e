/// What the model asks of a device token, read from its digits without keeping them.
///
/// The same ride and number as those of ``DeviceToken``, at a fraction of the cost.
package struct TokenDigest: Hashable, BitwiseCopyable, Sendable {
    /// As ``DeviceToken/ride``.
    package let ride: UInt64
    /// As ``DeviceToken/number``.
    package let number: UInt32

    /// A ride's token of some number.
    package init(ride: UInt64, number: UInt32) {
        self.ride = ride
        self.number = number
    }

    /// Digits that ``init(hexadecimal:)`` reads as this.
    package var hexadecimal: String {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: ride)
        bytes.append(bigEndian: UInt64(number) << 32)
        return DeviceToken(bytes: Array(bytes.prefix(12))).hexadecimal
    }

    /// Reads hexadecimal digits; nil where ``DeviceToken`` reads none.
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

    /// Whether all bytes are hexadecimal digits, found for 8 at a time: a token has 160 of them, and most only have to be digits.
    private static func areDigits(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let raw = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes.base)[bytes.indices])
        let start = raw.count % 8
        for position in stride(from: start, to: raw.count, by: 8) {
            guard areDigits(raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)) else { return false }
        }
        return raw[..<start].allSatisfy { hexadecimalValue(of: $0) != nil }
    }

    /// Whether all 8 bytes of a word are: a sum has its highest bit where the byte is at least the bound of which it was made.
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
