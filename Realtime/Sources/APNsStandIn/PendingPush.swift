import FreshnessCore
import LiveActivityModel
import NIOCore
import Wire

/// A request whose response, or whose push, is under way.
struct PendingPush {
    /// The `apns-id`, as the response has it.
    let responseID: ResponseID
    /// Its number in the log; nil where requests are not logged.
    let logged: RequestLog.Number?
    /// The device token, as the provider wrote it.
    let token: Substring
    /// The same, as far as the model asks.
    let device: TokenDigest
    let kind: PushKind
    var request: APNsStation.Request
    /// The payload, where phones will read it.
    let payload: ByteBuffer?

    /// The `apns-id`.
    var id: RequestID { responseID.id }

    /// A push whose request obeys all rules, with the size of its payload.
    init(
        _ push: AcceptedPush,
        id: ResponseID,
        token: Substring,
        bytes: Int,
        payload: ByteBuffer?,
        logged: RequestLog.Number?
    ) {
        responseID = id
        self.logged = logged
        self.token = token
        device = push.token
        kind = push.kind
        request = APNsStation.Request(
            ride: push.token.ride,
            drawIndex: id.id.drawIndex,
            tokenNumber: push.token.number,
            priority: push.kind.priority == 10 ? .immediate : .considerate,
            bytes: bytes
        )
        self.payload = payload
    }
}

/// What is due at some moment.
enum Due {
    case response(PushAsker, APNsStation.Reception, PendingPush)
    case arrival(PushAsker, PendingPush)
}

/// Who has sent a push, and hears what APNs says to it.
enum PushAsker {
    /// A provider, on one stream of its connection.
    case connection(PushConnection, stream: Int32)
    /// The gateway in this process, which keeps no request waiting for the answer.
    case gateway(GatewayDelivery)

    /// Whether the response is still waited for; asked once.
    var isWaiting: Bool {
        switch self {
        case .connection(let connection, let stream): connection.isAwaited(stream: stream)
        case .gateway: true
        }
    }

    /// Whether the connection was lost before the response was given: then the request counts as not processed.
    var isLost: Bool {
        switch self {
        case .connection(let connection, let stream): connection.lost.contains(stream)
        case .gateway: false
        }
    }
}
