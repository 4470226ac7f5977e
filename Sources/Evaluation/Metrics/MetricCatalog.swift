package import LiveActivityModel

/// All metrics of a scenario.
///
/// Names fixed by the contract with scripts never change. To search several metrics, make one catalog: there are several
/// hundred.
package struct MetricCatalog: Sendable {
    /// All declared metrics of simulations, by group; loads measure some of them, too.
    static let declarations: [MetricDeclaration] =
        MetricDeclaration.rides + MetricDeclaration.truth + MetricDeclaration.freshness + MetricDeclaration.screens
        + MetricDeclaration.sources + MetricDeclaration.ages + MetricDeclaration.causes + MetricDeclaration.pushes
        + MetricDeclaration.sender + MetricDeclaration.episodes

    private static let declarationsByName = Dictionary(
        uniqueKeysWithValues: (declarations + MetricDeclaration.loads).map { ($0.name, $0) }
    )

    /// Returns the declaration of a name; nil if there is none.
    static func declaration(of name: String) -> MetricDeclaration? { declarationsByName[name] }

    /// All metrics of the scenario.
    package let metrics: [Metric]

    /// Creates the catalog of a scenario.
    package init(of scenario: Scenario) {
        metrics = Self.declarations.flatMap { $0.metrics(of: scenario) }
    }

    /// The names of metrics whose interval shows their precision: over everything, or over a cohort with its scope.
    package var namesWithIntervals: [String] {
        metrics
            .filter { metric in
                if case .largest = metric.reading { return false }
                return metric.scope == "all" || metric.scope.hasPrefix("cohort:")
            }
            .map { Response(metric: $0.name, scope: $0.scope).text }
    }
}
