/// An `apns-id`: a UUID in its canonical form, 32 lowercase hexadecimal digits in groups of 8, 4, 4, 4 and 12.
///
/// Providers must write it in lowercase. Ids that Apple's APNs creates are uppercase (AndrewBarba/apns2#95).
///
/// The outcome of a request is drawn for the ride that its device token names (``DeviceToken/ride``), under the index
/// in its id: the third 32 bits. The load generator writes the model's index there, and the ride before it, so that a
/// request has the same random outcome as in the simulation. Any other id also yields some index.
///
/// Source: Apple, "Sending notification requests to APNs".
package struct RequestID: Hashable, BitwiseCopyable, Sendable {
    /// The first 64 bits.
    package let high: UInt64
    /// The last 64 bits.
    package let low: UInt64

    /// Creates an id from 128 bits.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates the id of a push of the model; the suffix, its last 32 bits, distinguishes requests that share a draw.
    package init(ride: UInt64, drawIndex: UInt32, suffix: UInt32 = 0) {
        self.init(high: ride, low: UInt64(drawIndex) << 32 | UInt64(suffix))
    }

    /// The ride of the request, if the load generator wrote the id.
    package var ride: UInt64 { high }
    /// The index of the request's draws.
    package var drawIndex: UInt32 { UInt32(truncatingIfNeeded: low >> 32) }

    /// The number of characters of the canonical form.
    static var characterCount: Int { 36 }

    /// Reads the canonical form; `nil` for any other text, including one with uppercase digits.
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

    /// Returns `true` if the canonical form has a hyphen at a position.
    private static func isHyphen(_ position: Int) -> Bool {
        switch position {
        case 8, 13, 18, 23: true
        default: false
        }
    }

    /// The case of the digits from 10 to 15.
    package enum Letters: Hashable, Sendable {
        case lowercase
        case uppercase
    }

    /// The canonical form.
    package var canonical: String { text(.lowercase) }

    /// Returns the text with letters of a case.
    package func text(_ letters: Letters) -> String {
        String(unsafeUninitializedCapacity: RequestID.characterCount) { characters in
            write(letters, to: UnsafeMutableRawBufferPointer(characters))
            return RequestID.characterCount
        }
    }

    /// Passes the text with letters of a case as bytes, which are valid only during the call.
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
