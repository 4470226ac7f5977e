public import LiveActivityModel
import ScenarioLanguage
import TextFormats

/// Runs the tasks of a sweep on a few threads and stores their results.
///
/// Each task runs on one thread, from values alone, so the number of threads does not affect the results.
public struct SweepEngine: Sendable {
    /// The sweep to run.
    public let sweep: Sweep
    /// The store of the results.
    public let store: TaskStore
    /// The number of tasks that run at the same time.
    public let jobs: Int
    /// The limit of speculation in cells.
    public let speculation: Speculation

    /// Creates an engine for a sweep.
    ///
    /// - Precondition: `jobs` is at least 1.
    public init(sweep: Sweep, store: TaskStore, jobs: Int, speculation: Speculation = .accelerated) {
        precondition(jobs >= 1, "no thread to run it")
        self.sweep = sweep
        self.store = store
        self.jobs = jobs
        self.speculation = speculation
    }

    /// Runs all tasks that have no result yet.
    ///
    /// Existing results are trusted. The owner of the store makes sure that they are of this version of the model
    /// (``TaskStore/keepOnly(resultsOf:)``, ``PlanDirectory``).
    ///
    /// - Parameters:
    ///   - tasks: The tasks to run; nil for all.
    ///   - progress: The progress, updated while tasks run; read it from another task.
    ///   - resumes: Called before the first task runs, with the number of existing results and the number of tasks; not
    ///     called if there are no results.
    /// - Throws: `CancellationError` if the task is cancelled, in which case complete results are kept;
    ///   `TaskStore.WriteError`; `ScenarioError` if data files have changed meanwhile.
    public func run(
        _ tasks: [RunTask]? = nil,
        progress: RunProgress,
        resumes: @Sendable (_ kept: Int, _ all: Int) -> Void = { _, _ in }
    ) async throws {
        try store.prepare()
        let worlds = ReadyWorlds(sweep: sweep, keepsAll: false)
        try await run(tasks ?? sweep.tasks, worlds: worlds, progress: progress, resumes: resumes)
    }

    /// Runs all tasks that have no result yet, in a prepared store.
    func run(
        _ tasks: [RunTask],
        worlds: ReadyWorlds,
        progress: RunProgress,
        resumes: @Sendable (_ kept: Int, _ all: Int) -> Void = { _, _ in }
    ) async throws {
        // Points that resolve to the same scenario share their tasks.
        let chosen = tasks.unique(by: \.id)
        let missing = chosen.filter { !store.holds($0) }
        if missing.count < chosen.count { resumes(chosen.count - missing.count, chosen.count) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            var rest = missing[...]
            var hasBegun = false
            func addTask() throws {
                guard let task = rest.popFirst() else { return }
                let world = try worlds.world(ofPoint: task.point)
                if !hasBegun {
                    hasBegun = true
                    let cells = chosen.reduce(0) { $0 + $1.cells.count }
                    let finished = cells - missing.reduce(0) { $0 + $1.cells.count }
                    progress.begin(tasks: cells, finished: finished, horizon: world.horizon)
                }
                group.addTask {
                    let results = try await RunEngine.run(
                        task.cells,
                        of: world,
                        replication: task.replication,
                        speculation: speculation,
                        progress: progress
                    )
                    try store.keep(TaskResult(results, keepsCells: task.keepsCells), of: task)
                }
            }
            for _ in 0..<jobs { try addTask() }
            while try await group.next() != nil { try addTask() }
        }
    }
}

/// The scenarios of design points with their data, loaded on demand.
///
/// It is a class because it accompanies a search that suspends in between. Only one task uses it.
final class ReadyWorlds {
    private let sweep: Sweep
    private let points: [Int: DesignPoint]
    /// `true` if all are kept; otherwise only the last one is, which is enough if tasks come point by point.
    private let keepsAll: Bool
    private var worlds: [Int: World] = [:]

    init(sweep: Sweep, keepsAll: Bool) {
        self.sweep = sweep
        self.keepsAll = keepsAll
        points = Dictionary((sweep.points + sweep.presents).map { ($0.number, $0) }) { first, _ in first }
    }

    /// Returns the scenario of a design point.
    ///
    /// - Precondition: The sweep has this point.
    func world(ofPoint number: Int) throws(ScenarioError) -> World {
        if let world = worlds[number] { return world }
        guard let point = points[number] else { preconditionFailure("a task of another sweep") }
        let world = try sweep.world(of: point)
        if !keepsAll { worlds = [:] }
        worlds[number] = world
        return world
    }
}
