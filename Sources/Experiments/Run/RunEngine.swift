public import LiveActivityModel
public import Quantities
import SimulationKernel
import Synchronization

/// Runs all cells of all replications on a few threads.
///
/// A few neighbouring cells are one task, made from values and independent of all others; results are put in order
/// afterwards, so the number of threads cannot show in them.
public struct RunEngine: Sendable {
    /// The scenario, made ready.
    public let world: World
    /// How many histories to run, and how long to go on.
    public let replications: Scenario.Replications
    /// How many cells to run at the same time.
    public let jobs: Int
    /// The limit of speculation in cells.
    public let speculation: Speculation

    /// A run to be.
    ///
    /// - Parameters:
    ///   - count: How many replications to run, no more and no fewer; nil for what the scenario says.
    ///   - speculation: The limit of speculation in cells; no effect on the result.
    /// - Precondition: `jobs` and the number are at least 1; there is an even number of antithetic replications.
    public init(world: World, replications count: Int? = nil, jobs: Int, speculation: Speculation = .optimistic) {
        precondition(jobs >= 1, "no thread to run it")
        var replications = world.scenario.replications
        if let count {
            precondition(count >= 1, "nothing to run")
            precondition(!replications.antithetic || count.isMultiple(of: 2), "antithetic replications come in pairs")
            (replications.count, replications.until) = (count, nil)
        }
        self.world = world
        self.replications = replications
        self.jobs = jobs
        self.speculation = speculation
    }

    /// Runs everything.
    ///
    /// Where the scenario asks for precision, replications are run in rounds, each half as many more as there are, until
    /// the precision is met, or cannot be met because the metric never varies or has no value. Rounds depend on counts
    /// alone, so any number of jobs stops at the same one.
    ///
    /// Parts of the run are measured by running its beginning again, up to the end of the part: the same histories, of
    /// which less is measured. ``ResolvedResponse/stretch`` tells which a response needs.
    ///
    /// - Parameters:
    ///   - progress: Is updated while cells run; read it from another task.
    ///   - stretches: Parts of the run to measure by themselves, each once.
    /// - Throws: `CancellationError` when the task is cancelled; nothing is kept then.
    /// - Complexity: For each part that of a run up to its end, beside that of the run.
    public func run(progress: RunProgress, measuring stretches: [Range<TimeSpan>] = []) async throws -> RunResult {
        var result = try await runWhole(progress: progress)
        for window in stretches where !result.stretches.contains(where: { $0.window == window }) {
            let engine = RunEngine(
                world: try ScenarioLoader.world(world, over: window),
                replications: result.replications,
                jobs: jobs,
                speculation: speculation
            )
            result.stretches.append(.init(window: window, result: try await engine.runWhole(progress: progress)))
        }
        return result
    }

    /// Runs everything, measured as a whole.
    private func runWhole(progress: RunProgress) async throws -> RunResult {
        let scenario = world.scenario
        var results = ReplicationResults()
        try await run(replications.count, into: &results, progress: progress)
        guard let wish = replications.until else { return RunResult(scenario: scenario, results) }
        while true {
            let result = RunResult(scenario: scenario, results)
            let reached = PrecisionReached(wish, in: result)
            let next = RunEngine.nextCount(after: results.count, replications)
            guard !reached.isMet, !reached.isHopeless(after: results.count), next > results.count else {
                return RunResult(scenario: scenario, results, precision: reached)
            }
            try await run(next - results.count, into: &results, progress: progress)
        }
    }

    /// How many replications there are after one more round: half as many more, whole pairs, at most what is allowed.
    static func nextCount(after count: Int, _ replications: Scenario.Replications) -> Int {
        let unit = replications.antithetic ? 2 : 1
        let most = (replications.until?.atMost ?? count) / unit * unit
        return min(most, count + (count / 2 + unit - 1) / unit * unit)
    }

    /// The cells of one replication, in groups that are run by one thread each.
    ///
    /// Each group walks all arrivals of the run, which asks for few large groups; threads that come to their end at about
    /// the same time ask for many small ones. So groups become smaller as the end comes nearer, as in factoring (S. F.
    /// Hummel, E. Schonberg and L. E. Flynn, Comm. ACM 35, 1992): three quarters of the cells form groups of a sixteenth
    /// of all cells, which keeps as many threads busy, and the rest smaller ones. At most 24 groups, whatever the number
    /// of cells; they follow from the scenario alone.
    static func groups(ofCells count: Int) -> [Range<Int>] {
        var groups: [Range<Int>] = []
        var next = 0
        while next < count {
            let share = next < count * 3 / 4 ? 16 : next < count * 7 / 8 ? 32 : 64
            let end = min(count, next + (count + share - 1) / share)
            groups.append(next..<end)
            next = end
        }
        return groups
    }

