public import Evaluation
package import LiveActivityModel
public import Statistics
import TextFormats

/// An objective whose names are resolved to factors of a design and responses of its scenario.
public struct ResolvedObjective: Sendable {
    /// The text of the objective, without default statistics.
    public let text: String
    /// The unit of its values: the response's own, or `1` for factors and costs, which are pure numbers.
    public let unit: String
    /// `true` if its values are shares of a whole.
    public let isShare: Bool
    /// The direction that is better.
    public let direction: ResponseDirection
    /// The terms, in the order of the objective.
    public let terms: [Term]

    /// A resolved name with its weight.
    public struct Term: Sendable {
        /// The factor of the value.
        public let weight: Double
        /// The text of the term.
        public let text: String
        /// The quantity that the term counts.
        package let subject: Subject
    }

    /// The quantity behind a name.
    package enum Subject: Sendable {
        /// The level of a factor, by the factor's index.
        case factor(Int)
        /// A response of a replication, in the unit of `summary.csv`.
        case response(ResolvedResponse)
    }

    /// The responses among the terms.
    public var responses: [ResolvedResponse] {
        terms.compactMap { if case .response(let response) = $0.subject { response } else { nil } }
    }

    /// `true` if its value at a design point is known without a run, and thus exact.
    public var isExact: Bool { responses.isEmpty }

    /// Returns the change of the mean over some replications by one event of the heaviest kind, for ``DifferenceRule``.
    ///
    /// - Parameters:
    ///   - contributions: The contribution of each term in each replication.
    ///   - scenario: The scenario, whose heaviest ride can weigh more than any ride seen; nil to use only rides seen.
    package func eventSize(of contributions: [[Double]], in scenario: Scenario?) -> Double {
        terms.indices
            .map { index in
                guard case .response(let response) = terms[index].subject else { return 0 }
                let weight = terms[index].weight
                let values = contributions.map { $0[index] / weight }
                let size =
                    scenario.map { response.eventSize(of: values, in: $0) }
                    ?? response.eventSize(of: values, heaviest: 0)
                return abs(weight) * size
            }
            .max() ?? 0
    }
}

extension FactorLevel {
    /// The level as a number, with durations in seconds; nil for other levels.
    package var number: Double? {
        switch Amount(value) {
        case .number(let number): number
        case .percent(let share): share
        case .duration(let microseconds): microseconds / 1e6
        case .rate(let number, let seconds): number / seconds
        case nil: nil
        }
    }
}

extension Objective {
    /// Resolves each name to a factor of a design or a response of its scenario.
    ///
    /// - Throws: ``ResponseError`` for a name that is neither, or for a factor with levels that are not numbers.
    func resolve(
        _ direction: ResponseDirection,
        in scenario: Scenario,
        by catalog: MetricCatalog,
        varying factors: [Factor]
    ) throws(ResponseError) -> ResolvedObjective {
        var resolved: [ResolvedObjective.Term] = []
        for term in terms {
            let subject = try Objective.subject(term.name, in: scenario, by: catalog, varying: factors)
            let name: String =
                switch subject {
                case .factor: term.name
                case .response(let response): response.text
                }
            resolved.append(
                .init(weight: term.weight, text: Term(weight: term.weight, name: name).text, subject: subject)
            )
        }
        var (unit, isShare) = ("1", false)
        if resolved.count == 1, resolved[0].weight == 1, case .response(let response) = resolved[0].subject {
            (unit, isShare) = (response.unit, response.isShare)
        }
        let text = resolved.dropFirst()
            .reduce(resolved[0].text) { $0 + ($1.weight < 0 ? " - \($1.text.dropFirst())" : " + \($1.text)") }
        return ResolvedObjective(text: text, unit: unit, isShare: isShare, direction: direction, terms: resolved)
    }

    private static func subject(
        _ name: String,
        in scenario: Scenario,
        by catalog: MetricCatalog,
        varying factors: [Factor]
    ) throws(ResponseError) -> ResolvedObjective.Subject {
        if let index = factors.firstIndex(where: { $0.path == name }) {
            guard factors[index].isNumeric else { throw .factorOfNoNumbers(name) }
            return .factor(index)
        }
        let paths = factors.map(\.path)
        guard let response = try? Response(parsing: name),
            catalog.metrics.contains(where: { $0.name == response.metric }) || !name.contains(".")
        else {
            let nearest =
                Suggestion.nearest(to: name, among: paths)
                ?? (try? Response(parsing: name))
                .flatMap { Suggestion.nearestOrLonger(to: $0.metric, among: catalog.metrics.map(\.name).unique) }
            throw .unknownTerm(name, nearest: nearest, factors: paths)
        }
        let found = try response.resolve(in: scenario, by: catalog)
        try found.requireNoStretch()
        return .response(found)
    }
}

extension Factor {
    /// `true` if every level is a number or a duration.
    fileprivate var isNumeric: Bool {
        switch levels {
        case .listed(let levels): levels.allSatisfy { $0.number != nil }
        case .range: true
        }
    }
}
