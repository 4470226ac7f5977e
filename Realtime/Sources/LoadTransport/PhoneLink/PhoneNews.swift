public import APNsProtocol
public import NIOCore
public import Quantities

/// What a stand-in tells the phones that hold a line to it.
public enum PhoneNews: Hashable, Sendable {
    /// A push reaches the phone at a virtual instant; its payload comes along where that was asked for.
    case push(id: RequestID, token: DeviceToken, at: Instant, priority: Int, payload: ByteBuffer?)
    /// A push that was accepted will never arrive.
    case lost(RequestID)
    /// APNs has refused a push or has never had it.
    case void(RequestID)

    /// Reads a line without its end; nil for what is none of the forms.
    ///
    /// The forms: `push <apns-id> <token> <virtual µs> <priority> [<payload in base64>]`, `lost <apns-id>`,
    /// `void <apns-id>`.
    init?(line: ByteBufferView) {
        let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count >= 2, let id = RequestID(canonical: words[1]) else { return nil }
        if words[0].elementsEqual("lost".utf8), words.count == 2 {
            self = .lost(id)
        } else if words[0].elementsEqual("void".utf8), words.count == 2 {
            self = .void(id)
        } else if words[0].elementsEqual("push".utf8), (5...6).contains(words.count),
            let token = DeviceToken(hexadecimal: words[2]),
            let at = Int64(String(decoding: words[3], as: UTF8.self)),
            let priority = Int(String(decoding: words[4], as: UTF8.self))
        {
            var payload: ByteBuffer?
            if words.count == 6 {
                guard let bytes = Base64Text.bytes(words[5]) else { return nil }
                payload = bytes
            }
            self = .push(id: id, token: token, at: Instant(microseconds: at), priority: priority, payload: payload)
        } else {
            return nil
        }
    }
}

/// Bytes as text in base64 (RFC 4648), with or without padding.
enum Base64Text {
    /// The bytes; nil for anything else.
    static func bytes(_ text: ByteBufferView) -> ByteBuffer? {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var count = 0
        for character in text {
            guard character != 0x3D else { break }
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                buffer.writeInteger(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return buffer
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
