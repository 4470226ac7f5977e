public import FreshnessCore
public import Quantities

/// Load for an APNs endpoint: which pushes are sent when, whatever becomes of them.
public struct PushLoad: Hashable, Sendable {
    /// When pushes are sent.
    public enum Arrivals: Hashable, Sendable {
        /// Each when it is due, whether those before it are answered or not.
        case open(RatePlan, ArrivalProcess = .even)
        /// A next one whenever one is answered, so that always as many are under way; measures the most that can be done.
        case closed(concurrency: Int, duration: TimeSpan)
    }

    /// When pushes are sent.
    public var arrivals: Arrivals
    /// What is sent in this time at the beginning is not measured.
    public var warmUp: TimeSpan
    /// How many device tokens take turns.
    public var tokens: Int
    /// `apns-topic`.
    public var topic: String
    /// `apns-priority`.
    public var priority: Int
    /// What is sent.
    public var payload: PayloadTemplate
    /// When a push that is refused, or whose fate is unknown, is sent again; nil: never.
    public var retries: RetryPolicy?
    /// What limits the retries of all lanes together; nil: nothing does.
    public var retryBudget: RetryBudget?
    /// Names the world of random numbers: the spread of pauses between attempts, the gaps of a Poisson process.
    public var seed: UInt64

    /// A load.
    public init(
        arrivals: Arrivals,
        warmUp: TimeSpan = .zero,
        tokens: Int = 100_000,
        topic: String = "com.example.rider.push-type.liveactivity",
        priority: Int = 10,
        payload: PayloadTemplate = .update(byteCount: 500),
        retries: RetryPolicy? = nil,
        retryBudget: RetryBudget? = nil,
        seed: UInt64 = 1
    ) {
        self.arrivals = arrivals
        self.warmUp = warmUp
        self.tokens = tokens
        self.topic = topic
        self.priority = priority
        self.payload = payload
        self.retries = retries
        self.retryBudget = retryBudget
        self.seed = seed
    }

    /// How long new pushes come.
    public var duration: TimeSpan {
        switch arrivals {
        case .open(let plan, _): plan.duration
        case .closed(_, let duration): duration
        }
    }
}
