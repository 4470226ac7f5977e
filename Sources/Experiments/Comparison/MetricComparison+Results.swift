import LiveActivityModel

extension MetricComparison {
    /// A response in two results of the same replications, which are compared pair by pair.
    ///
    /// - Parameter changes: What the second scenario states otherwise.
    /// - Throws: What is wrong with the response.
    public init(
        _ response: Response,
        in first: RunResult,
        and second: RunResult,
        changes: [ScenarioChange],
        options: RunComparison.Options = .init()
    ) throws(ResponseError) {
        func compared(_ response: Response) throws(ResponseError) -> MetricComparison {
            let resolved = try response.resolve(in: second.scenario)
            return MetricComparison(
                resolved,
                RunValues(of: resolved, in: first),
                RunValues(of: resolved, in: second),
                options,
                changes: changes
            )
            .asMeasured(resolved, in: first.scenario, and: second.scenario)
        }
        var comparison = try compared(response)
        for population in response.populations {
            var whole: MetricComparison?
            if let count = population.whole { whole = try compared(count) }
            comparison = comparison.of(population: try compared(population.count), among: whole)
        }
        self = comparison
    }
}
