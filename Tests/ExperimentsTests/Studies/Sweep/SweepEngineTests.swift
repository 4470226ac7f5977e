import Foundation
import LiveActivityModel
import SimulationKernel
import Synchronization
import TestSupport
import Testing

@testable import Evaluation
@testable import ScenarioLanguage
@testable import Studies

@Suite("The sweep engine")
struct SweepEngineTests {
    private let directory = Scratch()
    private let store: TaskStore

    init() throws {
        store = TaskStore(path: directory.path("tasks"))
    }

    /// Builds a sweep whose file exists until the test ends.
    private func sweep(_ yaml: String = SmallSweep.scenario + SmallSweep.factors) throws -> Sweep {
        try Sweep(ScenarioReader.read(file: directory.write(yaml, to: "town.yaml")))
    }

    /// Runs the tasks without results; returns how many already had one.
    private func run(
        _ sweep: Sweep,
        _ tasks: [RunTask]? = nil,
        jobs: Int = 2,
        progress: RunProgress = RunProgress()
    ) async throws -> Int {
        let resumed = Mutex(0)
        try await SweepEngine(sweep: sweep, store: store, jobs: jobs)
            .run(tasks, progress: progress) { kept, all in
                #expect(0 < kept && kept <= all && progress.state.tasks == 0)
                resumed.withLock { $0 = kept }
            }
        return resumed.withLock { $0 }
    }

    @Test("Any number of jobs stores the same results", .enabled(if: Loop.isFull), arguments: [2, 5])
    func jobs(_ jobs: Int) async throws {
        let sweep = try sweep()
        #expect(try await run(sweep, jobs: 1) == 0)
        let one = try directory.contents(of: "tasks")
        #expect(one.count == 10)
        try store.remove()
        #expect(try await run(sweep, jobs: jobs) == 0)
        #expect(try directory.contents(of: "tasks") == one)
    }

    @Test("Finished tasks are not run again; damaged ones are")
    func resumes() async throws {
        let sweep = try sweep()
        #expect(try await run(sweep, Array(sweep.tasks[3..<6])) == 0)
        #expect(try directory.contents(of: "tasks").count == 3)
        let progress = RunProgress()
        #expect(try await run(sweep, progress: progress) == 3)
        #expect(progress.state.tasks == 30)
        #expect(progress.state.finishedTasks == 30)
        let whole = try directory.contents(of: "tasks")
        let victim = "\(sweep.tasks[7].id).task"
        try directory.write("half", to: "tasks/\(victim)")
        #expect(try await run(sweep) == 9)
        #expect(try directory.contents(of: "tasks") == whole)
    }

    @Test("Points that resolve to one scenario share their tasks")
    func sharedTasks() async throws {
        let sweep = try sweep(
            SmallSweep.scenario
                + "factors: {vary: {content.ttl: {a: 90s, b: 1m30s, c: 91s}}, responses: [events_count]}"
        )
        #expect(sweep.tasks.count == 3)
        #expect(Set(sweep.tasks.map(\.id)).count == 2)
        #expect(try await run(sweep) == 0)
        #expect(try directory.contents(of: "tasks").count == 2)
        let result = try SweepResult(sweep, from: store)
        #expect(result.points[0].rows == result.points[1].rows)
    }

    @Test("A cancelled sweep throws and keeps complete results")
    func cancelled() async throws {
        let sweep = try sweep()
        let engine = SweepEngine(sweep: sweep, store: store, jobs: 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await engine.run(progress: RunProgress())
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try directory.contents(of: "tasks").isEmpty)
    }

    @Test("Folding names the tasks without results")
    func missing() async throws {
        let sweep = try sweep()
        _ = try await run(sweep, Array(sweep.tasks[2..<9]))
        let error = #expect(throws: SweepResult.MissingTasks.self) { try SweepResult(sweep, from: store) }
        #expect(
            error?.description
                == "3 of 10 tasks have no result yet: 0-1,9; the first is replication 0 of design point 0"
        )
    }

    @Test("A design point is an ordinary run of its scenario: measurements, fingerprints, intervals")
    func pointsAreRuns() async throws {
        let sweep = try sweep()
        _ = try await run(sweep)
        let result = try SweepResult(sweep, from: store)
        for point in result.points {
            let plain = try directory.write(SmallSweep.scenario + "replications: 2\n", to: "plain.yaml")
            let world = try ScenarioLoader.load(file: plain, settings: point.point.settings(sweep.factors))
            #expect(RunID(world.scenario) == point.point.run)
            let alone = try await RunEngine(world: world, jobs: 2).run(progress: RunProgress())
            #expect(point.fingerprint == alone.fingerprint)
            #expect(point.events == alone.total.eventCount)
            let folded = try SweepResult.runResult(of: point.point, sweep, from: store)
            #expect(folded.total == alone.total)
            #expect(folded.perReplication == alone.perReplication)
            for (index, response) in sweep.factors.responses.enumerated() {
                let row = try response.resolve(in: world.scenario).row(in: alone)
                #expect(point.sums[index]?.value == row?.value)
                if let interval = row?.interval { #expect(point.sums[index]?.interval == interval) }
                #expect(point.rows[index] == point.sums[index]?.perReplication(alone.replications))
            }
        }
    }

    @Test("Data that change during a sweep do not affect it; a newly built one is another sweep")
    func changedData() async throws {
        let header = "gap\n"
        try directory.write(header + "10s\n20s\n", to: "gaps.csv")
        let yaml =
            SmallSweep.scenario.replacing(
                "refresh: {constant: 60s}",
                with: "refresh: {empirical: {file: gaps.csv, column: gap, unit: s}}"
            )
            + "factors: {vary: {content.ttl: [1m, 2m]}}"
        try directory.write("gap\n10\n20\n", to: "gaps.csv")
        let sweep = try sweep(yaml)
        _ = try await run(sweep, [sweep.tasks[0]])
        try directory.write("gap\n10\n21\n", to: "gaps.csv")
        #expect(try await run(sweep) == sweep.tasks.count - 1)
        let anew = try self.sweep(yaml)
        #expect(zip(anew.points, sweep.points).allSatisfy { $0.run != $1.run })
    }
}
