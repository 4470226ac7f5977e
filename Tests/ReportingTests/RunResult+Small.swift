import Experiments
import LiveActivityModel
import Quantities
import RandomStreams

extension Scenario {
    /// Six rides, one every ten minutes from noon on, whose phones go offline now and then; a fault in the middle.
    static var small: Scenario {
        var scenario = Scenario()
        scenario.name = "small"
        scenario.description = "Six rides\nin an hour."
        scenario.seed = 7
        scenario.clock.duration = .hours(1)
        scenario.clock.drain = .hours(1)
        scenario.clock.startsAt = .hours(12)
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = 6
        scenario.rides.arrivals.spread = .hours(1)
        scenario.rides.stages = [
            Scenario.Stage(name: "matching", duration: .constant(60e6)),
            Scenario.Stage(name: "on_trip", duration: .constant(20 * 60e6)),
        ]
        scenario.content.ttl = .minutes(2)
        scenario.content.refresh = .constant(60e6)
        scenario.devices.connectivity.online = .exponential(mean: 120e6)
        scenario.devices.connectivity.offline = .exponential(mean: 120e6)
        scenario.apns.latency = .constant(500_000)
        scenario.sender.requestTime = .constant(150_000)
        scenario.faults = [Fault(kind: .apnsSilent, at: .minutes(30), duration: .minutes(10))]
        return scenario
    }
}

extension RunResult {
    /// The result of a scenario, really run.
    static func running(_ scenario: Scenario, replications: Int = 2, jobs: Int = 1) async throws -> RunResult {
        let world = try ScenarioLoader.world(scenario)
        return try await RunEngine(world: world, replications: replications, jobs: jobs).run(progress: RunProgress())
    }
}
