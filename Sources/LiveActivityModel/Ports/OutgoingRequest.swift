public import FreshnessCore
public import Quantities

/// A request to a remote APNs, with all that its payload is made of.
public struct OutgoingRequest: Hashable, Sendable {
    /// What cell and remote APNs call a request, small enough to travel as an `apns-id`.
    public struct ID: Hashable, Sendable {
        /// The ride that it is about; its cell is ``CellAssignment/cell(ofRide:)``.
        public let ride: UInt64
        /// Which draws of the ride's are meant.
        public let drawIndex: UInt32
        /// Where the cell keeps it.
        public let place: UInt32

        /// An ID, as it came back.
        public init(ride: UInt64, drawIndex: UInt32, place: UInt32) {
            self.ride = ride
            self.drawIndex = drawIndex
            self.place = place
        }
    }

    /// What it is called.
    public let id: ID
    /// Which of the ride's tokens it goes to; 0 for a push-to-start.
    public let tokenNumber: UInt32
    /// Who sends it, and why.
    public let kind: StoryLine.PushKind
    /// How urgent.
    public let priority: PushPriority
    /// The size of its payload in the model [bytes]; 0 where sizes are turned off.
    public let bytes: Int
    /// When its content was generated, and until when it is good.
    public let content: ContentStamp
    /// The payload's timestamp [µs since the start of the run].
    public let timestamp: Int64
    /// When it began.
    public let sentAt: Instant

    /// A request, as a cell makes it.
    public init(
        id: ID,
        tokenNumber: UInt32,
        kind: StoryLine.PushKind,
        priority: PushPriority,
        bytes: Int,
        content: ContentStamp,
        timestamp: Int64,
        sentAt: Instant
    ) {
        self.id = id
        self.tokenNumber = tokenNumber
        self.kind = kind
        self.priority = priority
        self.bytes = bytes
        self.content = content
        self.timestamp = timestamp
        self.sentAt = sentAt
    }
}

extension OutgoingRequest {
    /// What APNs sees of it.
    ///
    /// - Parameter tokenDeadSince: Since when its token no longer works; `never` while it does.
    public func atAPNs(tokenDeadSince: Instant) -> APNsStation.Request {
        APNsStation.Request(
            ride: id.ride,
            drawIndex: id.drawIndex,
            tokenNumber: tokenNumber,
            tokenDeadSince: tokenDeadSince,
            priority: priority,
            bytes: bytes
        )
    }
}

/// What goes out of a cell through its ports, in the order in which it happened.
public enum OutgoingNews: Hashable, Sendable {
    /// A request begins.
    case request(OutgoingRequest)
    /// The sender no longer waits for a request: its time is up, or another push has its stream.
    case givenUp(OutgoingRequest.ID)
    /// The connection of a request is lost, which counts as not processed.
    case disconnected(OutgoingRequest.ID)
    /// A token works no longer from an instant on; what is told first of a token holds.
    case tokenDied(ride: UInt64, number: UInt32, since: Instant)
    /// The app's server has something for a remote monitor.
    case server(ServerNews)
}

/// What comes into a cell through its ports.
public enum IncomingNews: Hashable, Sendable {
    /// The sender hears of a request.
    case answered(OutgoingRequest.ID, RemoteResponse)
    /// A push reaches its phone.
    case arrived(OutgoingRequest.ID)
    /// APNs accepted a push, and it will never reach its phone.
    case lost(OutgoingRequest.ID)
    /// APNs refused a request, whether or not the sender hears of it.
    case refused(OutgoingRequest.ID)
    /// Nothing will come of a request: APNs never had it, or refused it.
    case void(OutgoingRequest.ID)
    /// A push of a remote monitor reaches its phone.
    case pushed(PhonePush)

    /// The ride that it is about; its cell is ``CellAssignment/cell(ofRide:)``.
    public var ride: UInt64 {
        switch self {
        case .answered(let id, _), .arrived(let id), .lost(let id), .refused(let id), .void(let id): id.ride
        case .pushed(let push): push.ride
        }
    }
}

/// What a sender can hear of a request.
public enum RemoteResponse: Hashable, Sendable {
    /// Accepted.
    case accepted
    /// Refused.
    case refused(APNsReason)
    /// Nothing: the connection is gone, and APNs may or may not have the request.
    case connectionLost
}
