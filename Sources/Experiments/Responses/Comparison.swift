package import LiveActivityModel

/// A response compared with a number: `displayed_fresh_time_ratio >= 95%`, `recovery_time_us.p95 < 90s`.
///
/// With a confidence, `displayed_fresh_time_ratio >= 97% with 95%`, the whole two-sided interval at that level has to compare
/// so, not the value alone: the chance of being on the wrong side is half of what is left, 2.5 % for 95 %.
public struct Comparison: Hashable, Sendable {
    /// What is compared.
    public var response: Response
    /// How it must compare with the limit.
    public var relation: Relation
    /// What it is compared with.
    public var limit: Amount
    /// The level of the interval that must keep to the limit, see ``isConfidence(_:)``; nil where the value alone is judged.
    public var confidence: Double?

    /// A comparison by its parts.
    public init(response: Response, relation: Relation, limit: Amount, confidence: Double? = nil) {
        self.response = response
        self.relation = relation
        self.limit = limit
        self.confidence = confidence
    }

    /// Whether a confidence can be asked for: above 50 % and below 99.9 %.
    static func isConfidence(_ level: Double) -> Bool { level > 0.5 && level < 0.999 }

    /// Reads a comparison.
    ///
    /// - Throws: When the text is not of the form; what the response names is not looked at yet.
    public init(parsing text: String) throws(ResponseError) {
        guard let (left, relation, right) = Relation.split(text) else { throw .malformedComparison(text) }
        let (amount, level) = Self.splitConfidence(right)
        guard let limit = Amount(amount) else { throw .malformedComparison(text) }
        self.init(response: try Response(parsing: left), relation: relation, limit: limit)
        guard let level else { return }
        guard let confidence = Amount(level)?.value(in: "1", isShare: true), Self.isConfidence(confidence) else {
            throw .unfitConfidence(level)
        }
        guard relation != .equal, relation != .unequal else { throw .confidenceOfEquality(text) }
        self.confidence = confidence
    }

    /// The two sides of the word `with` after a limit; nil for the second where it is missing.
    public static func splitConfidence(_ text: String) -> (limit: String, confidence: String?) {
        guard let match = text.wholeMatch(of: /([^ ]*) +with(?: +(.*))?/) else { return (text, nil) }
        return (String(match.1), match.2.map(String.init) ?? "")
    }

    /// The comparison in one way of writing it, which ``init(parsing:)`` reads as an equal one.
    public var text: String { "\(response.text) \(demand)" }

    /// What is asked of the response: the operator, the limit and the confidence.
    public var demand: String { "\(relation.rawValue) \(limit.text)" + (confidenceText.map { " with \($0)" } ?? "") }

    /// The confidence as it is written, as a percentage; nil for none.
    public var confidenceText: String? { confidence.map { Amount.percent($0).text } }

    /// Finds the response among those of a scenario, and the limit in its unit.
    ///
    /// - Throws: What the scenario does not have, or why the limit does not fit.
    package func resolve(in scenario: Scenario, by catalog: MetricCatalog? = nil) throws(ResponseError) -> (
        response: ResolvedResponse, limit: Double
    ) {
        let resolved = try response.resolve(in: scenario, by: catalog ?? MetricCatalog(of: scenario))
        guard let limit = limit.value(in: resolved.unit, isShare: resolved.isShare) else {
            let allowed = Amount.allowed(in: resolved.unit, isShare: resolved.isShare)
            throw .unfitAmount(self.limit.text, of: resolved.text, allowed: allowed)
        }
        return (resolved, limit)
    }
}

extension Comparison: CustomStringConvertible {
    /// The same as ``text``.
    public var description: String { text }
}
