import ModelChecks
import Quantities
import Studies
import TestSupport
import Testing

@testable import LiveActivityModel

@Suite("Determinism, in random scenarios")
struct DeterminismTests {
    @Test("Two runs are equal, even if one runs in slices", .enabled(if: Loop.isFull), arguments: 0..<50)
    func repeats(seed: UInt64) throws {
        let scenario = ScenarioSwarm.scenario(seed: seed)
        let one = FinishedCell(try ScenarioLoader.world(scenario))
        let other = FinishedCell(try ScenarioLoader.world(scenario), slices: 13)
        #expect(one.measurements == other.measurements)
        #expect(one.fingerprint == other.fingerprint)
        #expect(one.story == other.story)
    }

    @Test("Another replication has another history")
    func replications() throws {
        let world = try ScenarioLoader.world(ScenarioSwarm.scenario(seed: 3))
        #expect(FinishedCell(world).fingerprint != FinishedCell(world, replication: 1).fingerprint)
    }

    @Test(
        "Recording stories changes nothing, and the story of a ride is the same alone and among all",
        .enabled(if: Loop.isFull),
        arguments: 0..<50
    )
    func watching(seed: UInt64) throws {
        let world = try ScenarioLoader.world(ScenarioSwarm.scenario(seed: seed))
        for cell in 0..<world.scenario.cells {
            let unwatched = FinishedCell(world, ride: nil, cell: cell)
            #expect(unwatched.story.isEmpty)
            var simulation = CellSimulation(world: world, cell: cell, replication: 0, watch: .all)
            _ = simulation.run(through: .never)
            simulation.finish()
            #expect(simulation.measurements == unwatched.measurements)
            for ride in Set(simulation.story.map(\.ride)).sorted().prefix(5) {
                let watched = FinishedCell(world, ride: ride, cell: cell)
                #expect(watched.measurements == unwatched.measurements)
                #expect(watched.fingerprint == unwatched.fingerprint)
                #expect(watched.story == simulation.story.filter { $0.ride == ride })
            }
        }
    }
}
