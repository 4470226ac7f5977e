public import FreshnessCore
public import Quantities

/// What the app's server tells a remote Freshness Monitor, at the instants at which the cell's own would know.
public struct ServerNews: Hashable, Sendable {
    /// Whom it is about.
    ///
    /// An activity that is made again after a swipe is another one to the monitor: its first one is over.
    public struct Instance: Hashable, Sendable {
        /// The ride.
        public let ride: UInt64
        /// Which of the ride's activities, from 1.
        public let life: UInt8

        /// An instance.
        public init(ride: UInt64, life: UInt8) {
            self.ride = ride
            self.life = life
        }
    }

    /// What is to be told.
    public enum Message: Hashable, Sendable {
        /// The phone's token has come in.
        ///
        /// - `number`: Which of the ride's tokens.
        /// - `shown`: What the activity began with; nil where it had a token before.
        case token(number: UInt32, shown: ContentStamp?)
        /// There is new content; `bytes` is the size of its whole payload, 0 where sizes are turned off.
        case content(ContentStamp, priority: PushPriority, bytes: Int)
        /// The phone has reported that the activity is over: its token is of no use any more.
        case withdrawal
        /// The ride is over.
        case rideOver
    }

    /// Whom it is about.
    public let instance: Instance
    /// What is to be told.
    public let message: Message
    /// When there was reason to tell it.
    public let at: Instant

    /// A piece of news.
    public init(instance: Instance, message: Message, at: Instant) {
        self.instance = instance
        self.message = message
        self.at = at
    }
}

/// A push of a remote monitor, as it reaches a phone.
public struct PhonePush: Hashable, Sendable {
    /// The ride, as its token says.
    public let ride: UInt64
    /// Which of the ride's tokens it was sent to.
    public let tokenNumber: UInt32
    /// What it asks for.
    public let event: PushEvent
    /// How urgent it was.
    public let priority: PushPriority
    /// When its content was generated, and until when it is good by the payload; of no meaning for an end.
    public let content: ContentStamp
    /// The payload's timestamp [µs since the start of the run].
    public let timestamp: Int64

    /// A push.
    public init(
        ride: UInt64,
        tokenNumber: UInt32,
        event: PushEvent,
        priority: PushPriority,
        content: ContentStamp,
        timestamp: Int64
    ) {
        self.ride = ride
        self.tokenNumber = tokenNumber
        self.event = event
        self.priority = priority
        self.content = content
        self.timestamp = timestamp
    }
}
