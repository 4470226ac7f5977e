import Quantities
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel

@Suite("Cells in groups")
struct CellGroupTests {
    /// Two hours of rides, more than are announced at a time, with some refreshes each and an outage, in eight cells.
    private static func scenario(_ change: (inout Scenario) -> Void) -> Scenario {
        var scenario = Scenario()
        scenario.clock.duration = .hours(2)
        scenario.clock.drain = .hours(1)
        scenario.rides.arrivals.ratesPerHour = [3000, 0, 2000]
        scenario.rides.arrivals.rateInterval = .minutes(15)
        scenario.rides.stages = [Scenario.Stage(name: "on_trip", duration: .exponential(mean: 600e6))]
        scenario.content.refresh = .exponential(mean: 300e6)
        scenario.faults = [Scenario.Fault(kind: .apnsSilent, at: .minutes(40), duration: .minutes(5))]
        scenario.cells = 8
        change(&scenario)
        return scenario
    }

    private static let scenarios: [String: Scenario] = [
        "poisson": scenario { _ in },
        "empty": scenario { $0.rides.arrivals.ratesPerHour = [0] },
        "even": scenario {
            $0.rides.arrivals.process = .even
            $0.rides.arrivals.count = 500
            $0.rides.arrivals.spread = .hours(1)
        },
        // Longer than the stream calendar's search for empty slots.
        "warm": scenario { $0.clock.warmUp = .minutes(45) },
        // More rides at one instant than are announced at a time.
        "at once": scenario {
            $0.rides.arrivals.process = .even
            $0.rides.arrivals.count = 5000
            $0.rides.arrivals.at = .minutes(1)
            $0.content.refresh = nil
        },
        "traced": scenario {
            var trace = Scenario.Trace(file: "rides.csv")
            trace.rides = (0..<300)
                .map {
                    TracedRide(
                        request: .start + .seconds($0 / 3 * 60),
                        stages: [.seconds(900)],
                        isCancelled: $0 % 7 == 0
                    )
                }
            $0.rides.trace = trace
            $0.rides.scale = 1.5
        },
    ]

    private static func outcomes(
        _ world: World,
        _ cells: Range<Int>,
        replication: UInt32 = 0,
        limit: Int = 1 << 16
    ) -> [CellGroup.Outcome] {
        var group = CellGroup(world: world, cells: cells, replication: replication)
        while group.run(atMost: limit) {}
        return group.outcomes
    }

    @Test(
        "A cell has the same history in a group as alone, regardless of the other members",
        arguments: scenarios.keys.sorted(),
        [0..<8, 0..<3, 3..<8, 5..<6]
    )
    func sameHistory(name: String, cells: Range<Int>) throws {
        let world = try ScenarioLoader.world(try #require(Self.scenarios[name]))
        let outcomes = Self.outcomes(world, cells, replication: 3)
        #expect(outcomes.map(\.cell) == Array(cells))
        for outcome in outcomes {
            let alone = FinishedCell(world, ride: nil, cell: outcome.cell, replication: 3)
            #expect(outcome.fingerprint == alone.fingerprint, "cell \(outcome.cell)")
            var (one, other) = (outcome.measurements, alone.measurements)
            // The series that the cells of a group share is compared in SenderCourseTests.
            (one.senderCourse, other.senderCourse) = (SenderCourse(), SenderCourse())
            #expect(one == other, "cell \(outcome.cell)")
            #expect((outcome.measurements[.ridesRequested] > 0) == (name != "empty"))
        }
    }

    @Test("The number of events per call does not matter", arguments: [1, 7, 1000])
    func slices(limit: Int) throws {
        let world = try ScenarioLoader.world(Self.scenario { _ in })
        let whole = Self.outcomes(world, 2..<6)
        let sliced = Self.outcomes(world, 2..<6, limit: limit)
        #expect(sliced.map(\.fingerprint) == whole.map(\.fingerprint))
        #expect(sliced.map(\.measurements) == whole.map(\.measurements))
    }

    /// Each of ten pending events may include up to 64 refreshes, with a response and a delivery each.
    @Test("A group counts the events and the time of its cells, and no slice exceeds its limit")
    func progress() throws {
        let world = try ScenarioLoader.world(Self.scenario { _ in })
        var group = CellGroup(world: world, cells: 0..<4, replication: 0)
        var events: UInt64 = 0
        while group.run(atMost: 10) {
            #expect(group.eventCount - events <= 10 * 65 * 3)
            events = group.eventCount
        }
        #expect(group.eventCount == group.outcomes.reduce(0) { $0 + $1.measurements.eventCount })
        #expect(group.simulatedTime == .hours(12))
    }

    /// A quiet quarter of an hour, in which the sender always seems free, and then more rides than it has streams.
    @Test("A group whose assumption fails restarts, with the history of a group without assumptions")
    func misspeculation() throws {
        let scenario = Self.scenario {
            $0.faults = []
            $0.cells = 2
            $0.rides.arrivals.ratesPerHour = [200, 6000]
            $0.rides.arrivals.rateInterval = .minutes(15)
            $0.clock.duration = .minutes(30)
            $0.content.refresh = .exponential(mean: 20e6)
            $0.sender.connections = 1
            $0.sender.streams = 24
            $0.sender.requestTime = .exponential(mean: 1e6)
        }
        let world = try ScenarioLoader.world(scenario)
        var cell = CellSimulation(world: world, cell: 0, replication: 0, speculation: .accelerated)
        _ = cell.run(through: .never)
        let hasMisspeculated = cell.hasMisspeculated
        #expect(hasMisspeculated)
        var cautious = CellGroup(world: world, cells: 0..<2, replication: 0, speculation: .none)
        while cautious.run(atMost: 1000) {}
        var group = CellGroup(world: world, cells: 0..<2, replication: 0)
        var most: UInt64 = 0
        var beganAnew = false
        while group.run(atMost: 1000) {
            beganAnew = beganAnew || group.eventCount < most
            most = max(most, group.eventCount)
        }
        #expect(beganAnew)
        let (outcomes, expected) = (group.outcomes, cautious.outcomes)
        #expect(outcomes.map(\.fingerprint) == expected.map(\.fingerprint))
        #expect(outcomes.map(\.measurements) == expected.map(\.measurements))
    }

    @Test("A group can be abandoned half way")
    func leftHalfWay() throws {
        let world = try ScenarioLoader.world(Self.scenario { _ in })
        var group = CellGroup(world: world, cells: 0..<8, replication: 0)
        while group.outcomes.isEmpty {
            let goesOn = group.run(atMost: 50)
            #expect(goesOn)
        }
        #expect(group.outcomes.map(\.cell) == [0])
    }
}
