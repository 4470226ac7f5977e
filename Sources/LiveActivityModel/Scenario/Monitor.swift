public import FreshnessCore
public import Quantities

extension Scenario {
    /// The server's Freshness Monitor.
    public struct Monitor: Hashable, Sendable {
        /// `true` if there is a monitor.
        public var enabled = true
        /// The monitor's information about its pushes.
        public var feedback = Feedback.acceptance
        /// The time past its stale date for which content still counts as fresh, exclusive.
        public var freshLimit: TimeSpan = .minutes(2)
        /// The time from stale but recoverable to severely stale.
        public var recoveryWindow: TimeSpan = .minutes(5)
        /// The time between scans of all instances; nil if the monitor acts exactly at each deadline.
        public var scanInterval: TimeSpan?
        /// The time of the first scan.
        public var scanPhase: TimeSpan = .zero
        /// Attempts to recover an instance.
        public var retry = Retry()
        /// The times at which end events are sent, from the decision on, until one is known to have worked.
        public var endSchedule: [TimeSpan] = [.zero, .seconds(30), .minutes(2)]
        /// `true` if the end is sent again, to a new token that arrives after APNs has accepted the end.
        ///
        /// Such a token shows that the end did not reach the phone.
        public var endsAgainOnNewToken = true

        /// Creates the default monitor.
        public init() {}
    }

    /// The monitor's source of information.
    public enum Feedback: String, CaseIterable, Sendable {
        /// APNs' responses, as in reality: a push with a 200 counts as shown.
        case acceptance
        /// The actual content of the screens; for theory.
        case delivery
    }

    /// Attempts to recover an instance that is stale.
    public struct Retry: Hashable, Sendable {
        /// The maximum number of attempts in an episode, 0...1,000,000; nil for as many as fit into the recovery
        /// window.
        public var maxAttempts: Int? = 3
        /// The times of attempts, from the beginning of the episode; nil to use ``backoff``.
        public var schedule: [TimeSpan]?
        /// The intervals between the due times of successive attempts; the first is due at once.
        public var backoff = Backoff()
        /// The randomization of the intervals.
        public var jitter = Jitter.none
        /// The priority of each attempt; the last one applies to all further attempts.
        public var priorities: [PushPriority] = [.immediate]
        /// A limit for all retries of a cell; nil for none.
        public var budget: Budget?
        /// `true` if retries wait 15 minutes after a 429 or 5xx, as Apple's documentation recommends.
        public var obeysFifteenMinutes = false

        /// Creates the default retries.
        public init() {}
    }

    /// Exponential backoff: pauses of base, base·factor, base·factor², … up to the cap.
    public struct Backoff: Hashable, Sendable {
        /// The first pause.
        public var base: TimeSpan = .seconds(20)
        /// The ratio of each pause to the previous one, 1...100, in steps of 1/1000.
        public var factor = 2.0
        /// The longest pause.
        public var cap: TimeSpan = .minutes(2)

        /// Creates the default backoff.
        public init() {}
    }

    /// A token bucket for retries; see `RetryBudget`.
    public struct Budget: Hashable, Sendable {
        /// The number of retries that can be made at once, in steps of 1/1000.
        public var capacity = 100.0
        /// The refill over time, in retries per second, in steps of 1/1000.
        public var perSecond = 10.0
        /// The refill for each push other than a retry, in retries, in steps of 1/1000.
        public var perPush = 0.0
        /// The part that retries must leave, in retries, in steps of 1/1000.
        public var reserve = 0.0

        /// Creates the default budget.
        public init() {}
    }
}

/// The monitor's policies: the only conversion from settings to validated values, for every host of a monitor.
extension Scenario.Monitor {
    /// The thresholds, attempts and ends in the settings.
    ///
    /// - Throws: `PolicyError` for the first number out of range.
    public func policy() throws(PolicyError) -> FreshnessPolicy {
        try FreshnessPolicy(
            freshLimit: freshLimit,
            recoveryWindow: recoveryWindow,
            retry: retry.policy(),
            endSchedule: endSchedule
        )
    }

    /// The monitor's scans; nil if it acts at each deadline.
    ///
    /// - Throws: `PolicyError` for an interval or a phase out of range.
    public func scans() throws(PolicyError) -> ScanGrid? {
        guard let scanInterval else { return nil }
        return try ScanGrid(first: .start + scanPhase, interval: scanInterval)
    }

    /// The budget that its retries share, initially full; nil for no limit.
    ///
    /// - Throws: `PolicyError` for the first number out of range.
    public func budget() throws(PolicyError) -> RetryBudget? {
        guard let budget = retry.budget else { return nil }
        return try budget.budget()
    }
}

extension Scenario.Retry {
    /// The attempts in the settings.
    fileprivate func policy() throws(PolicyError) -> RetryPolicy {
        if let schedule {
            try RetryPolicy(
                schedule: schedule,
                maxAttempts: maxAttempts,
                jitter: jitter,
                priorities: priorities,
                obeysFifteenMinutes: obeysFifteenMinutes
            )
        } else {
            try RetryPolicy(
                maxAttempts: maxAttempts,
                base: backoff.base,
                factorThousandths: thousandths(backoff.factor),
                cap: backoff.cap,
                jitter: jitter,
                priorities: priorities,
                obeysFifteenMinutes: obeysFifteenMinutes
            )
        }
    }
}

extension Scenario.Budget {
    /// The full budget by the settings.
    ///
    /// - Throws: `PolicyError` for the first number out of range.
    public func budget() throws(PolicyError) -> RetryBudget {
        try RetryBudget(
            capacityThousandths: thousandths(capacity),
            thousandthsPerSecond: thousandths(perSecond),
            thousandthsPerPush: thousandths(perPush),
            reserveThousandths: thousandths(reserve)
        )
    }
}

/// A number that a scenario stores in steps of 1/1000, as a whole number of steps.
func thousandths(_ number: Double) -> Int {
    Int((number * 1000).rounded())
}