    /// Runs some more replications, each of which is added up as soon as its last cell is there.
    private func run(_ count: Int, into results: inout ReplicationResults, progress: RunProgress) async throws {
        let groups = RunEngine.groups(ofCells: world.scenario.cells)
        let first = results.count
        progress.begin(tasks: count * world.scenario.cells, horizon: world.horizon)
        var cells: [CellResult] = []
        try await concurrently(count * groups.count, jobs: jobs) { [world, speculation] index in
            try await RunEngine.run(
                groups[index % groups.count],
                of: world,
                replication: first + index / groups.count,
                speculation: speculation,
                progress: progress
            )
        } inOrder: { group in
            cells += group
            guard cells.count == world.scenario.cells else { return }
            results.append(cells)
            cells = []
        }
    }

    /// How many events are run between two looks up: some milliseconds' worth, for which a page's question may have to wait.
    public static let slice = 1 << 13

    /// Runs some cells, slice by slice, so that progress shows and a cancelled run ends soon.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public static func run(
        _ cells: Range<Int>,
        of world: World,
        replication: Int,
        speculation: Speculation = .optimistic,
        progress: RunProgress
    ) async throws -> [CellResult] {
        var group = CellGroup(
            world: world,
            cells: cells,
            replication: UInt32(replication),
            speculation: speculation
        )
        var events: UInt64 = 0
        var simulated = TimeSpan.zero
        var finished = 0
        var goesOn = true
        while goesOn {
            try Task.checkCancellation()
            // There may be no more threads than jobs, and progress and signals need a turn too.
            await Task.yield()
            goesOn = group.run(atMost: slice)
            progress.add(
                // A group that begins anew takes back what it has had.
                events: Int64(group.eventCount) - Int64(events),
                simulated: (group.simulatedTime - simulated).microseconds,
                finishedTasks: group.outcomes.count - finished
            )
            events = group.eventCount
            simulated = group.simulatedTime
            finished = group.outcomes.count
        }
        return group.outcomes.map {
            CellResult(
                replication: replication,
                cell: $0.cell,
                measurements: $0.measurements,
                fingerprint: $0.fingerprint
            )
        }
    }
}

/// How far a run has come; written by its tasks, read by what shows it.
public final class RunProgress: Sendable {
    private let events = Atomic<Int64>(0)
    private let finishedTasks = Atomic<Int>(0)
    private let taskCount = Atomic<Int>(0)
    private let keptTasks = Atomic<Int>(0)
    private let simulatedTime = Atomic<Int64>(0)
    private let horizonTime = Atomic<Int64>(0)

    /// A run that has not begun.
    public init() {}

    /// More tasks are to be run, each up to a horizon.
    ///
    /// - Parameter finished: How many of them were done before.
    func begin(tasks: Int, finished: Int = 0, horizon: Instant) {
        taskCount.add(tasks, ordering: .relaxed)
        horizonTime.store(horizon.microseconds, ordering: .relaxed)
        if finished > 0 {
            keptTasks.add(finished, ordering: .relaxed)
            add(events: 0, simulated: horizon.microseconds * Int64(finished), finishedTasks: finished)
        }
    }

    func add(events eventCount: Int64, simulated microseconds: Int64, finishedTasks taskCount: Int) {
        events.add(eventCount, ordering: .relaxed)
        simulatedTime.add(microseconds, ordering: .relaxed)
        finishedTasks.add(taskCount, ordering: .relaxed)
    }

    /// Where the run stands.
    public var state: State {
        State(
            events: UInt64(max(0, events.load(ordering: .relaxed))),
            finishedTasks: finishedTasks.load(ordering: .relaxed),
            tasks: taskCount.load(ordering: .relaxed),
            simulated: TimeSpan(microseconds: simulatedTime.load(ordering: .relaxed)),
            horizon: TimeSpan(microseconds: horizonTime.load(ordering: .relaxed)),
            keptTasks: keptTasks.load(ordering: .relaxed)
        )
    }

    /// A moment's view of a run.
    public struct State: Hashable, Sendable {
        /// Events that had a meaning, so far.
        public let events: UInt64
        /// Cells done, over all replications.
        public let finishedTasks: Int
        /// Cells in all.
        public let tasks: Int
        /// Simulated time of all cells together.
        public let simulated: TimeSpan
        /// Simulated time of one whole cell.
        public let horizon: TimeSpan
        /// Cells whose results were there before.
        public let keptTasks: Int

        /// The part of the work that is done, 0...1.
        public var share: Double {
            guard tasks > 0, horizon > .zero else { return 0 }
            let partly = Double(simulated.microseconds) / (Double(horizon.microseconds) * Double(tasks))
            return min(1, max(partly, Double(finishedTasks) / Double(tasks)))
        }

        /// The part that is done of what had no result when the run began, 0...1: it tells how long the rest takes.
        public var shareOfNewTasks: Double {
            guard keptTasks < tasks else { return share }
            let kept = Double(keptTasks) / Double(tasks)
            return max(0, (share - kept) / (1 - kept))
        }
    }
}
