public import FreshnessCore
public import Quantities
public import SimulationKernel

extension Scenario {
    /// Apple's push service.
    public struct APNs: Hashable, Sendable {
        /// The time to a phone that is online, from the origin in ``latencyFrom``.
        public var latency: Distribution = .constant(0)
        /// The origin of the latency.
        public var latencyFrom = LatencyOrigin.request
        /// Accepted pushes that are never delivered.
        public var loss = Probability.never
        /// Accepted pushes of priority 5 that are never delivered; nil takes ``loss``.
        public var considerateLoss: Probability?
        /// APNs as a queue; nil means unlimited capacity.
        public var capacity: Capacity?
        /// Pushes that APNs rejects for a reason that no state of the model explains.
        public var reasons: [ReasonShare] = []
        /// The time from the death of a token to APNs' first 410 for it; until then pushes are accepted and dropped.
        public var expiredTokenLag: Distribution = .constant(0)
        /// How long APNs stores a push for an offline phone: the `apns-expiration` header, from the request.
        ///
        /// Zero means not at all.
        public var expiration: TimeSpan = .minutes(3)
        /// How long APNs stores an end event, which is as useful later.
        public var endExpiration: TimeSpan = .hours(4)
        /// The number of pushes that APNs stores for an offline phone.
        ///
        /// According to Apple, one per bundle ID.
        public var storage = PushStorage.one
        /// `true` if a later push may overtake an earlier one.
        public var reorder = true
        /// The outcomes of the first requests of each activity in sending order; for golden traces.
        ///
        /// Later requests are lost. The other settings of this section then only affect pushes that reach the phone.
        public var script: [ScriptedOutcome]?

        /// Creates an APNs that delivers immediately.
        public init() {}
    }

    /// The origin of a push's latency.
    public enum LatencyOrigin: String, CaseIterable, Sendable {
        /// The request, or the end of its service if APNs has a queue, regardless of the response.
        case request
        /// The response: a push is delivered only if the sender received its acceptance.
        case response
    }

    /// The share of APNs that serves one cell, as a queue with servers.
    ///
    /// A request waits for a server and is served; then its response takes ``Sender/requestTime``. A service that has
    /// begun is completed. APNs does not know when a sender has given up, so it serves such requests as well, while
    /// those of a lost connection leave the queue. Rejections need no service.
    public struct Capacity: Hashable, Sendable {
        /// The number of requests served at a time.
        public var servers = 1
        /// The service time of a request at full speed.
        public var serviceTime: Distribution = .constant(0)
        /// The order of service.
        public var order = QueueOrder.fifo
        /// `true` if a request older than ``Sender/timeout`` is discarded at no cost when its turn comes.
        public var dropExpired = false

        /// Creates a single server whose service takes no time.
        public init() {}
    }

    /// The order of service of a queue.
    public enum QueueOrder: String, CaseIterable, Sendable {
        /// The oldest request first.
        case fifo
        /// The newest request first.
        case lifo
    }

    /// The share of pushes that APNs rejects for a reason.
    public struct ReasonShare: Hashable, Sendable {
        public var reason: APNsReason
        /// The share of requests.
        public var share: Probability

        /// Creates a reason with its share.
        public init(reason: APNsReason, share: Probability) {
            self.reason = reason
            self.share = share
        }
    }

    /// The pushes that APNs stores for an offline phone.
    public enum PushStorage: String, CaseIterable, Sendable {
        /// Nothing.
        case none
        /// The newest push for each activity.
        case one
        /// The newest push for each phone, whichever of its activities it is for.
        case onePerPhone = "one_per_phone"
        /// Every push.
        case all
    }

    /// A scripted outcome of a push.
    public enum ScriptedOutcome: Hashable, Sendable {
        /// Delivered after a latency.
        case delivered(after: TimeSpan)
        /// Accepted, but never delivered.
        case lost
        /// The token turns out to be dead after a latency.
        case tokenDead(after: TimeSpan)
    }
}
