public import FreshnessCore

/// What a monitor outside of a simulation takes from a scenario.
extension World {
    /// The thresholds and attempts of the scenario's monitor.
    public var monitorPolicy: FreshnessPolicy { policy }
    /// The budget that its retries share; full.
    public var monitorBudget: RetryBudget? { budget }
}
