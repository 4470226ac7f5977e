import LifecycleTraces
import Quantities
import SimulationKernel
import Testing

@testable import LiveActivityModel

/// A ride of 40 s in one stage and 60 s in the next, and the stage that its screen shows.
@Suite("Stages on screens")
struct StageOnScreenTests {
    private static func ride() -> Scenario {
        var scenario = Scenario.ride(40, 60)
        scenario.apns.latency = .seconds(2)
        scenario.devices.systemLimit = .seconds(200)
        return scenario
    }

    @Test("Stages that were shown in the warm-up are not measured")
    func warmUp() throws {
        var scenario = Self.ride()
        scenario.clock.duration = .seconds(100)
        scenario.clock.warmUp = .seconds(10)
        let measurements = try FinishedCell(scenario).measurements
        #expect(measurements.parts(of: .stageLag).map(\.count) == [0, 1])
        #expect(measurements.parts(of: .rideTime) == [30_000_000, 60_000_000, 0])
    }

    /// A metric that no setting can improve artificially must not be improved by a fault either.
    ///
    /// With the same rides and draws, more loss means less coverage, later stages, and more time in wrong ones.
    @Test("More loss never improves coverage, lag or time in a wrong stage", arguments: 0..<5)
    func monotone(seed: UInt64) throws {
        var scenario = Scenario()
        scenario.seed = seed
        scenario.clock.duration = .hours(2)
        scenario.clock.drain = .hours(8)
        scenario.rides.arrivals.ratesPerHour = [100]
        scenario.rides.stages = [
            Scenario.Stage(name: "wait", duration: .exponential(mean: 240e6)),
            Scenario.Stage(name: "pickup", duration: .exponential(mean: 120e6)),
            Scenario.Stage(name: "trip", duration: .exponential(mean: 900e6)),
        ]
        scenario.content.refresh = .exponential(mean: 45e6)
        scenario.apns.latency = .exponential(mean: 2e6)
        let measured = try [0, 0.01, 0.1, 0.5, 0.95, 1]
            .map { loss in
                scenario.apns.loss = Probability(loss)
                return try FinishedCell(scenario, ride: nil).measurements
            }
        func share(_ part: Total, of whole: Total) -> [Double] {
            measured.map { Double($0.duringRide(part)) / Double($0.duringRide(whole)) }
        }
        #expect(Set(measured.map { $0.duringRide(.rideTime) }).count == 1)
        let coverage = share(.displayedFreshTime, of: .rideTime)
        let wrong = share(.wrongStageTime, of: .displayedTime)
        let right = zip(share(.displayedTime, of: .rideTime), share(.wrongStageTime, of: .rideTime)).map(-)
        let lag = measured.map { Double($0[.stageLag].sum) / Double($0[.stageLag].count) }
        #expect(coverage == coverage.sorted(by: >), "\(coverage)")
        #expect(right == right.sorted(by: >), "\(right)")
        // A share of screen time, of which a card that ends early has less, as all cards do in a blackout.
        #expect(wrong.dropLast() == ArraySlice(wrong.dropLast().sorted()), "\(wrong)")
        #expect(lag == lag.sorted(), "\(lag)")
    }

    // MARK: - Histories

    @Test("A cell measures the parts of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        Until the update arrives the screen shows the previous stage
            rides.stages=[{name: s0, duration: 40s}, {name: s1, duration: 60s}]; apns.latency=2s; devices.system_limit=200s
            parts: rideTime 40s 60s 0; stageLag 0 2s; stagesNeverShown 0 0
            parts: wrongStageTime 0 2s 0; displayedTime 40s 60s 2s

        A stage that no screen shows counts with its length; after the ride no stage is wrong
            rides.stages=[{name: s0, duration: 40s}, {name: s1, duration: 60s}]; apns.latency=2s; devices.system_limit=200s
            apns.loss=1
            parts: rideTime 40s 60s 0; stageLag 0 60s; stagesNeverShown 0 1
            parts: wrongStageTime 0 60s 0; displayedTime 40s 60s 100s

        A ride without an activity shows none of its stages, but still counts
            rides.stages=[{name: s0, duration: 40s}, {name: s1, duration: 60s}]; apns.latency=2s; devices.system_limit=200s
            devices.activities_enabled=0
            parts: rideTime 40s 60s 0; stageLag 40s 60s; stagesNeverShown 1 1
            parts: wrongStageTime 0 0 0; displayedTime 0 0 0

        An activity that starts late shows the current stage
            rides.stages=[{name: s0, duration: 40s}, {name: s1, duration: 60s}]; apns.latency=2s; devices.system_limit=200s
            devices.start.time=50s
            parts: rideTime 40s 60s 0; stageLag 40s 10s; stagesNeverShown 1 0
            parts: wrongStageTime 0 0 0; displayedTime 0 50s 2s

        # Before the fix, the server treated its content at the request as current, and did not announce the later stage.
        A push-to-start that is a stage late is corrected as soon as there is a token
            rides.stages=[{name: s0, duration: 40s}, {name: s1, duration: 60s}]; apns.latency=45s; devices.system_limit=200s
            devices.start.by=push; content.updates_at=[300s]
            has: 45 sent update
            parts: rideTime 40s 60s 0; stageLag 40s 50s; stagesNeverShown 1 0
            parts: wrongStageTime 0 45s 0; displayedTime 0 55s 45s

        # On the screen from 0 to 20 and from 50 on.
        Stages that a swiped card has shown count; a card that is created again shows the current stage
            rides.stages=[{name: s0, duration: 40s}, {name: s1, duration: 60s}]; apns.latency=2s; devices.system_limit=200s
            devices.swipe={share: 1, after: 20s, recreated: 1}; devices.end_report=30s
            parts: rideTime 40s 60s 0; stageLag 0 10s; stagesNeverShown 0 0
            parts: wrongStageTime 0 0 0; displayedTime 20s 50s 2s
        """
    )
}
