public import FreshnessCore
public import Quantities
public import RandomStreams

extension Scenario {
    /// Apple's push service.
    public struct APNs: Hashable, Sendable {
        /// From the start of a request to the arrival on a connected phone.
        public var latency: Distribution = .constant(0)
        /// Accepted pushes that never arrive.
        public var loss = Probability.never
        /// Pushes refused for a reason that no state of the model explains.
        public var reasons: [ReasonShare] = []
        /// From the death of a token to APNs' first 410 for it; until then pushes are accepted and dropped.
        public var expiredTokenLag: Distribution = .constant(0)
        /// How long APNs keeps a push for a phone without connection: the `apns-expiration` header, from the request.
        ///
        /// Zero: not at all.
        public var expiration: TimeSpan = .minutes(3)
        /// The same for end events, which lose nothing by coming late.
        public var endExpiration: TimeSpan = .hours(4)
        /// How many pushes APNs keeps for a phone without connection.
        ///
        /// Apple says one per bundle id.
        public var storage = PushStorage.one
        /// Whether a later push may overtake an earlier one.
        public var reorder = true
        /// What becomes of the first pushes of each activity, in order; for golden traces.
        ///
        /// Later ones are lost.
        public var script: [ScriptedOutcome]?

        /// An APNs that delivers at once.
        public init() {}
    }

    /// How often APNs refuses pushes for a reason.
    public struct ReasonShare: Hashable, Sendable {
        /// The reason.
        public var reason: APNsReason
        /// The share of requests.
        public var share: Probability

        /// A reason with its share.
        public init(reason: APNsReason, share: Probability) {
            self.reason = reason
            self.share = share
        }
    }

    /// What APNs keeps for a phone without connection.
    public enum PushStorage: String, CaseIterable, Sendable {
        /// Nothing.
        case none
        /// The newest push.
        case one
        /// Every push.
        case all
    }

    /// A scripted fate of one push.
    public enum ScriptedOutcome: Hashable, Sendable {
        /// Delivered after a latency.
        case delivered(after: TimeSpan)
        /// Never heard of again.
        case lost
        /// The token turns out to be dead after a latency.
        case tokenDead(after: TimeSpan)
    }
}
