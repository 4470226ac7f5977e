import LiveActivityModel

/// All metrics of a scenario.
///
/// Names fixed by the contract with scripts never change. To search several metrics, or those of many scenarios, make
/// one catalog and keep it with ``reused(for:)``. There are several hundred metrics, and design points seldom differ in
/// them.
package struct MetricCatalog: Sendable {
    /// All declared metrics, by group.
    static let declarations: [MetricDeclaration] =
        MetricDeclaration.rides + MetricDeclaration.truth + MetricDeclaration.freshness + MetricDeclaration.sources
        + MetricDeclaration.ages + MetricDeclaration.causes + MetricDeclaration.pushes
        + MetricDeclaration.sender + MetricDeclaration.episodes

    private static let declarationsByName = Dictionary(uniqueKeysWithValues: declarations.map { ($0.name, $0) })

    /// Returns the declaration of a name; nil if there is none.
    static func declaration(of name: String) -> MetricDeclaration? { declarationsByName[name] }

    /// All metrics of the scenario.
    let metrics: [Metric]
    private let shape: Shape

    /// The properties of a scenario that determine its metrics.
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

    /// Creates the catalog of a scenario.
    init(of scenario: Scenario) {
        metrics = Self.declarations.flatMap { $0.metrics(of: scenario) }
        shape = Shape(scenario)
    }

    /// Returns the catalog of another scenario, which is this one if the metrics are the same.
    func reused(for scenario: Scenario) -> MetricCatalog {
        isCatalog(of: scenario) ? self : MetricCatalog(of: scenario)
    }

    /// Returns true if a scenario has these metrics.
    func isCatalog(of scenario: Scenario) -> Bool { shape == Shape(scenario) }

    /// The names of metrics over everything whose interval shows their precision.
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
    /// The names of the metrics in order, without repetitions.
    var uniqueNames: [String] {
        var seen: Set<String> = []
        return map(\.name).filter { seen.insert($0).inserted }
    }
}
