import LiveActivityModel

/// All metrics of a scenario.
///
/// Names that the contract with scripts fixes never change. Who looks up several metrics, or those of many scenarios, makes
/// one catalog and keeps it with ``reused(for:)``: there are some hundreds of metrics, and design points seldom differ in them.
package struct MetricCatalog: Sendable {
    /// Every measure there is, by groups.
    static let declarations: [MetricDeclaration] =
        MetricDeclaration.rides + MetricDeclaration.truth + MetricDeclaration.freshness + MetricDeclaration.sources
        + MetricDeclaration.ages + MetricDeclaration.causes + MetricDeclaration.pushes
        + MetricDeclaration.sender + MetricDeclaration.episodes

    private static let declarationsByName = Dictionary(uniqueKeysWithValues: declarations.map { ($0.name, $0) })

    /// The declaration of a name; nil where nothing is measured under it.
    static func declaration(of name: String) -> MetricDeclaration? { declarationsByName[name] }

    /// All metrics of the scenario.
    let metrics: [Metric]
    private let shape: Shape

    /// What of a scenario says which metrics there are.
    private struct Shape: Hashable {
        let stages: [String]
        let measure: Scenario.Measure
        let ranks: [Int]
        let cities: [String]

        init(_ scenario: Scenario) {
            stages = scenario.rides.stages.map(\.name)
            measure = scenario.measure
            ranks = scenario.senderRanks
            cities = scenario.rides.arrivals.cities.map(\.name)
        }
    }

    /// The catalog of a scenario.
    init(of scenario: Scenario) {
        metrics = Self.declarations.flatMap { $0.metrics(of: scenario) }
        shape = Shape(scenario)
    }

    /// The catalog of another scenario: this one where that has the same metrics.
    func reused(for scenario: Scenario) -> MetricCatalog {
        isCatalog(of: scenario) ? self : MetricCatalog(of: scenario)
    }

    /// Whether a scenario has these metrics.
    func isCatalog(of scenario: Scenario) -> Bool { shape == Shape(scenario) }

    /// The names of metrics over all from whose interval one can tell how well they are known.
    var namesWithIntervals: [String] {
        metrics
            .filter { metric in
                if case .largest = metric.reading { return false }
                return metric.scope == "all"
            }
            .map(\.name)
    }
}

extension [Metric] {
    /// The metrics' names in their order, each once.
    var uniqueNames: [String] {
        var seen: Set<String> = []
        return map(\.name).filter { seen.insert($0).inserted }
    }
}
