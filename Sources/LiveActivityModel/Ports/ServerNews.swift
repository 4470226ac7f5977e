public import FreshnessCore
public import Quantities

/// A message of the app's server to a remote Freshness Monitor, sent at the instant at which the cell's own monitor
/// would be notified.
public struct ServerNews: Hashable, Sendable {
    /// The activity that a message concerns.
    ///
    /// To the monitor, an activity that is created again after a swipe is a new one: the first is over.
    public struct Instance: Hashable, Sendable {
        public let ride: UInt64
        /// The number of the activity within its ride, from 1.
        public let life: UInt8

        /// Creates an instance.
        public init(ride: UInt64, life: UInt8) {
            self.ride = ride
            self.life = life
        }
    }

    /// The content of a message.
    public enum Message: Hashable, Sendable {
        /// The server has received the phone's token.
        ///
        /// - `number`: The number of the token within the ride.
        /// - `shown`: The content that the activity started with; nil if it had a token before.
        case token(number: UInt32, shown: ContentStamp?)
        /// There is new content; `bytes` is the size of its whole payload, 0 if sizes are turned off, and `alerts` is true if
        /// its push carries an alert.
        case content(ContentStamp, priority: PushPriority, bytes: Int, alerts: Bool = false)
        /// The phone has reported that the activity is over; its token is no longer valid.
        case withdrawal
        case rideOver
    }

    /// The activity that it concerns.
    public let instance: Instance
    /// The content.
    public let message: Message
    /// When the server created it.
    public let at: Instant

    /// Creates a message.
    public init(instance: Instance, message: Message, at: Instant) {
        self.instance = instance
        self.message = message
        self.at = at
    }
}

/// A push of a remote monitor that reaches a phone.
public struct PhonePush: Hashable, Sendable {
    /// The ride that its token belongs to.
    public let ride: UInt64
    /// The number of the ride's token that it was sent to.
    public let tokenNumber: UInt32
    /// The event that it requests.
    public let event: PushEvent
    public let priority: PushPriority
    /// The generation and the stale date of its content by the payload; meaningless for an end.
    public let content: ContentStamp
    /// The payload's timestamp [µs since the start of the run].
    public let timestamp: Int64
    /// `true` if it carries an alert.
    public let alerts: Bool

    /// Creates a push.
    public init(
        ride: UInt64,
        tokenNumber: UInt32,
        event: PushEvent,
        priority: PushPriority,
        content: ContentStamp,
        timestamp: Int64,
        alerts: Bool = false
    ) {
        self.ride = ride
        self.tokenNumber = tokenNumber
        self.event = event
        self.priority = priority
        self.content = content
        self.timestamp = timestamp
        self.alerts = alerts
    }
}
