import LiveActivityModel
import TestSupport
import Testing

@testable import Evaluation
@testable import Studies

@Suite("The run engine")
struct RunEngineTests {
    @Test(
        "Any number of jobs gives the same measurements, fingerprints and order",
        arguments: [
            (cells: 8, replications: 2, jobs: 3),
            // More jobs than groups.
            (cells: 8, replications: 1, jobs: 40),
            // One group.
            (cells: 1, replications: 1, jobs: 2),
            // Groups of several cells, in several replications.
            (cells: 40, replications: 3, jobs: 2),
            (cells: 40, replications: 3, jobs: 100),
        ]
    )
    func jobs(row: (cells: Int, replications: Int, jobs: Int)) async throws {
        var scenario = Scenario.smallPoisson
        scenario.cells = row.cells
        let one = try await RunResult.running(scenario, replications: row.replications, jobs: 1)
        let many = try await RunResult.running(scenario, replications: row.replications, jobs: row.jobs)
        #expect(one.cells.map(\.measurements) == many.cells.map(\.measurements))
        #expect(one.perReplication == many.perReplication)
        #expect(one.fingerprints == many.fingerprints)
        for result in [one, many] {
            #expect(result.cells.map(\.cell) == (row.replications == 1 ? Array(0..<row.cells) : []))
            #expect(result.fingerprints.count == row.replications * row.cells)
        }
        #expect(one.total == many.total)
        #expect(one.total[.activitiesStarted] > 0)
    }

    @Test(
        "Groups contain each cell once, in order; there are few, and the last ones are small",
        .enabled(if: Loop.isFull)
    )
    func groups() {
        for count in 1...2000 {
            let groups = RunEngine.groups(ofCells: count)
            #expect(groups.flatMap { Array($0) } == Array(0..<count))
            #expect(groups.count <= 24, "\(count) cells")
            #expect(groups.allSatisfy { $0.count <= (count + 15) / 16 }, "\(count) cells")
            #expect(groups[groups.count - 1].count <= (count + 63) / 64, "\(count) cells")
        }
        let sizes = RunEngine.groups(ofCells: 64).map(\.count)
        #expect(sizes == [Int](repeating: 4, count: 12) + [Int](repeating: 2, count: 4) + [Int](repeating: 1, count: 8))
    }

    @Test("Progress ends with every cell done and every event counted")
    func progress() async throws {
        let progress = RunProgress()
        let world = try ScenarioLoader.world(.smallPoisson)
        let result = try await RunEngine(world: world, replications: 2, jobs: 2).run(progress: progress)
        #expect(progress.state.finishedTasks == 16)
        #expect(progress.state.tasks == 16)
        #expect(progress.state.events == result.total.eventCount)
        #expect(progress.state.share == 1)
    }

    @Test("A cancelled task throws, and no cell is finished")
    func cancellation() async throws {
        let progress = RunProgress()
        let engine = RunEngine(world: try ScenarioLoader.world(.smallPoisson), replications: 2, jobs: 2)
        let task = Task {
            // Cancels from within, so that the run cannot end first.
            withUnsafeCurrentTask { $0?.cancel() }
            return try await engine.run(progress: progress)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(progress.state.finishedTasks == 0)
        #expect(progress.state.tasks == 16)
    }
}
