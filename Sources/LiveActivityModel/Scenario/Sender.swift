public import FreshnessCore
public import Quantities
public import SimulationKernel

extension Scenario {
    /// The server's connections to APNs and the queue in front of them, per cell.
    public struct Sender: Hashable, Sendable {
        /// Connections.
        public var connections = 1
        /// Requests that one connection carries at a time (HTTP/2 streams); APNs allows about 1,000.
        public var streams = 1000
        /// From the start of a request to its response.
        public var requestTime: Distribution = .constant(0)
        /// A request without response is given up after this time.
        public var timeout: TimeSpan = .seconds(10)
        /// Requests in all for one push when a request times out or its connection is lost, 1...31.
        public var attempts = 1
        /// What limits repeated requests; nil: nothing but ``attempts``.
        public var retryBudget: Budget?
        /// From a lost connection to its successor.
        public var reconnectAfter: TimeSpan = .seconds(1)
        /// How many pushes may wait; nil: any number.
        public var queueLimit: Int?
        /// Which push goes when one too many comes.
        public var overflow = Overflow.dropNewest
        /// After what time a push that found no place is offered again, as often as it takes; nil: it is dropped.
        public var requeueAfter: Distribution?
        /// How long a push waits, from when it was first offered, until it is dropped; nil: without limit.
        ///
        /// At the very instant: a request that can begin then still begins.
        public var patience: Distribution?
        /// Whether a new update takes the place of one of the same activity that still waits.
        public var coalesce = false
        /// Who goes first in the queue.
        public var ranks = Ranks()
        /// Whether a new push may take the stream of a request under way.
        public var preempt = Preemption.none
        /// Updates of one activity closer together than this are dropped by the sender itself.
        public var minimumInterval: TimeSpan = .zero
        /// A limit for the rate of requests, in front of the streams; nil: none.
        public var rateLimit: RateLimit?

        /// A sender that is never the bottleneck.
        public init() {}
    }

    /// The ranks of pushes in the sender's queue, 0...7; lower goes first, first in first out within a rank.
    public struct Ranks: Hashable, Sendable {
        /// Push-to-start.
        public var start = 0
        /// Ends of activities.
        public var end = 0
        /// The monitor's retries.
        public var retry = 0
        /// Regular content, unless the ride's stage says otherwise.
        public var update = 1

        /// Updates go last.
        public init() {}

        /// The rank of a kind of push; of an update in a stage that has none of its own.
        public func rank(of kind: StoryLine.PushKind) -> Int {
            switch kind {
            case .start: start
            case .end: end
            case .retry: retry
            case .update: update
            }
        }
    }

    /// Which push goes when the queue is full.
    public enum Overflow: String, CaseIterable, Sendable {
        /// The one that comes.
        case dropNewest = "drop_newest"
        /// The one of the worst rank that has waited longest; the one that comes, if its rank is worse still.
        case dropOldest = "drop_oldest"
    }

    /// What a new push does to requests under way when no stream is free.
    public enum Preemption: String, CaseIterable, BitwiseCopyable, Sendable {
        /// Nothing: it waits.
        case none
        /// New content, or an end, cancels the oldest content request of its own activity and takes over its stream.
        case replace
        /// It interrupts the request of the worst rank, the newest of them, if its own rank is better.
        ///
        /// The interrupted request goes to the head of its rank and later needs only the rest of its time.
        case resume
    }

    /// A token bucket in front of the streams, of one token for each request.
    public struct RateLimit: Hashable, Sendable {
        /// Requests per second in the long run, above 0, in steps of 1/1000.
        public var perSecond = 100.0
        /// The most tokens that the bucket holds, at least 1, in steps of 1/1000; it starts full.
        public var burst = 100.0
        /// How tokens come.
        public var refill = TokenBucket.Refill.continuous
        /// What becomes of a push that finds no token.
        public var excess = Excess.wait

        /// Default limit.
        public init() {}
    }

    /// What becomes of pushes above a rate limit.
    public enum Excess: String, CaseIterable, Sendable {
        /// Dropped (policing). The token is taken as the push is admitted.
        case drop
        /// They wait in the queue (shaping). The token is taken as the request begins.
        case wait
    }

    /// The ranks that pushes of this scenario can have, ascending.
    public var senderRanks: [Int] {
        let ranks = sender.ranks
        let stages = rides.stages.map { $0.rank ?? ranks.update }
        let occurring = [ranks.start, ranks.end, ranks.retry] + stages
        return (0..<8).filter(occurring.contains)
    }
}
