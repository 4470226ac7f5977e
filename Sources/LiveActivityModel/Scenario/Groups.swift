public import Quantities
public import SimulationKernel

extension Scenario {
    /// Groups of phones that follow one content: a match, or a delivery that two people watch.
    ///
    /// Each request of ``Rides/arrivals`` then begins a group instead of a ride. Each member is a ride with a phone of its own;
    /// all members have the stages, the refreshes and the contents of their group.
    public struct Groups: Hashable, Sendable {
        /// The number of members of a group; rounded down, at least 1 and at most ``mostMembers``.
        public var size: Distribution = .constant(2)
        /// The time from the group's request to the request of a member; the first member joins at once.
        ///
        /// A member whose time comes after the end of the group's ride does not join.
        public var joins: Distribution = .constant(0)
        /// How the server reaches the members.
        public var by = FanOut.tokens
        /// The channels of groups; only used if ``by`` is `channel`.
        public var channel = Channel()

        /// Creates groups of two.
        public init() {}

        /// The largest number of members of a group.
        public static let mostMembers = 10_000_000
    }

    /// How a server reaches the members of a group.
    public enum FanOut: String, CaseIterable, Sendable {
        /// A push for each member, to the update token of its card.
        case tokens
        /// One push to the group's broadcast channel, which APNs sends on to the phones whose card follows the channel.
        case channel
    }

    /// Broadcast channels of APNs.
    ///
    /// Source: Apple, "Setting up broadcast push notifications" and "Sending channel management requests to APNs".
    public struct Channel: Hashable, Sendable {
        /// The pushes that APNs stores for phones that are offline.
        public var storage = ChannelStorage.mostRecent
        /// The number of channels that the app can have at once; each cell has its part of them.
        public var most = 10_000
        /// The pushes of priority 10 per window that a phone shows of a channel; nil takes ``Devices/budget``.
        public var budget: Int?
        /// `true` if a later push may overtake an earlier one on its way to a phone.
        public var reorder = true
        /// The channels that are deleted while phones follow them.
        public var deleted = Probability.never
        /// The time from the creation of a deleted channel to its deletion.
        public var deletedAfter: Distribution = .constant(600e6)

        /// Creates channels that store the newest push.
        public init() {}

        /// The size of a payload above which APNs rejects a push to a channel [bytes].
        public static let payloadLimit = 5120
        /// The longest time for which APNs stores a push of a channel.
        public static let longestStorage = TimeSpan.hours(8)
    }

    /// The storage policy of a channel, which cannot change.
    public enum ChannelStorage: String, CaseIterable, Sendable {
        /// Phones that are offline miss a push.
        case none
        /// The newest push waits for phones that are offline, for at most eight hours.
        case mostRecent = "most_recent"
    }
}

extension Scenario {
    /// `true` if the server reaches groups by channels.
    public var hasChannels: Bool { groups?.by == .channel }
}
