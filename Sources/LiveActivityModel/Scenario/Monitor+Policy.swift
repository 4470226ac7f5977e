public import FreshnessCore
import Quantities

/// The monitor's policies: the only conversion from settings to validated values, for every host of a monitor.
extension Scenario.Monitor {
    /// The thresholds, attempts and ends of these settings.
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
    /// The attempts of these settings.
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
    /// The full budget of these settings.
    func budget() throws(PolicyError) -> RetryBudget {
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
