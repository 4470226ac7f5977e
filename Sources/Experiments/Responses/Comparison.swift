public import LiveActivityModel

/// A response compared with a number: `displayed_fresh_time_ratio >= 95%`, `recovery_time_us.p95 < 90s`.
public struct Comparison: Hashable, Sendable {
    /// What is compared.
    public var response: Response
    /// How it must compare with the limit.
    public var relation: Relation
    /// What it is compared with.
    public var limit: Amount

    /// A comparison by its parts.
    public init(response: Response, relation: Relation, limit: Amount) {
        self.response = response
        self.relation = relation
        self.limit = limit
    }

    /// Reads a comparison.
    ///
    /// - Throws: When the text is not of the form; what the response names is not looked at yet.
    public init(parsing text: String) throws(ResponseError) {
        guard let (left, relation, right) = Relation.split(text), let limit = Amount(right) else {
            throw .malformedComparison(text)
        }
        self.init(response: try Response(parsing: left), relation: relation, limit: limit)
    }

    /// The comparison in one way of writing it, which ``init(parsing:)`` reads as an equal one.
    public var text: String { "\(response.text) \(relation.rawValue) \(limit.text)" }

    /// Finds the response among those of a scenario, and the limit in its unit.
    ///
    /// - Throws: What the scenario does not have, or why the limit does not fit.
    public func resolve(in scenario: Scenario) throws(ResponseError) -> ResolvedComparison {
        try resolve(in: scenario, by: MetricCatalog(of: scenario))
    }

    /// Finds the response among those of a scenario, and the limit in its unit.
    ///
    /// - Parameter catalog: The scenario's metrics.
    func resolve(in scenario: Scenario, by catalog: MetricCatalog) throws(ResponseError) -> ResolvedComparison {
        let resolved = try response.resolve(in: scenario, by: catalog)
        guard let limit = limit.value(in: resolved.unit, isShare: resolved.isShare) else {
            let allowed = Amount.allowed(in: resolved.unit, isShare: resolved.isShare)
            throw .unfitAmount(self.limit.text, of: resolved.text, allowed: allowed)
        }
        return ResolvedComparison(comparison: self, response: resolved, limit: limit)
    }
}

extension Comparison: CustomStringConvertible {
    /// The same as ``text``.
    public var description: String { text }
}

/// A comparison whose response a scenario has.
public struct ResolvedComparison: Sendable {
    /// The comparison as it was written.
    public let comparison: Comparison
    /// What is compared.
    public let response: ResolvedResponse
    /// What it is compared with, in the unit of the response.
    public let limit: Double

    /// Whether a value of the response compares as it must; an undefined one does not.
    public func holds(_ value: Double?) -> Bool {
        value.map { comparison.relation.holds($0, limit) } ?? false
    }
}
