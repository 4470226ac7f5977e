import APNsProtocol
import NIOCore
import Quantities

/// What one thread has for the phones, gathered over one turn.
struct PhoneOutbox {
    /// Who plays the phones.
    enum Mode: Hashable, Sendable {
        case none
        /// The stand-in itself.
        case screens
        /// Somebody at the other end of a phone link.
        case link(withPayloads: Bool)
    }

    var mode = Mode.none
    private var lines = ByteBuffer()
    private var arrivals: [PhoneScreens.Arrival] = []

    var isEmpty: Bool { lines.readableBytes == 0 && arrivals.isEmpty }

    /// Whether anybody will read the payload of a push.
    func wantsPayload(of type: PushType) -> Bool {
        switch mode {
        case .none: false
        case .screens: type == .liveActivity
        case .link(let withPayloads): withPayloads
        }
    }

    /// A push reaches its phone.
    mutating func add(_ push: PendingPush, at instant: Instant) {
        switch mode {
        case .none: break
        case .screens:
            guard push.type == .liveActivity, let payload = push.payload else { return }
            let isImmediate = push.priority == 10
            arrivals.append(
                PhoneScreens.Arrival(token: push.token, payload: payload, isImmediate: isImmediate, at: instant)
            )
        case .link(let withPayloads):
            lines.writeString("push ")
            lines.writeString(push.id)
            lines.writeString(" ")
            lines.writeSubstring(push.token)
            lines.writeString(" ")
            lines.writeString(String(instant.microseconds))
            lines.writeString(push.priority == 10 ? " 10" : push.priority == 5 ? " 5" : " 1")
            if withPayloads, let payload = push.payload {
                lines.writeString(" ")
                lines.writeString(payload.readableBytesView.base64)
            }
            lines.writeString("\n")
        }
    }

    /// A push that was accepted gets lost.
    mutating func lose(_ id: String) { line("lost ", id) }

    /// APNs never had a push.
    mutating func void(_ id: String) { line("void ", id) }

    private mutating func line(_ word: StaticString, _ id: String) {
        guard case .link = mode else { return }
        lines.writeStaticString(word)
        lines.writeString(id)
        lines.writeString("\n")
    }

    /// Takes everything out.
    mutating func release() -> PhoneBatch {
        defer {
            lines = ByteBuffer()
            arrivals = []
        }
        return PhoneBatch(mode: mode, lines: lines, arrivals: arrivals)
    }
}

/// What one thread hands over at a time.
struct PhoneBatch: Sendable {
    let mode: PhoneOutbox.Mode
    let lines: ByteBuffer
    let arrivals: [PhoneScreens.Arrival]
}
