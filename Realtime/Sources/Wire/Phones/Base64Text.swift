/// Text encoded in base64 (RFC 4648).
package enum Base64Text {
    /// Appends bytes as text, with padding.
    package static func append(_ bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) {
        text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var bits: UInt32 = 0
            for offset in 0..<3 { bits = bits << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
            for place in 0..<4 {
                let value = UInt8(bits >> UInt32(18 - 6 * place) & 63)
                text.append(place <= count ? character(of: value) : UInt8(ascii: "="))
            }
        }
    }

    /// Returns the bytes of a text with or without padding; `nil` for any other text.
    package static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var count = 0
        for character in text {
            guard character != UInt8(ascii: "=") else { break }
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }

    private static func character(of value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: value + 0x41
        case 26..<52: value - 26 + 0x61
        case 52..<62: value - 52 + 0x30
        case 62: 0x2B
        default: 0x2F
        }
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case 0x41...0x5A: character - 0x41
        case 0x61...0x7A: character - 0x61 + 26
        case 0x30...0x39: character - 0x30 + 52
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }
}
