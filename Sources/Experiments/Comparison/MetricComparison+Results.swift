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
        let resolved = try response.resolve(in: second.scenario)
        func values(_ result: RunResult) -> RunValues {
            RunValues(
                (0..<result.replications).map { resolved.row(in: result, replication: $0)?.value?.double },
                isAntithetic: result.scenario.replications.antithetic
            )
        }
        self.init(resolved, values(first), values(second), options, changes: changes)
    }
}
