import Quantities
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel

/// One ride, whose estimates follow from the settings without a draw.
@Suite("The ETA on screens")
struct ETATests {
    /// A ride of one stage with an estimate in steps of 10 s.
    private static func ride(_ seconds: Double, updatesAt: [Double], _ change: (inout Scenario.ETA) -> Void) -> Scenario
    {
        var scenario = Scenario.ride(seconds)
        scenario.content.updatesAt = updatesAt.map { TimeSpan(microseconds: Int64($0 * 1e6)) }
        var eta = Scenario.ETA()
        change(&eta)
        scenario.content.eta = eta
        scenario.measure.etaErrorOver = [.seconds(2)]
        return scenario
    }

    /// The mean absolute error, the mean signed error, and the time with more than 2 s [s], each times the length of the ride.
    private static func sums(_ scenario: Scenario) throws -> [Double] {
        let measurements = try FinishedCell(scenario).measurements
        let error = measurements.etaError()
        return [
            (error.mean ?? 0) * Double(error.time) / 1e12, Double(measurements.etaBias()) / 1e6,
            Double(measurements[.timeOverETAError]) / 1e6,
        ]
    }

    @Test("A card that counts down is wrong by the change of the estimate since its content")
    func countdown() throws {
        let scenario = Self.ride(100, updatesAt: [25, 45]) { ($0.drift, $0.timer) = (0.1, true) }
        // One second later in each step. Until 25: 0, 1, 2; until 45: 0, 1, 2; until 100: 0, 1, 2, 3, 4, 5. Sums: 20, 20, 150.
        #expect(try Self.sums(scenario) == [190, -190, 30])
    }

    @Test("Without changes, the error of a card without a countdown is the age of its content")
    func age() throws {
        let scenario = Self.ride(100, updatesAt: [25, 45]) { _ in }
        let measurements = try FinishedCell(scenario).measurements
        #expect(measurements.etaError() == measurements.ageDuringRide)
        #expect(try Self.sums(scenario) == [2025, 2025, 94])
    }

    @Test("An estimate that moves by more than the time that passes makes the error change its sign")
    func sign() throws {
        let scenario = Self.ride(30, updatesAt: []) {
            ($0.jumpShare, $0.jump, $0.lateShare) = (.always, .seconds(15), .always)
        }
        // 0 to 10, then -5 to 5, then -10 to 0.
        #expect(try Self.sums(scenario) == [125, 0, 22])
    }

    @Test("Content that is late has the estimate of its generation")
    func latency() throws {
        var scenario = Self.ride(100, updatesAt: [25]) { ($0.drift, $0.timer) = (0.1, true) }
        scenario.apns.latency = .seconds(20)
        // Until 45 the first content: 0, 1, 2, 3, 4; then that of 25, which has 2: 2, 3, 4, 5, 6, 7. Sums: 80, 260.
        #expect(try Self.sums(scenario) == [340, -340, 65])
    }

    @Test("Time with an earlier stage has no error")
    func stages() throws {
        var scenario = Self.ride(40, updatesAt: []) { ($0.drift, $0.timer) = (0.1, true) }
        scenario.rides.stages.append(Scenario.Stage(name: "s1", duration: .seconds(60)))
        scenario.apns.latency = .seconds(15)
        // 0, 1, 2, 3 until 40; the second stage is on the screen from 55, with the estimate of 40.
        #expect(try Self.sums(scenario) == [205, -205, 40])
        #expect(try FinishedCell(scenario).measurements.etaError().time == 85_000_000)
    }

    @Test("A progress bar is behind by the age of its content, as a share of the stage")
    func bar() throws {
        let scenario = Self.ride(100, updatesAt: [50]) { _ in }
        // Twice from 0 to a half, in 50 s each.
        #expect(try FinishedCell(scenario).measurements[.barError] == 2 * 12_500_000)
    }

    @Test("A progress bar that moves without updates is wrong by the change of the estimate, as a share of the stage")
    func barTimer() throws {
        let scenario = Self.ride(100, updatesAt: [25, 45]) { ($0.drift, $0.barTimer) = (0.1, true) }
        // The sums of `countdown()`, without regard to the age that a number of minutes has.
        #expect(try FinishedCell(scenario).measurements[.barError] == 1_900_000)
    }

    // MARK: - Recorded estimates

    /// Estimates of a ride by their time and arrival [s].
    private static func series(_ parts: [[(Int64, Int64)]], stageCount: Int = 0) -> ETASeries {
        var series = ETASeries(stageCount: stageCount)
        for part in parts {
            series.addPart(part.map { ETASeries.Estimate(at: .seconds($0.0), arrival: .seconds($0.1)) })
        }
        return series
    }

