/// A frame as bytes (RFC 9113, section 4.1), encoded without the library under test, so that it can be invalid in any
/// way.
struct RawFrame: Hashable, Sendable {
    let bytes: [UInt8]

    /// Creates any frame, with the actual length of its payload.
    init(_ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
        let length = payload.count
        bytes =
            [UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), type, flags]
            + RawFrame.word(stream) + payload
    }

    /// Creates bytes that are not a frame.
    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A pause without bytes.
    ///
    /// Frames before it are read and answered before the rest is sent; without it everything arrives in one read.
    static let pause = RawFrame(bytes: [])
    static let preface = RawFrame(bytes: Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8))
    static let settingsACK = RawFrame(4, flags: 1)
    static let ping = RawFrame(6, RawFrame.pingPayload)
    static let pingPayload = Array("12345678".utf8)

    private static func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
}

/// Frames by their types.
extension RawFrame {
    static func data(_ stream: UInt32 = 1, _ text: String = "test", isLast: Bool = true) -> RawFrame {
        RawFrame(0, flags: isLast ? 1 : 0, stream: stream, Array(text.utf8))
    }

    /// Returns a head of any fields.
    static func headers(
        _ stream: UInt32,
        _ fields: [RawField],
        isLast: Bool = true,
        isWhole: Bool = true
    ) -> RawFrame {
        RawFrame(1, flags: (isLast ? 1 : 0) | (isWhole ? 4 : 0), stream: stream, fields.flatMap(\.bytes))
    }

    /// Returns a complete, valid GET, with more fields after its own.
    static func get(_ stream: UInt32 = 1, _ extra: RawField..., isWhole: Bool = true) -> RawFrame {
        headers(stream, RawField.get + extra, isWhole: isWhole)
    }

    /// Returns the head of a valid POST, whose body follows.
    static func post(_ stream: UInt32 = 1, _ extra: RawField..., isWhole: Bool = true) -> RawFrame {
        headers(stream, RawField.post + extra, isLast: false, isWhole: isWhole)
    }

    /// Returns a valid GET with bytes before and after its fields, as its flags require: 8 for padding, 32 for a
    /// priority.
    static func get(flags: UInt8, before: [UInt8], after: [UInt8] = []) -> RawFrame {
        RawFrame(1, flags: 5 | flags, stream: 1, before + RawField.get.flatMap(\.bytes) + after)
    }

    static func priority(
        _ stream: UInt32 = 1,
        on other: UInt32 = 0,
        isExclusive: Bool = false,
        weight: UInt8 = 15
    ) -> RawFrame {
        RawFrame(2, stream: stream, word(other | (isExclusive ? 1 << 31 : 0)) + [weight])
    }

    static func reset(_ stream: UInt32 = 1, _ code: UInt32 = 8) -> RawFrame {
        RawFrame(3, stream: stream, word(code))
    }

    static func settings(_ entries: (id: UInt16, value: UInt32)...) -> RawFrame {
        RawFrame(4, entries.flatMap { [UInt8($0.id >> 8), UInt8($0.id & 0xFF)] + word($0.value) })
    }

    /// SETTINGS_INITIAL_WINDOW_SIZE.
    static func window(_ size: UInt32) -> RawFrame { settings((4, size)) }

    static func pushPromise(_ stream: UInt32, _ promised: UInt32) -> RawFrame {
        RawFrame(5, flags: 4, stream: stream, word(promised) + RawField.get.flatMap(\.bytes))
    }

    static func goAway(_ code: UInt32, stream: UInt32 = 0) -> RawFrame {
        RawFrame(7, stream: stream, word(0) + word(code))
    }

    static func windowUpdate(_ stream: UInt32, _ increment: UInt32) -> RawFrame {
        RawFrame(8, stream: stream, word(increment))
    }

    static func continuation(_ stream: UInt32 = 1, _ fields: RawField..., isWhole: Bool = true) -> RawFrame {
        RawFrame(9, flags: isWhole ? 4 : 0, stream: stream, fields.flatMap(\.bytes))
    }
}
