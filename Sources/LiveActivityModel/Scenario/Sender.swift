public import FreshnessCore
public import Quantities
public import SimulationKernel

extension Scenario {
    /// The server's connections to APNs and the queue in front of them, per cell.
    public struct Sender: Hashable, Sendable {
        /// The number of connections.
        public var connections = 1
        /// The maximum number of requests in flight on one connection (HTTP/2 streams); APNs allows about 1,000.
        public var streams = 1000
        /// The time from the start of a request to its response.
        public var requestTime: Distribution = .constant(0)
        /// The time after which the sender gives up on a request without a response.
        public var timeout: TimeSpan = .seconds(10)
        /// The maximum number of requests for one push if they time out or their connection is lost, 1...31.
        public var attempts = 1
        /// The limit for retried requests; nil if only ``attempts`` applies.
        public var retryBudget: Budget?
        /// The time from the loss of a connection to its replacement.
        public var reconnectAfter: TimeSpan = .seconds(1)
        /// The maximum number of waiting pushes; nil for no limit.
        public var queueLimit: Int?
        /// The push that is dropped when the queue is full.
        public var overflow = Overflow.dropNewest
        /// The time after which a push that found the queue full is offered again, repeatedly; nil to drop it.
        public var requeueAfter: Distribution?
        /// The time from its first offer for which a push may wait before it is dropped; nil for no limit.
        ///
        /// A request that can begin at exactly that instant still begins.
        public var patience: Distribution?
        /// `true` if a new update replaces a waiting one of the same activity.
        public var coalesce = false
        /// The order of pushes in the queue.
        public var ranks = Ranks()
        /// The effect of a new push on requests in flight when no stream is free.
        public var preempt = Preemption.none
        /// The minimum time between updates of one activity; the sender drops a refresh that comes sooner, and delays a
        /// stage change.
        public var minimumInterval: TimeSpan = .zero
        /// A limit for the rate of requests, ahead of the streams; nil for none.
        public var rateLimit: RateLimit?

        /// Creates a sender that is never the bottleneck.
        public init() {}
    }

    /// The ranks of pushes in the sender's queue, 0...7; lower ranks first, first in, first out within a rank.
    public struct Ranks: Hashable, Sendable {
        /// Push-to-start.
        public var start = 0
        /// Ends of activities.
        public var end = 0
        /// The monitor's retries.
        public var retry = 0
        /// Regular content, unless the ride's stage has a rank.
        public var update = 1

        /// Creates the default ranks, in which updates go last.
        public init() {}

        /// The rank of a kind of push; of an update in a stage without a rank.
        public func rank(of kind: StoryLine.PushKind) -> Int {
            switch kind {
            case .start: start
            case .end: end
            case .retry: retry
            case .update: update
            }
        }
    }

    /// The push that is dropped when the queue is full.
    public enum Overflow: String, CaseIterable, Sendable {
        /// The new push.
        case dropNewest = "drop_newest"
        /// The oldest push of the worst rank; the new push if its rank is even worse.
        case dropOldest = "drop_oldest"
    }

    /// The effect of a new push on requests in flight when no stream is free.
    public enum Preemption: String, CaseIterable, BitwiseCopyable, Sendable {
        /// None: the new push waits.
        case none
        /// New content, or an end, cancels the oldest content request of its activity and takes its stream.
        case replace
        /// The new push interrupts the newest request of the worst rank, if its own rank is better.
        ///
        /// The interrupted request goes to the head of its rank and later needs only its remaining time.
        case resume
    }

    /// A token bucket ahead of the streams, with one token per request.
    public struct RateLimit: Hashable, Sendable {
        /// The long-term rate of requests per second, above 0, in steps of 1/1000.
        public var perSecond = 100.0
        /// The maximum number of tokens in the bucket, at least 1, in steps of 1/1000; it starts full.
        public var burst = 100.0
        /// The refill of tokens.
        public var refill = TokenBucket.Refill.continuous
        /// The handling of a push that finds no token.
        public var excess = Excess.wait

        /// Creates the default limit.
        public init() {}
    }

    /// The handling of pushes above a rate limit.
    public enum Excess: String, CaseIterable, Sendable {
        /// Pushes are dropped (policing).
        ///
        /// The token is taken when the push is admitted.
        case drop
        /// Pushes wait in the queue (shaping).
        ///
        /// The token is taken when the request begins.
        case wait
    }

    /// The ranks that pushes of this scenario can have, in ascending order.
    public var senderRanks: [Int] {
        let ranks = sender.ranks
        let stages = rides.stages.map { $0.rank ?? ranks.update }
        let occurring = [ranks.start, ranks.end, ranks.retry] + stages
        return (0..<8).filter(occurring.contains)
    }
}
