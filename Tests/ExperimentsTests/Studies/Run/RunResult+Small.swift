import LiveActivityModel
import Quantities
import SimulationKernel

@testable import Evaluation
@testable import Studies

extension Scenario {
    /// A few hundred rides of a Poisson process in one hour, with an outage, on eight cells.
    static var smallPoisson: Scenario {
        var scenario = Scenario()
        scenario.seed = 7
        scenario.clock.drain = .hours(2)
        scenario.rides.arrivals.ratesPerHour = [160]
        scenario.rides.stages = [
            Scenario.Stage(name: "matching", duration: .exponential(mean: 120e6)),
            Scenario.Stage(name: "on_trip", duration: .exponential(mean: 600e6)),
        ]
        scenario.content.ttl = .seconds(90)
        scenario.content.refresh = .constant(60e6)
        scenario.faults = [Fault(kind: .apnsSilent, at: .minutes(20), duration: .minutes(5))]
        scenario.cells = 8
        return scenario
    }
}

extension RunResult {
    /// The result of a scenario that is actually run.
    static func running(_ scenario: Scenario, replications: Int = 1, jobs: Int = 1) async throws -> RunResult {
        let world = try ScenarioLoader.world(scenario)
        return try await RunEngine(world: world, replications: replications, jobs: jobs).run(progress: RunProgress())
    }

    /// The same run with the given measurements in its cells.
    func replacing(measurements: [Measurements]) -> RunResult {
        RunResult(
            scenario: scenario,
            cells: measurements.enumerated()
                .map { index, part in
                    CellResult(replication: 0, cell: index, measurements: part, fingerprint: cells[0].fingerprint)
                }
        )
    }
}
