import Quantities
import ScenarioLanguage
import SimulationKernel
import Testing

@testable import LiveActivityModel

@Suite("Rides, their stages and refreshes")
struct RideTests {
    @Test("A ride goes through its stages, and each beginning is announced")
    func stages() throws {
        let cell = try FinishedCell(.ride(10, 20, 30))
        #expect(cell.log(.ride) == ["0 requested", "0 stage 0", "10 stage 1", "30 stage 2", "60 completed"])
        #expect(cell.log(.push) == ["10 update shown", "30 update shown", "60 end ended"])
        #expect(cell[.ridesCompleted] == 1)
    }

    @Test(
        "A ride is cancelled before the end of the last stage that allows it, or not at all",
        arguments: [
            (after: 25, until: "", end: "25 cancelled"), (after: 25, until: "s1", end: "25 cancelled"),
            (after: 25, until: "s0", end: "60 completed"), (after: 9.999999, until: "s0", end: "9.999999 cancelled"),
            (after: 10, until: "s0", end: "60 completed"), (after: 29.999999, until: "s1", end: "29.999999 cancelled"),
            (after: 30, until: "s1", end: "60 completed"), (after: 30, until: "", end: "30 cancelled"),
            (after: 0, until: "s0", end: "0 cancelled"), (after: 60, until: "", end: "60 completed"),
        ] as [(after: Double, until: String, end: String)]
    )
    func cancellation(row: (after: Double, until: String, end: String)) throws {
        var scenario = Scenario.ride(10, 20, 30)
        scenario.rides.cancellation.share = .always
        scenario.rides.cancellation.after = .seconds(row.after)
        scenario.rides.cancellation.untilStage = row.until
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.ride).last == row.end)
        let isCancelled = row.end.hasSuffix("cancelled")
        #expect(cell[.ridesCancelled] == (isCancelled ? 1 : 0))
        #expect(cell[.endedCancelled] == (isCancelled ? 1 : 0))
        #expect(cell[.endedRideOver] == (isCancelled ? 0 : 1))
    }

    // MARK: - Refreshes

    @Test(
        "Refreshes restart at a stage change, or continue",
        arguments: [(true, ["8", "10", "18", "26"]), (false, ["8", "10", "16", "24"])]
    )
    func refreshes(restart: Bool, sent: [String]) throws {
        var scenario = Scenario.ride(10, 20)
        scenario.content.refresh = .seconds(8)
        scenario.content.refreshRestartsAtStateChange = restart
        #expect(try FinishedCell(scenario).log(.push).dropLast() == sent.map { "\($0) update shown" }[...])
    }

    @Test("Stages have their own refreshes, or none", arguments: [true, false])
    func refreshesOfStages(restart: Bool) throws {
        var scenario = Scenario.ride(10, 20, 30)
        scenario.rides.stages[1].refresh = .seconds(7)
        scenario.content.refreshRestartsAtStateChange = restart
        // None in stages 0 and 2; the changes of stage are announced at 10 and 30.
        #expect(
            try FinishedCell(scenario).log(.push).dropLast()
                == ["10", "17", "24", "30"].map { "\($0) update shown" }[...]
        )
    }

    @Test("Memoryless refreshes are as frequent as in a Poisson process, however often a stage change restarts them")
    func memorylessRefreshes() throws {
        var scenario = Scenario.ride().times(400)
        scenario.rides.stages = (0..<20).map { Scenario.Stage(name: "s\($0)", duration: .seconds(10)) }
        scenario.content.refresh = .exponential(mean: 20e6)
        let cell = try FinishedCell(scenario)
        let refreshes = Double(cell[.updatesSent] - 400 * 19)
        let mean = 400.0 * 200 / 20
        #expect(abs(refreshes - mean) < 4 * mean.squareRoot())
    }

    // MARK: - Traces

    @Test("A ride of a trace keeps the lengths of its stages, however short or long")
    func packing() {
        let lengths: [TimeSpan] = [
            TracedRide.longestStage, .zero, TimeSpan(microseconds: 1), TimeSpan(microseconds: 1 << 32),
            TimeSpan(microseconds: (1 << 32) - 1), .hours(100), .seconds(7), TracedRide.longestStage,
        ]
        for count in 0...TracedRide.mostStages {
            let ride = TracedRide(request: .start, stages: lengths.prefix(count), isCancelled: false)
            #expect(ride.stages == Array(lengths.prefix(count)))
            #expect((count..<10).allSatisfy { ride.duration(ofStage: $0) == .zero })
        }
        #expect(MemoryLayout<TracedRide>.stride == 56)
    }

    @Test("Rides of a trace take their stages from it; a cancelled one has only the stages that it began")
    func trace() throws {
        var scenario = Scenario.ride(1, 1, 1)
        scenario.rides.cancellation.share = .always
        scenario.clock.duration = .seconds(100)
        var trace = Scenario.Trace(file: "rides.csv")
        trace.rides = [
            TracedRide(request: .start + .seconds(3), stages: [7, 8, 9].map { .seconds($0) }, isCancelled: false),
            TracedRide(request: .start + .seconds(5), stages: [10, 20].map { .seconds($0) }, isCancelled: true),
            TracedRide(request: .start + .seconds(5), stages: [.zero, .seconds(4), .zero], isCancelled: false),
        ]
        scenario.rides.trace = trace
        let cells = try (UInt64(0)..<3).map { try FinishedCell(scenario, ride: $0) }
        #expect(cells[0].log(.ride) == ["3 requested", "3 stage 0", "10 stage 1", "18 stage 2", "27 completed"])
        #expect(cells[1].log(.ride) == ["5 requested", "5 stage 0", "15 stage 1", "35 cancelled"])
        #expect(cells[2].log(.ride) == ["5 requested", "5 stage 0", "5 stage 1", "9 stage 2", "9 completed"])
        #expect(cells[1].log(.activity).contains("35 ended: cancelled"))
        #expect(cells[0][.ridesCompleted] == 2)
        #expect(cells[0][.ridesCancelled] == 1)
    }
}
