public import LiveActivityModel

/// Runs the tasks of a sweep on a few threads and keeps their results.
///
/// A task is one thread's; how many there are cannot show in the results, for each is made from values alone.
public struct SweepEngine: Sendable {
    /// What to run.
    public let sweep: Sweep
    /// Where results are kept.
    public let store: TaskStore
    /// How many tasks run at the same time.
    public let jobs: Int
    /// The limit of speculation in cells.
    public let speculation: Speculation

    /// A sweep to be run.
    ///
    /// - Precondition: `jobs` is at least 1.
    public init(sweep: Sweep, store: TaskStore, jobs: Int, speculation: Speculation = .optimistic) {
        precondition(jobs >= 1, "no thread to run it")
        self.sweep = sweep
        self.store = store
        self.jobs = jobs
        self.speculation = speculation
    }

    /// Runs what has no result yet.
    ///
    /// Results that are there are believed; that they are of this version of the model is for the owner of the store to
    /// see to (``TaskStore/keepOnly(resultsOf:)``, ``PlanDirectory``).
    ///
    /// - Parameters:
    ///   - tasks: Which tasks; nil for all.
    ///   - progress: Is updated while tasks run; read it from another task.
    ///   - resumes: Told before the first task runs how many results are there already, and of how many; not called if there
    ///     are none.
    /// - Throws: `CancellationError` when the task is cancelled; whole results are kept then. `TaskStore.WriteError`,
    ///   `ScenarioError` when data files have changed meanwhile.
    public func run(
        _ tasks: [RunTask]? = nil,
        progress: RunProgress,
        resumes: @Sendable (_ kept: Int, _ all: Int) -> Void = { _, _ in }
    ) async throws {
        try store.prepare()
        let worlds = ReadyWorlds(sweep: sweep, keepsAll: false)
        try await run(tasks ?? sweep.tasks, worlds: worlds, progress: progress, resumes: resumes)
    }

    /// Runs what has no result yet, in a store that is ready.
    func run(
        _ tasks: [RunTask],
        worlds: ReadyWorlds,
        progress: RunProgress,
        resumes: @Sendable (_ kept: Int, _ all: Int) -> Void = { _, _ in }
    ) async throws {
        // Points that resolve to one scenario share their tasks.
        var known: Set<TaskID> = []
        let chosen = tasks.filter { known.insert($0.id).inserted }
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

/// The scenarios of design points, made ready when they are needed.
///
/// A class, as it goes along with a search that waits in between; only one task works with it.
final class ReadyWorlds {
    private let sweep: Sweep
    private let points: [Int: DesignPoint]
    /// Whether all are kept; else only the last one, which is enough where tasks come point by point.
    private let keepsAll: Bool
    private var worlds: [Int: World] = [:]

    init(sweep: Sweep, keepsAll: Bool) {
        self.sweep = sweep
        self.keepsAll = keepsAll
        points = Dictionary(sweep.points.map { ($0.number, $0) }) { first, _ in first }
    }

    /// The scenario of a design point.
    ///
    /// - Precondition: The sweep has such a point.
    func world(ofPoint number: Int) throws(ScenarioError) -> World {
        if let world = worlds[number] { return world }
        guard let point = points[number] else { preconditionFailure("a task of another sweep") }
        let world = try sweep.world(of: point)
        if !keepsAll { worlds = [:] }
        worlds[number] = world
        return world
    }
}
