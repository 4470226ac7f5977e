import Evaluation
import LiveActivityModel
import Quantities
import SimulationKernel
import Studies

extension Scenario {
    /// One ride of ten minutes at noon, with one update per minute and no randomness; APNs is silent for a while.
    static var oneRide: Scenario {
        var scenario = Scenario()
        scenario.name = "one-ride"
        scenario.description = "One ride,\nwith an outage."
        scenario.clock.duration = .minutes(10)
        scenario.clock.drain = .minutes(10)
        scenario.clock.window = .minutes(5)
        scenario.clock.startsAt = .hours(12)
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = 1
        scenario.rides.stages = [
            Scenario.Stage(name: "matching", duration: .constant(60e6)),
            Scenario.Stage(name: "on_trip", duration: .constant(9 * 60e6)),
        ]
        scenario.content.ttl = .seconds(90)
        scenario.content.refresh = .constant(60e6)
        scenario.monitor.freshLimit = .seconds(30)
        scenario.apns.latency = .constant(500_000)
        scenario.sender.requestTime = .constant(150_000)
        scenario.faults = [Fault(kind: .apnsSilent, at: .minutes(3) + .seconds(30), duration: .minutes(4))]
        return scenario
    }

    /// Thirty rides in half an hour, on two cells; the phones are offline now and then.
    static var offlinePhones: Scenario {
        var scenario = Scenario.oneRide
        scenario.name = "offline-phones"
        scenario.clock.duration = .minutes(30)
        scenario.rides.arrivals.count = 30
        scenario.rides.arrivals.spread = .minutes(30)
        scenario.devices.connectivity.online = .exponential(mean: 120e6)
        scenario.devices.connectivity.offline = .exponential(mean: 120e6)
        scenario.cells = 2
        return scenario
    }

    /// An hour of about thirty rides in three cities, named against their order, on two cells.
    static var threeCities: Scenario {
        var scenario = Scenario.oneRide
        scenario.name = "three-cities"
        scenario.clock.duration = .hours(1)
        scenario.rides.arrivals.process = .poisson
        scenario.rides.arrivals.ratesPerHour = [30]
        scenario.rides.arrivals.cities = [("c", 0.5), ("b", 0.25), ("a", 0.25)]
            .map { City(name: $0, share: Probability($1)) }
        scenario.cells = 2
        return scenario
    }
}

extension RunResult {
    /// The result of a scenario that is actually run.
    static func running(_ scenario: Scenario, replications: Int = 1, jobs: Int = 1) async throws -> RunResult {
        let world = try ScenarioLoader.world(scenario)
        return try await RunEngine(world: world, replications: replications, jobs: jobs).run(progress: RunProgress())
    }
}

extension RealTime {
    /// A live run against a stand-in with a driver of the given lateness.
    static func beside(speed: Double, latenessP99: Int = 10) -> RealTime {
        RealTime(
            speed: speed,
            apns: "stand_in",
            isObserved: true,
            requests: 1,
            lateness: DriverLateness(median: 10, p99: latenessP99, largest: 20_000, allowed: 2500)
        )
    }
}
