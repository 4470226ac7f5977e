import FreshnessCore
import Quantities
import SimulationKernel
import Studies
import Testing
import Wire

@testable import LiveActivityModel
@testable import MonitorServer

/// The state machine against the simulator's monitor, which shares only the core with it: not the table, the heap of
/// deadlines, or the rules about tokens, announcements and ends.
///
/// One cell simulates its own monitor. Its twin has only rides and phones, and the state machine replaces the monitor.
/// Phones must show the same and receive the same pushes.
@Suite("The state machine agrees with the simulation")
struct MonitorSimulationTests {
    /// Rides whose pushes take a second and are answered after 0.2 s, except during three minutes in which APNs is
    /// silent.
    private static func scenario(seed: UInt64, scans: Bool, isCrowded: Bool = false) -> Scenario {
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
        if isCrowded { crowd(&scenario) }
        return scenario
    }

    /// Two streams for all rides, so that pushes wait, return, lose patience, join others and are repeated.
    private static func crowd(_ scenario: inout Scenario) {
        // For a service, an activity that is started again is another instance, which gets no push of the first one.
        scenario.devices.swipe.recreated = .never
        scenario.sender.streams = 2
        scenario.sender.requestTime = .constant(1_912_347)
        scenario.sender.timeout = .seconds(8)
        scenario.sender.attempts = 3
        scenario.sender.retryBudget = Scenario.Budget()
        scenario.sender.retryBudget?.capacity = 10
        scenario.sender.retryBudget?.perSecond = 0.01
        scenario.sender.queueLimit = 6
        // Without draws: a service keys them by the name of the instance and by the announced content.
        scenario.sender.requeueAfter = .constant(3_141_593)
        scenario.sender.patience = .constant(17_123_457)
        scenario.sender.coalesce = true
        scenario.sender.rateLimit = Scenario.RateLimit()
        scenario.sender.rateLimit?.perSecond = 0.8
        scenario.sender.rateLimit?.burst = 5
    }

    /// The content that the phones of a cell have shown.
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

    /// Returns a cell with its own monitor, its twin with the state machine, and the state machine's counts; both cells
    /// have shown the same.
    private static func outcomes(
        of scenario: Scenario
    ) throws -> (alone: Measurements, cell: Measurements, counts: MonitorCounts) {
        let world = try ScenarioLoader.world(scenario)
        var alone = CellSimulation(world: world, cell: 0, replication: 0)
        _ = alone.run(through: .never)
        alone.finish()
        var cell = CellSimulation(world: world, cell: 0, remote: .withMonitor)
        var monitor = try StateMachineAtWork(world)
        monitor.drive(&cell, through: world.horizon)
        cell.finish()
        // Outside the expectation, which would otherwise print thousands of numbers.
        let isSame = Shown(cell.measurements) == Shown(alone.measurements)
        #expect(isSame)
        return (alone.measurements, cell.measurements, monitor.machine.counts)
    }

    @Test("Screens and the monitor's counts equal those of the simulation", arguments: UInt64(1)...6, [false, true])
    func agrees(seed: UInt64, scans: Bool) throws {
        let (alone, cell, counts) = try Self.outcomes(of: Self.scenario(seed: seed, scans: scans))
        // The simulation counts an episode that is over before a scan finds it; the state machine only counts its
        // recovery.
        if !scans { #expect(Int64(counts.episodes) == alone[.episodesBegun]) }
        #expect(Int64(counts.recovered) == alone[.episodesRecovered])
        #expect(Int64(counts.endedSevere) == alone[.episodesEndedSevere])
        #expect(Int64(counts.pushes[.update] ?? 0) == alone[.updatesSent])
        #expect(Int64(counts.pushes[.retry] ?? 0) == alone[.retriesSent])
        #expect(Int64(counts.pushes[.end] ?? 0) == alone[.endsSent])
        #expect(cell[.updatesSent] == 0, "a cell whose monitor is remote sends nothing")
        // The test was not vacuous.
        #expect(cell[.endedSevere] > 0)
        #expect((counts.pushes[.retry] ?? 0) > 20)
        #expect(counts.endedSevere > 0)
    }

    @Test("A crowded sender sends, repeats and drops the same pushes as the simulation's", arguments: UInt64(1)...20)
    func crowdedSender(seed: UInt64) throws {
        let (alone, _, counts) = try Self.outcomes(of: Self.scenario(seed: seed, scans: false, isCrowded: true))
        let reasons: [StoryLine.Unsent: Counter] = [
            .coalesced: .pushesCoalesced, .outOfPatience: .pushesOutOfPatience, .tokenGone: .pushesAbandonedUnsent,
        ]
        for (reason, counter) in reasons {
            #expect(Int64(counts.notSent[reason] ?? 0) == alone[counter], "\(reason)")
            #expect(alone[counter] > 0, "\(reason): there was something to agree about")
        }
        let sent = [Counter.updatesSent, .retriesSent, .endsSent].map { alone[$0] }.reduce(0, +)
        #expect(Int64(counts.pushes.values.reduce(counts.repeated, +)) == sent)
        #expect(Int64(counts.repeated) == alone[.repeatsSent])
        #expect(Int64(counts.repeatsWithheld) == alone[.repeatsWithheld])
        #expect(counts.repeated > 0 && counts.repeatsWithheld > 0)
    }
}
