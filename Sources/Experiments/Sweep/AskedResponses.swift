import LiveActivityModel

/// The responses that a file requests, checked against one design point after another.
struct AskedResponses {
    private let base: LoadedScenario
    private let responses: [(path: String, response: Response)]
    /// The metrics of the previous point, and its clock if it has all that is requested.
    private var last: (catalog: MetricCatalog, clock: Scenario.Clock?)?

    init(of base: LoadedScenario) {
        self.base = base
        responses =
            (base.experiment.factors?.responses ?? []).enumerated().map { ("factors.responses.\($0)", $1) }
            + base.experiment.checks.enumerated().map { ("checks.\($0)", $1.comparison.response) }
    }

    /// Rejects what tasks cannot answer: responses of things that a scenario does not have, or over parts of the run
    /// that the time series does not hold.
    ///
    /// Only metrics and the clock matter here, and few points differ in them.
    mutating func check(in scenario: Scenario) throws(ScenarioError) {
        guard !responses.isEmpty else { return }
        let known = last.flatMap { $0.catalog.isCatalog(of: scenario) ? $0 : nil }
        guard known?.clock != scenario.clock else { return }
        let catalog = known?.catalog ?? MetricCatalog(of: scenario)
        last = (catalog, nil)
        for (path, response) in responses {
            do throws(ResponseError) {
                try response.resolve(in: scenario, by: catalog).requireNoStretch()
            } catch {
                throw base.error(at: path, "\(error)")
            }
        }
        last = (catalog, scenario.clock)
    }
}
