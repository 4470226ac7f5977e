import LiveActivityModel
public import Statistics

/// An objective whose names are factors of a design and responses of its scenario.
public struct ResolvedObjective: Sendable {
    /// The objective as it is written, without statistics that metrics are known by.
    public let text: String
    /// The unit of its values: that of a response alone; `1` for a factor and for a cost, which are pure numbers.
    public let unit: String
    /// Whether its values are parts of a whole.
    public let isShare: Bool
    /// Which values are better.
    public let direction: ResponseDirection
    /// What each term counts, in the order of the objective.
    public let terms: [Term]

    /// A name that is known, with the number by which it counts.
    public struct Term: Sendable {
        /// By which number the value is multiplied.
        public let weight: Double
        /// The term as it is written.
        public let text: String
        /// What it is the value of.
        let subject: Subject
    }

    /// What a name stands for.
    enum Subject: Sendable {
        /// The level of a factor, by its place among the factors.
        case factor(Int)
        /// What a replication gave, in the unit of summary.csv.
        case response(ResolvedResponse)
    }

    /// The responses among the terms.
    public var responses: [ResolvedResponse] {
        terms.compactMap { if case .response(let response) = $0.subject { response } else { nil } }
    }

    /// Whether it is known of a design point without a run: then nothing about it is left to chance.
    public var isExact: Bool { responses.isEmpty }

    /// By how much one event of the heaviest kind moves the mean over some replications, for ``DifferenceRule``.
    ///
    /// - Parameters:
    ///   - contributions: What each term contributes in each replication.
    ///   - scenario: The scenario, whose heaviest ride may weigh more than what was seen; nil to go by what was seen.
    func eventSize(of contributions: [[Double]], in scenario: Scenario?) -> Double {
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

    /// What each term contributes in a replication of a design point; NaN where it is undefined.
    func contributions(of point: DesignPoint, in result: RunResult) -> [Double] {
        terms.map { term in
            switch term.subject {
            case .factor(let index): term.weight * (point.levels[index].number ?? .nan)
            case .response(let response): term.weight * (response.value(in: result) ?? .nan)
            }
        }
    }
}

extension FactorLevel {
    /// The level as a number, a duration in seconds; nil for what is neither.
    var number: Double? {
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
    /// Finds each name among the factors of a design, or else among the responses of its scenario.
    ///
    /// - Throws: The name that is neither, or a factor whose levels are no numbers.
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
                .flatMap { Suggestion.nearestOrLonger(to: $0.metric, among: catalog.metrics.uniqueNames) }
            throw .unknownTerm(name, nearest: nearest, factors: paths)
        }
        let found = try response.resolve(in: scenario, by: catalog)
        try found.requireNoStretch()
        return .response(found)
    }
}

extension Factor {
    /// Whether every level is a number or a duration.
    fileprivate var isNumeric: Bool {
        switch levels {
        case .listed(let levels): levels.allSatisfy { $0.number != nil }
        case .range: true
        }
    }
}
