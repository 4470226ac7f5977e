import LiveActivityModel
import ModelChecks
import Studies

/// Conservation laws: offered pushes are sent, kept or dropped, sent pushes have one fate each, and times add up, all
/// exactly.
struct ConservationLaws {
    /// The scenario with a number.
    var scenario: @Sendable (UInt64) -> Scenario = ScenarioSwarm.scenario
    /// The number of scenarios.
    var count = 1000

    func outcome(jobs: Int) async throws -> PropertyOutcome {
        let scenario = scenario
        let runs = try await concurrently(count, jobs: jobs) { number in
            let scenario = scenario(UInt64(number))
            let world = try ScenarioLoader.world(scenario)
            let run = try await Estimator.measurements(of: world, seed: scenario.seed, replication: 0)
            return (
                violations: Invariants.violations(of: run, scenario: scenario).map { "scenario \(number): \($0)" },
                pushes: run[.pushesOffered]
            )
        }
        return PropertyOutcome(
            violations: runs.flatMap(\.violations),
            of: "\(count) scenarios with \(runs.reduce(0) { $0 + $1.pushes }) pushes"
        )
    }
}
