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
    /// The response's value; nil if it is undefined, as a share of nothing is, and if it was not measured.
    public let value: SummaryRow.Value?
    /// The bounds of the value's confidence interval, of the level that the check asks for, else 95 %; nil where there is none.
    public let interval: ClosedRange<Double>?
    /// How many parts of the run the interval rests on; 1 when there is none.
    public let n: Int
    /// How many replications the run has.
    public var replications = 1
    /// `true` if the value is a sum over the replications.
    public var isSum = false
    /// The unmet requirement that kept the run from measuring the response; nil if it was measured.
    public var unmet: Requirement.Unmet?

    /// Whether a check holds.
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        case holds
        case fails
        /// There is no value, so nothing holds.
        case undefined
        /// The value compares as it must; the interval that was asked for does not, or there is none.
        case notSure = "not_sure"
        /// The run cannot show the response, so the check neither holds nor fails.
        case notMeasured = "not_measured"
    }

    /// The verdict: by the value alone, or where the check asks for a confidence by the interval too.
    public var verdict: Verdict {
        guard unmet == nil else { return .notMeasured }
        guard let value else { return .undefined }
        let relation = check.comparison.relation
        guard relation.holds(value.double, limit) else { return .fails }
        guard check.comparison.confidence != nil else { return .holds }
        guard let interval, relation.holds(interval.lowerBound, limit), relation.holds(interval.upperBound, limit)
        else {
            return .notSure
        }
        return .holds
    }

    /// About how many replications may tell, where the ones at hand do not; nil where nothing can be said.
    ///
    /// The width of an interval falls with the square root of their number. It is twice the estimate, and five at least: a
    /// run that cannot tell a value can only guess how many more would.
    public var neededReplications: Int? {
        // Counts add up over replications, and so does what they may be off by.
        guard verdict == .notSure, !isSum, let value = value?.double, let interval, value != limit else {
            return nil
        }
        let end = value > limit ? interval.lowerBound : interval.upperBound
        let ratio = (end - value) / (limit - value)
        let needed = (2 * Double(replications) * ratio * ratio).rounded(.up)
        return needed <= 1e6 ? max(5, replications + 1, Int(needed)) : nil
    }

    /// The end of the interval at which the verdict would be another; nil when chance within it cannot change the verdict.
    ///
    /// The low end if both are.
    public var doubtfulEnd: Double? {
        guard let interval, let value = value?.double else { return nil }
        let relation = check.comparison.relation
        let holds = relation.holds(value, limit)
        return [interval.lowerBound, interval.upperBound].first { relation.holds($0, limit) != holds }
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
        try outcomes(of: checks, in: result, by: nil)
    }

    /// The same of a scenario whose metrics are at hand.
    static func outcomes(
        of checks: [Check],
        in result: RunResult,
        by catalog: MetricCatalog?
    ) throws(ResponseError) -> [CheckOutcome] {
        guard !checks.isEmpty else { return [] }
        let catalog = catalog ?? MetricCatalog(of: result.scenario)
        var outcomes: [CheckOutcome] = []
        for check in checks {
            let resolved = try check.comparison.resolve(in: result.scenario, by: catalog)
            let row = resolved.response.measured(
                resolved.response.row(in: result, level: check.comparison.confidence),
                in: result.scenario
            )
            outcomes.append(
                CheckOutcome(
                    check: check,
                    limit: resolved.limit,
                    unit: resolved.response.unit,
                    isShare: resolved.response.isShare,
                    value: row?.value,
                    interval: row?.interval,
                    n: row?.n ?? 1,
                    replications: result.replications,
                    isSum: resolved.response.isSum,
                    unmet: row?.unmet
                )
            )
        }
        return outcomes
    }
}
