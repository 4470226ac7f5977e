import NIOCore
import Quantities
import Wire

/// The output of one thread to the phones, collected over one turn.
struct PhoneOutbox {
    /// The player of the phones.
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

    /// Returns `true` if phones will read the payload of a push.
    func wantsPayload(of type: PushType) -> Bool {
        switch mode {
        case .none: false
        case .screens: type == .liveActivity
        case .link(let withPayloads): withPayloads
        }
    }

    /// Adds a push that reaches its phone; returns `false` if no screen will report its effect.
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
            Self.read(withPayloads ? push.payload : nil) { payload in
                PhoneNews.appendPush(
                    id: push.id,
                    token: push.token,
                    at: instant,
                    priority: push.kind.priority,
                    payload: payload,
                    to: &lines
                )
            }
            return false
        }
    }

    /// Adds a publication that is sent on to phones.
    mutating func sendOn(_ id: RequestID, to followers: [BroadcastChannels.Follower]) {
        guard case .link = mode else { return }
        PhoneNews.appendSentOn(id: id, to: followers.lazy.map(\.ride), lines: &lines)
    }

    /// Adds a copy of a publication that reaches its phone.
    mutating func add(_ copies: Copies, for follower: BroadcastChannels.Follower, at instant: Instant) {
        switch mode {
        case .none: break
        case .screens:
            guard let payload = copies.payload, let token = follower.token else { return }
            arrivals.append(
                PhoneScreens.Arrival(
                    token: token,
                    payload: payload,
                    isImmediate: copies.priority == 10,
                    at: instant,
                    isFromChannel: true
                )
            )
        case .link(let withPayloads):
            Self.read(withPayloads ? copies.payload : nil) { payload in
                PhoneNews.appendCopy(
                    id: copies.id,
                    ride: follower.ride,
                    at: instant,
                    priority: copies.priority,
                    payload: payload,
                    to: &lines
                )
            }
        }
    }

    /// Passes on the bytes of a payload; `nil` without one.
    private static func read(_ payload: ByteBuffer?, _ body: (UnsafeRawBufferPointer?) -> Void) {
        guard let payload else { return body(nil) }
        payload.withUnsafeReadableBytes { body($0) }
    }

    /// Adds a copy of a publication that is lost.
    mutating func lose(_ copies: Copies, to follower: BroadcastChannels.Follower) {
        if case .link = mode { PhoneNews.appendMissed(id: copies.id, ride: follower.ride, to: &lines) }
    }

    /// Adds an accepted push that is lost.
    mutating func lose(_ id: RequestID) { if case .link = mode { PhoneNews.appendLost(id: id, to: &lines) } }

    /// Adds a push that APNs never received.
    mutating func void(_ id: RequestID) { if case .link = mode { PhoneNews.appendVoid(id: id, to: &lines) } }

    /// Removes and returns the whole output.
    mutating func release() -> PhoneBatch {
        defer {
            lines = []
            arrivals = []
        }
        return PhoneBatch(mode: mode, lines: ByteBuffer(bytes: lines), arrivals: arrivals)
    }
}

/// A batch of output of one thread.
struct PhoneBatch: Sendable {
    let mode: PhoneOutbox.Mode
    let lines: ByteBuffer
    let arrivals: [PhoneScreens.Arrival]
}
