public import LiveActivityModel
public import Quantities
import TextFormats

/// The outcome of a check after a run or a load.
public struct CheckOutcome: Hashable, Sendable {
    public let check: Check
    /// The limit in the unit of the response.
    public let limit: Double
    /// The unit of the response: `count`, `us`, `1` for a pure number.
    public let unit: String
    /// `true` if the response is a share of a whole.
    public let isShare: Bool
    /// The response's value; nil if it is undefined, as a share of nothing is, or was not measured.
    public let value: SummaryRow.Value?
    /// The bounds of the value's confidence interval, at the level that the check requires or else 95 %; nil if there
    /// is none.
    public let interval: ClosedRange<Double>?
    /// The number of parts of the run that the interval rests on; 1 if there is none.
    public let n: Int
    /// The number of replications of the run; 0 for a load, which has none.
    public var replications = 1
    /// `true` if the value is a sum over the replications.
    public var isSum = false
    /// The unmet requirement that kept the run from measuring the response; nil if it was measured.
    public var unmet: Requirement.Unmet?
    /// The requests beyond the value, which is then only a lower bound; nil if the value covers all requests.
    public var unanswered: Unanswered?
    /// `true` if the response is a wait of requests without an answer, and each request was answered.
    ///
    /// A bound on such waits then holds without a value. The same applies to pushes that were never accepted.
    public var isOfNone = false
    /// The number of requests in flight that could still break the check; 0 if none could.
    public var undecidedBy = 0
    /// The verdict in a file of results; nil if the outcome was not read from a file.
    package var recorded: Verdict?

    /// Creates the outcome of a check from the row of its response; nil for no row.
    package init(
        _ check: Check,
        limit: Double,
        of row: SummaryRow?,
        in unit: String,
        isShare: Bool,
        replications: Int = 1
    ) {
        (self.check, self.limit, self.unit, self.isShare) = (check, limit, unit, isShare)
        value = row?.value
        interval = row?.interval
        n = row?.n ?? 1
        self.replications = replications
        unmet = row?.unmet
    }

    /// The verdict on a check.
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        case holds
        case fails
        /// There is no value, so the check does not hold.
        case undefined
        /// The value keeps to the limit, but its interval does not or is missing.
        case notSure = "not_sure"
        /// The run cannot show the response, so the check neither holds nor fails.
        case notMeasured = "not_measured"
    }

    /// The verdict on the value, and on its interval if the check requires a confidence.
    public var verdict: Verdict {
        if let recorded { return recorded }
        guard undecidedBy == 0 else { return .notSure }
        guard unmet == nil else { return .notMeasured }
        guard unanswered == nil else { return .fails }
        guard let value else { return isOfNone ? .holds : .undefined }
        let relation = check.comparison.relation
        guard relation.holds(value.double, limit) else { return .fails }
        guard check.comparison.confidence != nil else { return .holds }
        guard let interval, relation.holds(interval.lowerBound, limit), relation.holds(interval.upperBound, limit)
        else {
            return .notSure
        }
        return .holds
    }

    /// `true` if it holds.
    ///
    /// An undefined value does not hold, nor does a value that was not measured.
    public var holds: Bool { verdict == .holds }

    /// `true` if it fails for good.
    ///
    /// A count below a lower limit may still reach it.
    public var isBroken: Bool {
        guard verdict == .fails else { return false }
        let isLowerLimit = ![.less, .lessOrEqual].contains(check.comparison.relation)
        return !(unit == "count" && isLowerLimit && (value?.double ?? .infinity) <= limit)
    }

    /// The approximate number of replications that would decide the check; nil if it cannot be estimated.
    ///
    /// The width of an interval falls with the square root of the number of replications. The result is twice the
    /// estimate, and at least five, because a run that cannot determine a value can only guess how many more are
    /// needed.
    public var neededReplications: Int? {
        // Counts add up over replications, and so do their errors.
        guard verdict == .notSure, !isSum, let value = value?.double, let interval, value != limit else {
            return nil
        }
        let end = value > limit ? interval.lowerBound : interval.upperBound
        let ratio = (end - value) / (limit - value)
        let needed = (2 * Double(replications) * ratio * ratio).rounded(.up)
        return needed <= 1e6 ? max(5, replications + 1, Int(needed)) : nil
    }

    /// The end of the interval at which the verdict would change; nil if neither does.
    ///
    /// The low end if both do.
    public var doubtfulEnd: Double? {
        guard let interval, let value = value?.double else { return nil }
        let relation = check.comparison.relation
        let holds = relation.holds(value, limit)
        return [interval.lowerBound, interval.upperBound].first { relation.holds($0, limit) != holds }
    }
}

extension CheckOutcome {
    /// The name of the number of failed requests, which `--max-failures` limits.
    package static let failedRequests = "failed_requests"

    /// Creates the outcome for the number of failed requests (`--max-failures`).
    public static func failures(_ count: Int, atMost limit: Int) -> CheckOutcome {
        let comparison = Comparison(
            response: Response(metric: failedRequests),
            relation: .lessOrEqual,
            limit: .number(Double(limit))
        )
        let row = SummaryRow(failedRequests, .integer(Int64(count)))
        return CheckOutcome(
            Check(comparison),
            limit: Double(limit),
            of: row,
            in: "count",
            isShare: false,
            replications: 0
        )
    }

    /// Returns the parts of a run that must be measured separately for some checks, each once, in the order of the
    /// checks.
    ///
    /// - Throws: ``ResponseError`` if the scenario lacks a response of a check.
    public static func stretches(of checks: [Check], in scenario: Scenario) throws(ResponseError) -> [Range<TimeSpan>] {
        guard !checks.isEmpty else { return [] }
        let catalog = MetricCatalog(of: scenario)
        return
            try checks.map { (check) throws(ResponseError) in
                try check.comparison.resolve(in: scenario, by: catalog).response.stretch
            }
            .compactMap(\.self).unique
    }

    /// Returns the outcomes of checks in a run.
    ///
    /// - Precondition: The run has measured ``stretches(of:in:)``.
    /// - Returns: An outcome for each check, in their order.
    /// - Throws: ``ResponseError`` if the scenario of the run lacks a response of a check.
    public static func outcomes(of checks: [Check], in result: RunResult) throws(ResponseError) -> [CheckOutcome] {
        try outcomes(of: checks, in: result, by: nil)
    }

    /// Returns the outcomes of checks in a run, with the metrics of its scenario if they are already known.
    package static func outcomes(
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
            var outcome = CheckOutcome(
                check,
                limit: resolved.limit,
                of: row,
                in: resolved.response.unit,
                isShare: resolved.response.isShare,
                replications: result.replications
            )
            outcome.isSum = resolved.response.isSum
            outcomes.append(outcome)
        }
        return outcomes
    }
}
