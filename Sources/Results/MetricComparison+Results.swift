public import Evaluation
import LiveActivityModel

extension MetricComparison {
    /// Compares a response in two results of the same replications, pair by pair.
    ///
    /// - Parameters:
    ///   - changes: The settings that differ between the scenarios.
    ///   - level: The confidence level of the interval.
    /// - Throws: ``ResponseError`` if a scenario does not have the response.
    public init(
        _ response: Response,
        in first: RunResult,
        and second: RunResult,
        changes: [ScenarioChange],
        options: ResultComparison.Options = .init(),
        level: Double = 0.95
    ) throws(ResponseError) {
        let (firstCatalog, secondCatalog) = (MetricCatalog(of: first.scenario), MetricCatalog(of: second.scenario))
        func compared(_ response: Response, level: Double = 0.95) throws(ResponseError) -> MetricComparison {
            let resolved = try response.resolve(in: second.scenario, by: secondCatalog)
            return MetricComparison(
                resolved,
                RunValues(of: resolved, in: first, by: firstCatalog),
                RunValues(of: resolved, in: second, by: secondCatalog),
                options,
                changes: changes,
                level: level
            )
            .asMeasured(resolved, in: first.scenario, and: second.scenario)
        }
        var comparison = try compared(response, level: level)
        for population in response.populations {
            var whole: MetricComparison?
            if let count = population.whole { whole = try compared(count) }
            comparison = comparison.of(population: try compared(population.count), among: whole)
        }
        self = comparison
    }
}
