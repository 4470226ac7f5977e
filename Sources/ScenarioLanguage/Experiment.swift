public import Evaluation
public import LiveActivityModel

/// The contents of a scenario file: the scenario, its factors and its checks.
public struct Experiment: Hashable, Sendable {
    /// The file that provides values missing in this one; empty for none.
    public var extends = ""
    public var scenario: Scenario
    /// The factors; nil for a single run.
    public var factors: Factors?
    /// The checks of runs, in the order of the file.
    public var checks: [Check]

    /// Creates a scenario with factors and checks.
    public init(scenario: Scenario = Scenario(), factors: Factors? = nil, checks: [Check] = []) {
        self.scenario = scenario
        self.factors = factors
        self.checks = checks
    }
}
