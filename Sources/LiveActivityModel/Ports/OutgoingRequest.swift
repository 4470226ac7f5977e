public import FreshnessCore
public import Quantities

/// A request to a remote APNs, with the data for its payload.
public struct OutgoingRequest: Hashable, Sendable {
    /// The ID of a request between a cell and a remote APNs, small enough to be an `apns-id`.
    public struct ID: Hashable, Sendable {
        /// The ride, or the channel, that it concerns; the cell is ``RideCells/cell(ofRide:)``.
        public let ride: UInt64
        /// The index of the ride's draws for this request.
        public let drawIndex: UInt32
        /// The slot of the push in the cell.
        public let place: UInt32

        /// Creates an ID from its parts.
        public init(ride: UInt64, drawIndex: UInt32, place: UInt32) {
            self.ride = ride
            self.drawIndex = drawIndex
            self.place = place
        }
    }

    public let id: ID
    /// The number of the ride's token that it is sent to; 0 for a push-to-start.
    public let tokenNumber: UInt32
    /// The sender and the purpose of the push.
    public let kind: StoryLine.PushKind
    public let priority: PushPriority
    /// The size of its payload in the model [bytes]; 0 if sizes are turned off.
    public let bytes: Int
    /// `true` if it carries an alert.
    public let alerts: Bool
    /// The generation and the stale date of its content.
    public let content: ContentStamp
    /// The payload's timestamp [µs since the start of the run].
    public let timestamp: Int64
    /// When it began.
    public let sentAt: Instant
    /// The channel that the started card follows instead of a token; nil for another push, and for a card with a token.
    public let channel: UInt64?

    /// Creates a request.
    public init(
        id: ID,
        tokenNumber: UInt32,
        kind: StoryLine.PushKind,
        priority: PushPriority,
        bytes: Int,
        alerts: Bool = false,
        content: ContentStamp,
        timestamp: Int64,
        sentAt: Instant,
        channel: UInt64? = nil
    ) {
        self.id = id
        self.tokenNumber = tokenNumber
        self.kind = kind
        self.priority = priority
        self.bytes = bytes
        self.alerts = alerts
        self.content = content
        self.timestamp = timestamp
        self.sentAt = sentAt
        self.channel = channel
    }
}

extension OutgoingRequest {
    /// `true` if it goes to a broadcast channel, whose number is the ride of its ID.
    public var isToChannel: Bool { id.ride & WorldEntity.channel != 0 }

    /// The properties of the request that APNs uses.
    ///
    /// - Parameter tokenDeadSince: When its token stopped working; `never` while it works.
    public func atAPNs(tokenDeadSince: Instant) -> APNsStation.Request {
        APNsStation.Request(
            ride: id.ride,
            drawIndex: id.drawIndex,
            tokenNumber: tokenNumber,
            tokenDeadSince: tokenDeadSince,
            priority: priority,
            bytes: bytes,
            isToChannel: isToChannel
        )
    }
}

/// An outgoing message of a cell, in the order of events.
public enum OutgoingNews: Hashable, Sendable {
    /// A request begins.
    case request(OutgoingRequest)
    /// The sender no longer waits for a request: it has timed out, or another push has taken its stream.
    case givenUp(OutgoingRequest.ID)
    /// The connection of a request is lost; the request counts as unprocessed.
    case disconnected(OutgoingRequest.ID)
    /// A token stops working at an instant; the first message about a token is final.
    case tokenDied(ride: UInt64, number: UInt32, since: Instant)
    /// The app's server has a message for a remote monitor.
    case server(ServerNews)
    /// A broadcast channel of a group changes, or its followers.
    case channel(ChannelNews)
}

/// An outgoing message about a broadcast channel, whose number is the ride of its requests.
public enum ChannelNews: Hashable, Sendable {
    /// The server creates a channel.
    case created(UInt64)
    /// Something else than the server will delete a channel at an instant.
    case vanishes(UInt64, at: Instant)
    /// The server needs a channel no longer, and deletes it.
    case closed(UInt64)
    /// The card of a ride's phone follows a channel from now on.
    case followed(UInt64, ride: UInt64)
    /// The card of a ride's phone is over.
    case left(UInt64, ride: UInt64)
}

/// An incoming message of a cell.
public enum IncomingNews: Hashable, Sendable {
    /// The sender receives the response to a request.
    case answered(OutgoingRequest.ID, RemoteResponse)
    /// A push reaches its phone.
    case arrived(OutgoingRequest.ID)
    /// A push that APNs accepted will never reach its phone.
    case lost(OutgoingRequest.ID)
    /// APNs rejected a request, whether or not the sender receives the response.
    case refused(OutgoingRequest.ID)
    /// A request will have no effect: APNs did not receive it, or rejected it.
    case void(OutgoingRequest.ID)
    /// APNs sends an accepted push of a channel on to the phones of rides.
    case sentOn(OutgoingRequest.ID, to: [UInt64])
    /// The copy of a channel's push reaches the phone of a ride.
    case copyArrived(OutgoingRequest.ID, ride: UInt64)
    /// The copy of a channel's push will never reach the phone of a ride.
    case copyLost(OutgoingRequest.ID, ride: UInt64)
    /// A push of a remote monitor reaches its phone.
    case pushed(PhonePush)

    /// The ride, or the channel, that it concerns; the cell is ``RideCells/cell(ofRide:)``.
    public var ride: UInt64 {
        switch self {
        case .answered(let id, _), .arrived(let id), .lost(let id), .refused(let id), .void(let id): id.ride
        case .sentOn(let id, _), .copyArrived(let id, _), .copyLost(let id, _): id.ride
        case .pushed(let push): push.ride
        }
    }
}

/// A response as the sender receives it.
public enum RemoteResponse: Hashable, Sendable {
    case accepted
    /// Rejected.
    case refused(APNsReason)
    /// No response: the connection is lost, and APNs may or may not have the request.
    case connectionLost
}
