import LiveActivityModel
import Testing

@testable import Experiments

@Suite("The run engine")
struct RunEngineTests {
    @Test("One job and three give the same measurements, fingerprints and order")
    func jobs() async throws {
        let one = try await RunResult.running(.smallPoisson, replications: 2, jobs: 1)
        let three = try await RunResult.running(.smallPoisson, replications: 2, jobs: 3)
        #expect(one.cells.map(\.measurements) == three.cells.map(\.measurements))
        #expect(one.cells.map(\.fingerprint) == three.cells.map(\.fingerprint))
        #expect(one.cells.map(\.replication) == three.cells.map(\.replication))
        #expect(one.cells.map(\.cell) == three.cells.map(\.cell))
        #expect(one.total == three.total)
        #expect(one.total[.activitiesStarted] > 0)
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
            // From inside, so that the run cannot be over first.
            withUnsafeCurrentTask { $0?.cancel() }
            return try await engine.run(progress: progress)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(progress.state.finishedTasks == 0)
        #expect(progress.state.tasks == 16)
    }
}
