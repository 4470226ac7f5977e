import Experiments
import FreshnessCore
import Quantities
import SimulationKernel
import Testing
import Wire

@testable import LiveActivityModel
@testable import MonitorServer

/// The brain against the simulator's monitor, which shares the core with it and nothing else: not the table, not the heap of
/// deadlines, not a rule about tokens, announcements or ends.
///
/// One cell simulates its monitor; its twin has rides and phones alone, and the brain in its place. What phones show must
/// be the same, and so must the pushes that it took.
@Suite("The brain does what the simulation does")
struct BrainSimulationTests {
    /// Rides whose pushes take a second and are answered after 0.2 s, but for three minutes in which APNs is silent.
    private static func scenario(seed: UInt64, scans: Bool) -> Scenario {
        var scenario = Scenario()
        scenario.seed = seed
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
        scenario.apns.latency = .constant(1e6)
        scenario.sender.requestTime = .constant(0.2e6)
        scenario.monitor.freshLimit = .seconds(20)
        scenario.monitor.recoveryWindow = .minutes(2)
        if scans { scenario.monitor.scanInterval = .seconds(1) }
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
                .activitiesStarted, .activitiesRecreated, .endedSwiped, .liveAtHorizon, .fateShown, .fateExpired,
                .tokensPosted,
            ]
            counts = Dictionary(uniqueKeysWithValues: counters.map { ($0, measurements[$0]) })
            age = measurements.age
            peakAge = measurements[.peakAge]
        }
    }

    @Test("Screens and the monitor's counts are those of the simulation", arguments: UInt64(1)...6, [false, true])
    func agrees(seed: UInt64, scans: Bool) throws {
        let world = try ScenarioLoader.world(Self.scenario(seed: seed, scans: scans))
        var alone = CellSimulation(world: world, cell: 0, replication: 0)
        _ = alone.run(through: .never)
        alone.finish()
        var cell = CellSimulation(world: world, cell: 0, remote: .withMonitor)
        var monitor = try BrainAtWork(world)
        monitor.drive(&cell, through: world.horizon)
        cell.finish()
        // Not in the expectation itself: that would print some thousand numbers.
        let isSame = Shown(cell.measurements) == Shown(alone.measurements)
        #expect(isSame)
        let counts = monitor.brain.counts
        // An episode that is over before a scan has found it counts in the simulation; the brain counts its recovery alone.
        if !scans { #expect(Int64(counts.episodes) == alone.measurements[.episodesBegun]) }
        #expect(Int64(counts.recovered) == alone.measurements[.episodesRecovered])
        #expect(Int64(counts.endedSevere) == alone.measurements[.episodesEndedSevere])
        #expect(Int64(counts.pushes[.update] ?? 0) == alone.measurements[.updatesSent])
        #expect(Int64(counts.pushes[.retry] ?? 0) == alone.measurements[.retriesSent])
        #expect(Int64(counts.pushes[.end] ?? 0) == alone.measurements[.endsSent])
        #expect(cell.measurements[.updatesSent] == 0, "a cell whose monitor is remote sends nothing")
        // There was something to agree about.
        #expect(cell.measurements[.endedSevere] > 0)
        #expect((counts.pushes[.retry] ?? 0) > 20)
        #expect(counts.endedSevere > 0)
    }
}
