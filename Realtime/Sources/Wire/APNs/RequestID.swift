/// An `apns-id`: a UUID in its canonical form, 32 lowercase hexadecimal digits in groups of 8, 4, 4, 4 and 12.
///
/// What becomes of a request is drawn for the ride that its device token names (``DeviceToken/ride``), under the index that
/// is in its id: the third 32 bits. The load generator writes the model's index there, so that a request meets the same
/// luck as in the simulation, and the ride before it; any other id has some index all the same.
///
/// Source: Apple, "Sending notification requests to APNs".
package struct RequestID: Hashable, Sendable {
    /// The first 64 bits.
    package let high: UInt64
    /// The last 64 bits.
    package let low: UInt64

    /// An id of 128 bits.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The id of a push of the model; the suffix, its last 32 bits, tells apart what draws alike.
    package init(ride: UInt64, drawIndex: UInt32, suffix: UInt32 = 0) {
        self.init(high: ride, low: UInt64(drawIndex) << 32 | UInt64(suffix))
    }

    /// The ride that it is about, where the load generator has written it.
    package var ride: UInt64 { high }
    /// Which draws about the request are meant.
    package var drawIndex: UInt32 { UInt32(truncatingIfNeeded: low >> 32) }

    /// How many characters the canonical form has.
    static var characterCount: Int { 36 }

    /// Reads the canonical form; nil for anything else, uppercase digits among it.
    package init?(canonical text: some Sequence<UInt8>) {
        var words: (high: UInt64, low: UInt64) = (0, 0)
        var position = 0
        for character in text {
            defer { position += 1 }
            if RequestID.isHyphen(position) {
                guard character == 0x2D else { return nil }
                continue
            }
            guard position < RequestID.characterCount, !(0x41...0x46).contains(character),
                let value = hexadecimalValue(of: character)
            else { return nil }
            words.high = words.high << 4 | words.low >> 60
            words.low = words.low << 4 | UInt64(value)
        }
        guard position == RequestID.characterCount else { return nil }
        self.init(high: words.high, low: words.low)
    }

    /// Whether the canonical form has a hyphen at a position.
    private static func isHyphen(_ position: Int) -> Bool {
        switch position {
        case 8, 13, 18, 23: true
        default: false
        }
    }

    /// The canonical form.
    package var canonical: String {
        String(unsafeUninitializedCapacity: RequestID.characterCount) { characters in
            var nibble = 0
            for position in 0..<RequestID.characterCount {
                if RequestID.isHyphen(position) {
                    characters[position] = 0x2D
                    continue
                }
                let word = nibble < 16 ? high : low
                let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - nibble % 16 * 4)) & 15
                characters[position] = hexadecimalDigit(value)
                nibble += 1
            }
            return RequestID.characterCount
        }
    }
}
