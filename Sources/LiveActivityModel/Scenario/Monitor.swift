public import FreshnessCore
public import Quantities

extension Scenario {
    /// The server's Freshness Monitor.
    public struct Monitor: Hashable, Sendable {
        /// Whether there is one at all.
        public var enabled = true
        /// What the monitor learns about its pushes.
        public var feedback = Feedback.acceptance
        /// How far past its stale date content still counts as fresh; the boundary instant does not.
        public var freshLimit: TimeSpan = .minutes(2)
        /// From stale but recoverable to severely stale.
        public var recoveryWindow: TimeSpan = .minutes(5)
        /// Time between scans of all instances; nil: the monitor acts at the very instant.
        public var scanInterval: TimeSpan?
        /// The first scan.
        public var scanPhase: TimeSpan = .zero
        /// Attempts to recover an instance.
        public var retry = Retry()
        /// When end events are sent, counted from the decision, until one is known to have worked.
        public var endSchedule: [TimeSpan] = [.zero, .seconds(30), .minutes(2)]
        /// Whether a token that comes after an end that APNs accepted has the end sent again, to that token.
        ///
        /// Such a token shows that the end did not reach the phone.
        public var endsAgainOnNewToken = true

        /// The default monitor.
        public init() {}
    }

    /// What the monitor learns.
    public enum Feedback: String, CaseIterable, Sendable {
        /// APNs' responses, as in reality: a 200 counts as shown.
        case acceptance
        /// What the phones really show; for theory.
        case delivery
    }

    /// Attempts to recover an instance that is stale.
    public struct Retry: Hashable, Sendable {
        /// Attempts in one episode, 0...1,000,000; nil: as many as the recovery window takes.
        public var maxAttempts: Int? = 3
        /// When attempts are made, counted from the beginning of the episode; nil: by ``backoff``.
        public var schedule: [TimeSpan]?
        /// Pauses from when an attempt is due to when the next one is; the first attempt is due at once.
        public var backoff = Backoff()
        /// How pauses are spread.
        public var jitter = Jitter.none
        /// The priority of each attempt; the last one holds for the rest.
        public var priorities: [PushPriority] = [.immediate]
        /// A limit for the retries of a cell as a whole; nil: none.
        public var budget: Budget?
        /// Whether retries wait 15 minutes after a 429 or 5xx, as Apple's page asks.
        public var obeysFifteenMinutes = false

        /// Default retries.
        public init() {}
    }

    /// Exponential backoff: pauses of base, base·factor, base·factor², … up to the cap.
    public struct Backoff: Hashable, Sendable {
        /// The first pause.
        public var base: TimeSpan = .seconds(20)
        /// What each pause is multiplied with to get the next, 1...100, in steps of 1/1000.
        public var factor = 2.0
        /// The longest pause.
        public var cap: TimeSpan = .minutes(2)

        /// Default backoff.
        public init() {}
    }

    /// A token bucket for retries; see `RetryBudget`.
    public struct Budget: Hashable, Sendable {
        /// Retries that may be made at once, in steps of 1/1000.
        public var capacity = 100.0
        /// What comes in with time, in retries per second, in steps of 1/1000.
        public var perSecond = 10.0
        /// What comes in with each push that is no retry, in retries, in steps of 1/1000.
        public var perPush = 0.0
        /// What no retry may use up, in retries, in steps of 1/1000.
        public var reserve = 0.0

        /// Default budget.
        public init() {}
    }
}
