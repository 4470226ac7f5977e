public import FreshnessCore
import Quantities

/// What a monitor works by: the one way from settings to values that are checked, for every host of a monitor.
extension Scenario.Monitor {
    /// The thresholds, attempts and ends that these settings describe.
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

    /// When the monitor scans; nil where it acts at each deadline.
    ///
    /// - Throws: `PolicyError` for an interval or a phase out of range.
    public func scans() throws(PolicyError) -> ScanGrid? {
        guard let scanInterval else { return nil }
        return try ScanGrid(first: .start + scanPhase, interval: scanInterval)
    }

    /// The budget that its retries share, full; nil for no limit.
    ///
    /// - Throws: `PolicyError` for the first number out of range.
    public func budget() throws(PolicyError) -> RetryBudget? {
        guard let budget = retry.budget else { return nil }
        return try budget.budget()
    }
}

extension Scenario.Retry {
    /// The attempts that these settings describe.
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
    /// The full budget that these settings describe.
    func budget() throws(PolicyError) -> RetryBudget {
        try RetryBudget(
            capacityThousandths: thousandths(capacity),
            thousandthsPerSecond: thousandths(perSecond),
            thousandthsPerPush: thousandths(perPush),
            reserveThousandths: thousandths(reserve)
        )
    }
}

/// A number that a scenario keeps in steps of 1/1000.
func thousandths(_ number: Double) -> Int {
    Int((number * 1000).rounded())
}