    @Test("Recorded estimates change when they did, and the first holds before its time")
    func recorded() throws {
        let scenario = Self.ride(100, updatesAt: [50]) {
            $0.timer = true
            $0.series = Self.series([[(5, 100), (20, 110), (60, 104)]])
        }
        // 0 until 20, 10 too early until 50, 0 until 60, 6 too late until 100.
        #expect(try Self.sums(scenario) == [300 + 240, -300 + 240, 70])
    }

    @Test("With stages, times count from the beginning of each")
    func recordedByStage() throws {
        var scenario = Self.ride(40, updatesAt: []) {
            $0.timer = true
            $0.series = Self.series([[(0, 40), (30, 43)], [(0, 60), (10, 64)]], stageCount: 2)
        }
        scenario.rides.stages.append(Scenario.Stage(name: "s1", duration: .seconds(60)))
        // 3 from 30 to 40, and 4 from 50 to 100.
        #expect(try Self.sums(scenario) == [30 + 200, -230, 60])
    }

    @Test("A ride of a trace has its own estimates; without any, nothing is measured and nothing moves")
    func recordedOfTrace() throws {
        var scenario = Self.ride(100, updatesAt: []) {
            $0.timer = true
            $0.series = Self.series([[(0, 100)], [(0, 100), (40, 107)]])
        }
        var moved = Scenario.RefreshWhenMoved()
        moved.whenMoved = .seconds(5)
        scenario.content.refreshing = .whenMoved(moved)
        var trace = Scenario.Trace(file: "")
        trace.rides = [TracedRide(request: .start, stages: [.seconds(100)], isCancelled: false, estimates: 2)]
        scenario.rides.trace = trace
        #expect(try FinishedCell(scenario).log([.push]) == ["40 update shown", "100 end ended"])
        trace.rides[0].estimates = 0
        scenario.rides.trace = trace
        let cell = try FinishedCell(scenario)
        #expect(cell.log([.push]) == ["100 end ended"])
        #expect(cell.measurements.etaError().time == 0)
    }

    @Test("A drawn ride has the estimates of a ride of the file, by its own draw")
    func recordedOfDrawnRides() throws {
        var scenario = Scenario.crowd()
        var eta = Scenario.ETA()
        eta.timer = true
        // Only the third is ever wrong: from 1 s on, until the second stage begins at 60 s.
        eta.series = Self.series([[(0, 1000)], [(0, 1000), (0, 1100)], [(0, 1000), (1, 1100)]])
        scenario.content.eta = eta
        scenario.content.refresh = nil
        scenario.measure.etaErrorOver = [.seconds(99)]
        let world = try ScenarioLoader.world(scenario)
        let ahead = FinishedCell(world, ride: nil, speculation: .accelerated).measurements
        #expect(FinishedCell(world, ride: nil).measurements == ahead)
        let (rides, rest) = ahead[.timeOverETAError].quotientAndRemainder(dividingBy: 59_000_000)
        #expect(rest == 0)
        #expect(rides > 100 && rides < 170)
    }

    // MARK: - Refreshes

    /// The seconds of the refreshes in a ride whose estimate moves by 2 s in each step.
    private static func refreshes(_ policy: (inout Scenario.RefreshWhenMoved) -> Void) throws -> [String] {
        var scenario = Self.ride(100, updatesAt: []) { $0.drift = 0.2 }
        var moved = Scenario.RefreshWhenMoved()
        moved.whenMoved = .seconds(5)
        policy(&moved)
        scenario.content.refreshing = .whenMoved(moved)
        return try FinishedCell(scenario).log([.push])
    }

    @Test("A refresh is sent when the estimate has moved")
    func moved() throws {
        #expect(
            try Self.refreshes { _ in } == [
                "30 update shown", "60 update shown", "90 update shown", "100 end ended",
            ]
        )
    }

    @Test("A refresh waits for the shortest time, and comes at the longest")
    func bounds() throws {
        #expect(
            try Self.refreshes { $0.atMostEvery = .seconds(43) } == [
                "43 update shown", "86 update shown", "100 end ended",
            ]
        )
        #expect(
            try Self.refreshes { $0.atLeastEvery = .seconds(25) }
                == [
                    "25 update shown", "50 update shown", "75 update shown", "100 update shown", "100 end ended",
                ]
                .filter { !$0.hasPrefix("100 update") }
        )
    }

    @Test("Ahead of time and event by event, the measurements are the same")
    func aheadOfTime() throws {
        var scenario = Scenario.crowd()
        var eta = Scenario.ETA()
        (eta.noise, eta.jumpShare, eta.drift) = (.exponential(mean: 5e6), Probability(0.05), 0.1)
        scenario.content.eta = eta
        let world = try ScenarioLoader.world(scenario)
        let ahead = FinishedCell(world, ride: nil, speculation: .accelerated).measurements
        #expect(FinishedCell(world, ride: nil).measurements == ahead)
        #expect(ahead.etaError().time > 0)
    }
}
