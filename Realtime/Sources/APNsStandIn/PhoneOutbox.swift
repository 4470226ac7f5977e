import NIOCore
import Quantities
import Wire

/// What one thread has for the phones, gathered over one turn.
struct PhoneOutbox {
    /// Who plays the phones.
    enum Mode: Hashable, Sendable {
        case none
        /// The stand-in itself.
        case screens
        /// The other end of a phone link.
        case link(withPayloads: Bool)
    }

    var mode = Mode.none
    private var lines: [UInt8] = []
    private var arrivals: [PhoneScreens.Arrival] = []

    var isEmpty: Bool { lines.isEmpty && arrivals.isEmpty }

    /// Whether phones will read the payload of a push.
    func wantsPayload(of type: PushType) -> Bool {
        switch mode {
        case .none: false
        case .screens: type == .liveActivity
        case .link(let withPayloads): withPayloads
        }
    }

    /// A push reaches its phone; false where no screen will say what it does there.
    mutating func add(_ push: PendingPush, at instant: Instant) -> Bool {
        switch mode {
        case .none: return false
        case .screens:
            guard push.kind.type == .liveActivity, let payload = push.payload else { return false }
            let isImmediate = push.kind.priority == 10
            arrivals.append(
                PhoneScreens.Arrival(
                    token: push.token,
                    payload: payload,
                    isImmediate: isImmediate,
                    at: instant,
                    logged: push.logged
                )
            )
            return true
        case .link(let withPayloads):
            func append(_ payload: UnsafeRawBufferPointer?) {
                PhoneNews.appendPush(
                    id: push.id,
                    token: push.token,
                    at: instant,
                    priority: push.kind.priority,
                    payload: payload,
                    to: &lines
                )
            }
            if withPayloads, let payload = push.payload {
                payload.withUnsafeReadableBytes { append($0) }
            } else {
                append(nil)
            }
            return false
        }
    }

    /// A push that was accepted gets lost.
    mutating func lose(_ id: RequestID) { if case .link = mode { PhoneNews.appendLost(id: id, to: &lines) } }

    /// APNs never had a push.
    mutating func void(_ id: RequestID) { if case .link = mode { PhoneNews.appendVoid(id: id, to: &lines) } }

    /// Takes everything out.
    mutating func release() -> PhoneBatch {
        defer {
            lines = []
            arrivals = []
        }
        return PhoneBatch(mode: mode, lines: ByteBuffer(bytes: lines), arrivals: arrivals)
    }
}

/// What one thread hands over at a time.
struct PhoneBatch: Sendable {
    let mode: PhoneOutbox.Mode
    let lines: ByteBuffer
    let arrivals: [PhoneScreens.Arrival]
}
