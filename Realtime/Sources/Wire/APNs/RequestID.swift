/// An `apns-id`: a UUID in its canonical form, 32 lowercase hexadecimal digits in groups of 8, 4, 4, 4 and 12.
///
/// Providers have to write it in lowercase. The ids that Apple's APNs makes itself come in uppercase
/// (AndrewBarba/apns2#95).
///
/// What becomes of a request is drawn for the ride that its device token names (``DeviceToken/ride``), under the index that
/// is in its id: the third 32 bits. The load generator writes the model's index there, so that a request meets the same
/// luck as in the simulation, and the ride before it; any other id has some index all the same.
///
/// Source: Apple, "Sending notification requests to APNs".
package struct RequestID: Hashable, BitwiseCopyable, Sendable {
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

    /// The letters of the digits from 10 to 15.
    package enum Letters: Hashable, Sendable {
        case lowercase
        case uppercase
    }

    /// The canonical form.
    package var canonical: String { text(.lowercase) }

    /// The form with letters of a case.
    package func text(_ letters: Letters) -> String {
        String(unsafeUninitializedCapacity: RequestID.characterCount) { characters in
            write(letters, to: UnsafeMutableRawBufferPointer(characters))
            return RequestID.characterCount
        }
    }

    /// Hands over the form with letters of a case as bytes, which hold only during the call.
    package func withText(_ letters: Letters, _ body: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: RequestID.characterCount, alignment: 8) { characters in
            write(letters, to: characters)
            body(UnsafeRawBufferPointer(characters))
        }
    }

    private func write(_ letters: Letters, to characters: UnsafeMutableRawBufferPointer) {
        var position = 0
        for index in 0..<16 {
            if RequestID.isHyphen(position) {
                characters[position] = 0x2D
                position += 1
            }
            let byte = UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(56 - index % 8 * 8))
            characters[position] = hexadecimalDigit(byte >> 4, letters)
            characters[position + 1] = hexadecimalDigit(byte & 15, letters)
            position += 2
        }
    }
}
