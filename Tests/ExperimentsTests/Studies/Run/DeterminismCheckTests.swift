import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@testable import Studies

/// The check that two runs have one event history, and that it detects differences.
struct DeterminismCheckTests {
    private static func world(_ change: (inout Scenario) -> Void = { _ in }) throws -> World {
        var scenario = Scenario()
        scenario.clock.duration = .minutes(30)
        scenario.clock.drain = .hours(1)
        scenario.content.refresh = .exponential(mean: 20e6)
        scenario.apns.latency = .exponential(mean: 1e6)
        scenario.cells = 2
        change(&scenario)
        return try ScenarioLoader.world(scenario)
    }

    @Test func equalRunsHaveNoDifference() async throws {
        let difference = try await DeterminismCheck.run(world: DeterminismCheckTests.world(), replications: 2)
        #expect(difference == nil)
    }

    @Test func namesTheFirstEventThatDiffers() async throws {
        let world = try DeterminismCheckTests.world()
        let difference = try #require(
            try await DeterminismCheck.compare(
                CellSimulation(world: world, cell: 0, replication: 0),
                CellSimulation(world: world, cell: 0, replication: 1),
                replication: 0
            )
        )
        #expect(difference.eventsAlike == 0)
        #expect(difference.events.compactMap { $0?.kind } == ["arrival", "arrival"])
        #expect(difference.events[0] != difference.events[1])
    }

    /// A run that stops early differs; so does a run that only measured something else.
    @Test func noticesMissingEventsAndOtherMeasurements() async throws {
        let whole = try DeterminismCheckTests.world()
        let short = try DeterminismCheckTests.world { $0.clock.drain = .zero }
        let difference = try await DeterminismCheck.compare(
            CellSimulation(world: whole, cell: 0, replication: 0),
            CellSimulation(world: short, cell: 0, replication: 0),
            replication: 0
        )
        #expect(difference != nil)

        let finer = try DeterminismCheckTests.world { $0.clock.window = .minutes(1) }
        let measured = try await DeterminismCheck.compare(
            CellSimulation(world: whole, cell: 0, replication: 0),
            CellSimulation(world: finer, cell: 0, replication: 0),
            replication: 0
        )
        #expect(measured?.events == [nil, nil])
    }

    @Test func noticesASpeculativeRunWithAnotherHistory() async throws {
        let world = try DeterminismCheckTests.world()
        for (replication, isOfSpeculation) in [(0, false), (1, true)] {
            let speculative = try await RunEngine.run(
                0..<1,
                of: world,
                replication: replication,
                progress: RunProgress()
            )
            let difference = try await DeterminismCheck.compare(
                CellSimulation(world: world, cell: 0, replication: 0),
                CellSimulation(world: world, cell: 0, replication: 0),
                replication: 0,
                speculative: speculative.first
            )
            #expect((difference != nil) == isOfSpeculation)
            #expect(difference?.isOfSpeculation ?? false == isOfSpeculation)
        }
    }
}
