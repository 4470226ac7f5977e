public import LiveActivityModel
public import Quantities

/// What came of a check after a run.
public struct CheckOutcome: Hashable, Sendable {
    /// The check.
    public let check: Check
    /// The limit in the unit of the response.
    public let limit: Double
    /// The unit of the response: `count`, `us`, `1` for a pure number.
    public let unit: String
    /// Whether the response is a part of a whole.
    public let isShare: Bool
    /// The response's value; nil when it is undefined, as a share of nothing is.
    public let value: SummaryRow.Value?
    /// The bounds of the value's 95 % confidence interval; nil where there is none.
    public let interval: ClosedRange<Double>?
    /// How many parts of the run the interval rests on; 1 when there is none.
    public let n: Int

    /// Whether a check holds.
    public enum Verdict: String, Hashable, Sendable {
        /// The value compares as it must.
        case holds
        /// It does not.
        case fails
        /// There is no value, so nothing holds.
        case undefined
    }

    /// The verdict, by the value alone, as the check is written.
    public var verdict: Verdict {
        guard let value else { return .undefined }
        return check.comparison.relation.holds(value.double, limit) ? .holds : .fails
    }

    /// The end of the interval at which the verdict would be another; nil when chance within it cannot change the verdict.
    ///
    /// The low end if both are.
    public var doubtfulEnd: Double? {
        guard let interval, verdict != .undefined else { return nil }
        let relation = check.comparison.relation
        return [interval.lowerBound, interval.upperBound].first { relation.holds($0, limit) != (verdict == .holds) }
    }
}

extension CheckOutcome {
    /// The parts of a run that must be measured by themselves for checks to be judged, each once, in the order of checks.
    ///
    /// - Throws: When the scenario does not have what a check names.
    public static func stretches(of checks: [Check], in scenario: Scenario) throws(ResponseError) -> [Range<TimeSpan>] {
        guard !checks.isEmpty else { return [] }
        let catalog = MetricCatalog(of: scenario)
        var stretches: [Range<TimeSpan>] = []
        for check in checks {
            let stretch = try check.comparison.resolve(in: scenario, by: catalog).response.stretch
            if let stretch, !stretches.contains(stretch) { stretches.append(stretch) }
        }
        return stretches
    }

    /// Judges a run by the checks of its scenario.
    ///
    /// - Precondition: The run has measured ``stretches(of:in:)``.
    /// - Returns: An outcome for each check, in their order.
    /// - Throws: When the scenario of the run does not have what a check names.
    public static func outcomes(of checks: [Check], in result: RunResult) throws(ResponseError) -> [CheckOutcome] {
        guard !checks.isEmpty else { return [] }
        return try outcomes(of: checks, in: result, by: MetricCatalog(of: result.scenario))
    }

    /// Judges a run by the checks of its scenario.
    ///
    /// - Parameter catalog: The scenario's metrics.
    static func outcomes(
        of checks: [Check],
        in result: RunResult,
        by catalog: MetricCatalog
    ) throws(ResponseError) -> [CheckOutcome] {
        var outcomes: [CheckOutcome] = []
        for check in checks {
            let resolved = try check.comparison.resolve(in: result.scenario, by: catalog)
            let row = resolved.response.row(in: result)
            outcomes.append(
                CheckOutcome(
                    check: check,
                    limit: resolved.limit,
                    unit: resolved.response.unit,
                    isShare: resolved.response.isShare,
                    value: row?.value,
                    interval: row?.interval,
                    n: row?.n ?? 1
                )
            )
        }
        return outcomes
    }
}
