public import LiveActivityModel

/// All that a scenario file holds: the scenario, and what is asked of its runs.
public struct Experiment: Hashable, Sendable {
    /// What is simulated.
    public var scenario: Scenario
    /// What runs must come to, in the order of the file.
    public var checks: [Check]

    /// A scenario with checks.
    public init(scenario: Scenario = Scenario(), checks: [Check] = []) {
        self.scenario = scenario
        self.checks = checks
    }
}
