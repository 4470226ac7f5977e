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
        self.init(
            resolved,
            RunValues(of: resolved, in: first),
            RunValues(of: resolved, in: second),
            options,
            changes: changes
        )
    }
}
