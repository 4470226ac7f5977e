import Quantities
import SimulationKernel
import Testing

@testable import LiveActivityModel

/// A ride of 40 s in one stage and 60 s in the next, and the stage that its screen shows.
@Suite("Stages on screens")
struct StageOnScreenTests {
    private struct Seen: Equatable {
        /// By stage [s].
        var lags: [Int64]
        var neverShown: [Int64]
        /// By stage, then after the ride [s].
        var wrong: [Int64]
        var shown: [Int64]

        init(lags: [Int64], neverShown: [Int64] = [0, 0], wrong: [Int64], shown: [Int64]) {
            (self.lags, self.neverShown, self.wrong, self.shown) = (lags, neverShown, wrong, shown)
        }

        init(_ scenario: Scenario) throws {
            let measurements = try FinishedCell(scenario).measurements
            lags = measurements.parts(of: .stageLag).map { $0.sum / 1_000_000 }
            neverShown = measurements.parts(of: .stagesNeverShown)
            wrong = measurements.parts(of: .wrongStageTime).map { $0 / 1_000_000 }
            shown = measurements.parts(of: .displayedTime).map { $0 / 1_000_000 }
            #expect(measurements.parts(of: .rideTime).map { $0 / 1_000_000 } == [40, 60, 0])
        }
    }

    private static func ride() -> Scenario {
        var scenario = Scenario.ride(40, 60)
        scenario.apns.latency = .seconds(2)
        scenario.devices.systemLimit = .seconds(200)
        return scenario
    }

    @Test("Until the update arrives the screen shows the previous stage")
    func onTime() throws {
        #expect(try Seen(Self.ride()) == Seen(lags: [0, 2], wrong: [0, 2, 0], shown: [40, 60, 2]))
    }

    @Test("A stage that no screen shows counts with its length; after the ride no stage is wrong")
    func lost() throws {
        var scenario = Self.ride()
        scenario.apns.loss = .always
        let seen = try Seen(scenario)
        #expect(seen == Seen(lags: [0, 60], neverShown: [0, 1], wrong: [0, 60, 0], shown: [40, 60, 100]))
    }

    @Test("A ride without an activity shows none of its stages, but still counts")
    func noActivity() throws {
        var scenario = Self.ride()
        scenario.devices.activitiesEnabled = .never
        #expect(try Seen(scenario) == Seen(lags: [40, 60], neverShown: [1, 1], wrong: [0, 0, 0], shown: [0, 0, 0]))
    }

    @Test("An activity that starts late shows the current stage")
    func lateStart() throws {
        var scenario = Self.ride()
        scenario.devices.start.time = .seconds(50)
        #expect(try Seen(scenario) == Seen(lags: [40, 10], neverShown: [1, 0], wrong: [0, 0, 0], shown: [0, 50, 2]))
    }

    /// Before the fix, the server treated its content at the request as current, and did not announce the later stage.
    @Test("A push-to-start that is a stage late is corrected as soon as there is a token")
    func lateStartPush() throws {
        var scenario = Self.ride()
        scenario.devices.start.by = .push
        scenario.apns.latency = .seconds(45)
        scenario.update(at: 300)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.request).contains("45 sent update"))
        #expect(
            try Seen(scenario) == Seen(lags: [40, 50], neverShown: [1, 0], wrong: [0, 45, 0], shown: [0, 55, 45])
        )
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

    @Test("Stages that a swiped card has shown count; a card that is created again shows the current stage")
    func recreated() throws {
        var scenario = Self.ride()
        scenario.devices.swipe.share = .always
        scenario.devices.swipe.after = .seconds(20)
        scenario.devices.swipe.recreated = .always
        scenario.devices.endReport = .seconds(30)
        // On the screen from 0 to 20 and from 50 on.
        #expect(try Seen(scenario) == Seen(lags: [0, 10], wrong: [0, 0, 0], shown: [20, 50, 2]))
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
}
