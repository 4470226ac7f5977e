public import FreshnessCore
public import Quantities
public import SimulationKernel

extension Scenario {
    /// Apple's push service.
    public struct APNs: Hashable, Sendable {
        /// The way to a connected phone, from where ``latencyFrom`` says.
        public var latency: Distribution = .constant(0)
        /// From where the latency counts.
        public var latencyFrom = LatencyOrigin.request
        /// Accepted pushes that never arrive.
        public var loss = Probability.never
        /// The same for pushes of priority 5; nil: as ``loss``.
        public var considerateLoss: Probability?
        /// APNs as a queue of its own; nil: it has room for every request at once.
        public var capacity: Capacity?
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
        /// What becomes of the first requests of each activity, in the order of sending; for golden traces.
        ///
        /// Later ones are lost. Nothing else in this section counts then but what becomes of a push at the phone.
        public var script: [ScriptedOutcome]?

        /// An APNs that delivers at once.
        public init() {}
    }

    /// From where the latency of a push counts.
    public enum LatencyOrigin: String, CaseIterable, Sendable {
        /// From the request, or from the end of its service where APNs has a queue, whatever the sender hears.
        case request
        /// From the response: a push whose acceptance the sender did not hear is not delivered.
        case response
    }

    /// The share of APNs that serves one cell, as a queue with servers.
    ///
    /// A request waits for a server, is served, and then its response travels for ``Sender/requestTime``. What has begun is
    /// finished. APNs does not know when a sender has given up, so it serves such requests too; those of a lost connection
    /// leave the queue. Refusals need no service.
    public struct Capacity: Hashable, Sendable {
        /// How many requests are served at a time.
        public var servers = 1
        /// The service of one request at full speed.
        public var serviceTime: Distribution = .constant(0)
        /// Which request is served next.
        public var order = QueueOrder.fifo
        /// Whether a request that is older than ``Sender/timeout`` when its turn comes is discarded, at no cost.
        public var dropExpired = false

        /// One server that takes no time.
        public init() {}
    }

    /// Which request of a queue is served next.
    public enum QueueOrder: String, CaseIterable, Sendable {
        /// The oldest.
        case fifo
        /// The newest.
        case lifo
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
