package import LiveActivityModel

/// A response compared with a number: `displayed_fresh_time_ratio >= 95%`, `recovery_time_us.p95 < 90s`.
///
/// With a confidence, as in `displayed_fresh_time_ratio >= 97% with 95%`, the whole two-sided interval at that level
/// must keep to the limit, not only the value. The chance of being on the wrong side is half of the rest: 2.5 % for a
/// level of 95 %.
public struct Comparison: Hashable, Sendable {
    /// The response that is compared.
    public var response: Response
    /// The relation between the response and the limit.
    public var relation: Relation
    public var limit: Amount
    /// The level of the interval that must keep to the limit, see ``isConfidence(_:)``; nil if only the value must.
    public var confidence: Double?

    /// Creates a comparison from its parts.
    public init(response: Response, relation: Relation, limit: Amount, confidence: Double? = nil) {
        self.response = response
        self.relation = relation
        self.limit = limit
        self.confidence = confidence
    }

    /// Returns `true` for levels above 50 % and below 99.9 %, which a comparison can require.
    static func isConfidence(_ level: Double) -> Bool { level > 0.5 && level < 0.999 }

    /// Parses a comparison.
    ///
    /// - Throws: ``ResponseError`` if the text does not have the form of a comparison. The response may still be
    ///   unknown.
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

    /// Splits a limit at the word `with`; the second part is nil if there is none.
    private static func splitConfidence(_ text: String) -> (limit: String, confidence: String?) {
        guard let match = text.wholeMatch(of: /([^ ]*) +with(?: +(.*))?/) else { return (text, nil) }
        return (String(match.1), match.2.map(String.init) ?? "")
    }

    /// The canonical text, which ``init(parsing:)`` parses to an equal comparison.
    public var text: String { "\(response.text) \(demand)" }

    /// The requirement on the response: the operator, the limit and the confidence.
    public var demand: String { "\(relation.rawValue) \(limit.text)" + (confidenceText.map { " with \($0)" } ?? "") }

    /// The confidence as written, as a percentage; nil for none.
    public var confidenceText: String? { confidence.map { Amount.percent($0).text } }

    /// Resolves the response in a scenario, and the limit in its unit.
    ///
    /// - Throws: ``ResponseError`` if the scenario lacks the response, or the limit does not fit it.
    package func resolve(in scenario: Scenario, by catalog: MetricCatalog? = nil) throws(ResponseError) -> (
        response: ResolvedResponse, limit: Double
    ) {
        let resolved = try response.resolve(in: scenario, by: catalog ?? MetricCatalog(of: scenario))
        return (resolved, try limit(of: resolved.text, in: resolved.unit, isShare: resolved.isShare))
    }

    /// Returns the limit of a response in its unit.
    ///
    /// - Throws: ``ResponseError`` if the limit does not fit.
    func limit(of name: String, in unit: String, isShare: Bool) throws(ResponseError) -> Double {
        guard let limit = limit.value(in: unit, isShare: isShare) else {
            let allowed = Amount.allowed(in: unit, isShare: isShare)
            throw .unfitAmount(self.limit.text, of: name, allowed: allowed)
        }
        return limit
    }
}

extension Comparison: CustomStringConvertible {
    /// The canonical text.
    public var description: String { text }
}
