public import LiveActivityModel

/// All that a scenario file holds: the scenario, how it is varied, and what is asked of its runs.
public struct Experiment: Hashable, Sendable {
    /// The file whose values hold where this one has none; empty for none.
    public var extends = ""
    /// What is simulated.
    public var scenario: Scenario
    /// What is varied; nil for a single run.
    public var factors: Factors?
    /// What runs must come to, in the order of the file.
    public var checks: [Check]

    /// A scenario with factors and checks.
    public init(scenario: Scenario = Scenario(), factors: Factors? = nil, checks: [Check] = []) {
        self.scenario = scenario
        self.factors = factors
        self.checks = checks
    }
}
