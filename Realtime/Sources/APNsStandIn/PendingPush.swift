import FreshnessCore
import LiveActivityModel
import NIOCore
import Wire

/// A request whose answer, or whose push, is in flight.
struct PendingPush {
    /// The `apns-id` of the answer.
    let responseID: ResponseID
    /// The number in the log; `nil` if requests are not logged.
    let logged: RequestLog.Number?
    /// The device token, as the provider wrote it; empty for a publication.
    let token: Substring
    /// The channel to which it is published; `nil` for a push to a device.
    let publication: BroadcastChannels.Publication?
    /// The parts of the device token that the model reads.
    let device: TokenDigest
    let kind: PushKind
    var request: APNsStation.Request
    /// The payload, if phones will read it.
    let payload: ByteBuffer?

    /// The `apns-id`.
    var id: RequestID { responseID.id }

    /// Creates a push whose request satisfies all rules, with the size of its payload.
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
        publication = nil
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

    /// Creates a publication whose request satisfies all rules, with the size of its payload.
    ///
    /// The load generator writes the number of the channel into the id, so that the request has the draws of the simulation.
    init(
        _ publication: BroadcastChannels.Publication,
        id: ResponseID,
        bytes: Int,
        payload: ByteBuffer?,
        logged: RequestLog.Number?
    ) {
        responseID = id
        self.logged = logged
        token = ""
        self.publication = publication
        device = TokenDigest(ride: id.id.ride, number: 1)
        kind = PushKind(type: .liveActivity, priority: publication.priority)
        request = APNsStation.Request(
            ride: id.id.ride,
            drawIndex: id.id.drawIndex,
            tokenNumber: 1,
            priority: publication.priority == 10 ? .immediate : .considerate,
            bytes: bytes,
            isToChannel: true
        )
        self.payload = payload
    }

    /// The field of the answer that carries the id.
    var idField: IncomingRequest.IDField { publication == nil ? .push : .channels }
}

/// A publication that APNs sends on to the phones that follow its channel.
final class Copies: Sendable {
    let id: RequestID
    let priority: UInt8
    /// The payload, if phones will read it.
    let payload: ByteBuffer?

    init(_ push: PendingPush) {
        id = push.id
        priority = push.kind.priority
        payload = push.payload
    }
}

/// Work that is due at some time.
enum Due {
    case response(PushAsker, APNsStation.Reception, PendingPush)
    case arrival(PushAsker, PendingPush)
    case copyArrival(Copies, BroadcastChannels.Follower)
}

/// The sender of a push, which receives APNs' answer.
enum PushAsker {
    /// A provider, on one stream of its connection.
    case connection(PushConnection, stream: Int32)
    /// The gateway in this process, which does not delay its own response for it.
    case gateway(GatewayDelivery)

    /// `true` if the sender still waits for the answer; may be read once.
    var isWaiting: Bool {
        switch self {
        case .connection(let connection, let stream): connection.isAwaited(stream: stream)
        case .gateway: true
        }
    }

    /// `true` if the connection was lost before the answer: the request then counts as not processed.
    var isLost: Bool {
        switch self {
        case .connection(let connection, let stream): connection.lost.contains(stream)
        case .gateway: false
        }
    }
}
