import Experiments
import FreshnessCore
import LiveActivityModel
import LoadGenerator
import Quantities
import RandomStreams
import Testing

/// One brain, two bodies: with the same core at the other end, phones show what they show in the simulation.
@Suite("A cell with its monitor outside")
struct OutsideMonitorTests {
    /// Rides whose pushes take a second and are answered after 0.2 s, but for three minutes in which nobody says anything.
    private static var scenario: Scenario {
        var scenario = Scenario()
        scenario.clock.duration = .minutes(10)
        scenario.clock.drain = .minutes(40)
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = 60
        scenario.rides.arrivals.spread = .minutes(10)
        scenario.rides.stages = [
            Scenario.Stage(name: "a", duration: .exponential(mean: 60e6)),
            Scenario.Stage(name: "b", duration: .exponential(mean: 600e6)),
        ]
        scenario.content.ttl = .minutes(1)
        scenario.content.refresh = .exponential(mean: 40e6)
        scenario.devices.start.time = .exponential(mean: 1e6)
        scenario.devices.token.delay = .exponential(mean: 2e6)
        scenario.devices.token.post = .exponential(mean: 0.5e6)
        scenario.devices.swipe.share = Probability(0.2)
        scenario.devices.swipe.after = .exponential(mean: 300e6)
        scenario.devices.swipe.recreated = Probability(0.5)
        scenario.devices.endReport = .exponential(mean: 1e6)
        scenario.devices.connectivity.online = .exponential(mean: 200e6)
        scenario.devices.connectivity.offline = .exponential(mean: 20e6)
        scenario.apns.latency = .constant(Double(PlainMonitor.transit.microseconds))
        scenario.sender.requestTime = .constant(Double(PlainMonitor.roundTrip.microseconds))
        scenario.monitor.freshLimit = .seconds(20)
        scenario.monitor.recoveryWindow = .minutes(2)
        var silence = Scenario.Fault(kind: .apnsSilent, at: .minutes(12), duration: .minutes(3))
        silence.share = .always
        scenario.faults = [silence]
        return scenario
    }

    /// What the phones of a cell have shown.
    private struct Shown: Equatable {
        let displayed: [SeriesColumn: Int64]
        let counts: [Counter: Int64]
        let age: RampTally
        let peakAge: Tally

        init(_ measurements: Measurements) {
            let columns: [SeriesColumn] = [.displayedTime, .displayedFreshTime, .displayedStaleTime, .activitiesEnded]
            displayed = Dictionary(uniqueKeysWithValues: columns.map { ($0, measurements.series.total($0)) })
            let counters: [Counter] = [
                .activitiesStarted, .activitiesRecreated, .endedSwiped,
                .liveAtHorizon, .fateShown, .fateExpired, .tokensPosted,
            ]
            counts = Dictionary(uniqueKeysWithValues: counters.map { ($0, measurements[$0]) })
            age = measurements.age
            peakAge = measurements[.peakAge]
        }
    }

    @Test("Screens are those of the simulation", arguments: UInt64(1)...6)
    func agrees(seed: UInt64) throws {
        var scenario = Self.scenario
        scenario.seed = seed
        let world = try ScenarioLoader.world(scenario)
        var alone = CellSimulation(world: world, cell: 0, replication: 0)
        _ = alone.run(through: .never)
        alone.finish()
        var cell = CellSimulation(world: world, cell: 0, outside: .withMonitor)
        var monitor = PlainMonitor(policy: world.policy, scenario: scenario)
        monitor.drive(&cell, through: world.horizon)
        cell.finish()
        #expect(Shown(cell.measurements) == Shown(alone.measurements))
        // It was no idle exercise: retries, severe ends and all.
        #expect(monitor.sent[.retry, default: 0] > 20)
        #expect(cell.measurements[.endedSevere] > 0)
        #expect(cell.measurements[.updatesSent] == 0, "a cell whose monitor is outside sends nothing")
    }
}
