import LiveActivityModel

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

    /// A sweep to be run.
    ///
    /// - Precondition: `jobs` is at least 1.
    public init(sweep: Sweep, store: TaskStore, jobs: Int) {
        precondition(jobs >= 1, "nobody to run it")
        self.sweep = sweep
        self.store = store
        self.jobs = jobs
    }

    /// Runs what has no result yet.
    ///
    /// Results of another version of the model would be wrong here and look right, so one of those that are there is
    /// partly run again; when the two differ, all are forgotten.
    ///
    /// - Parameters:
    ///   - tasks: Which tasks; nil for all.
    ///   - progress: Is updated while tasks run; read it from another task.
    /// - Returns: How many results were there before.
    /// - Throws: `CancellationError` when the task is cancelled; whole results are kept then. `TaskStore.WriteError`,
    ///   `ScenarioError` when data files have changed meanwhile.
    @discardableResult
    public func run(_ tasks: [RunTask]? = nil, progress: RunProgress) async throws -> Int {
        try store.prepare()
        var chosen = tasks ?? sweep.tasks
        // Points that resolve to one scenario share their tasks.
        var known: Set<TaskID> = []
        chosen.removeAll { !known.insert($0.id).inserted }
        var missing = chosen.filter { !store.holds($0) }
        if missing.count < chosen.count, try !isOfThisModel(chosen) {
            try store.remove()
            try store.prepare()
            missing = chosen
        }
        let points = Dictionary(sweep.points.map { ($0.number, $0) }) { first, _ in first }
        try await withThrowingTaskGroup(of: Void.self) { group in
            var rest = missing[...]
            // Tasks come point by point, so each point is made ready once.
            var ready: (point: Int, world: World)?
            func addTask() throws {
                guard let task = rest.popFirst(), let point = points[task.point] else { return }
                let world: World
                if let ready, ready.point == task.point {
                    world = ready.world
                } else {
                    world = try sweep.world(of: point)
                }
                if ready == nil {
                    progress.begin(
                        tasks: chosen.reduce(0) { $0 + $1.cells.count },
                        finished: chosen.reduce(0) { $0 + $1.cells.count } - missing.reduce(0) { $0 + $1.cells.count },
                        horizon: world.horizon
                    )
                }
                ready = (task.point, world)
                group.addTask {
                    let results = try await RunEngine.run(
                        task.cells,
                        of: world,
                        replication: task.replication,
                        progress: progress
                    )
                    try store.keep(TaskResult(results, keepsCells: task.keepsCells), of: task)
                }
            }
            for _ in 0..<jobs { try addTask() }
            while try await group.next() != nil { try addTask() }
        }
        return chosen.count - missing.count
    }

    /// Whether a kept result is what this program would have made: the history of its first cell, run again.
    private func isOfThisModel(_ tasks: [RunTask]) throws -> Bool {
        guard let task = tasks.first(where: store.holds),
            let point = sweep.points.first(where: { $0.number == task.point })
        else { return true }
        let world = try sweep.world(of: point)
        guard let kept = store.result(of: task, in: world) else { return false }
        let first = task.cells.lowerBound
        var group = CellGroup(world: world, cells: first..<(first + 1), replication: UInt32(task.replication))
        while group.run(atMost: 1 << 16) { try Task.checkCancellation() }
        return group.outcomes[0].fingerprint == kept.fingerprints[0]
    }
}
