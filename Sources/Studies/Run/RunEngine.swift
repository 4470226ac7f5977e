public import Evaluation
public import LiveActivityModel
public import Quantities
import SimulationKernel
import Synchronization

/// An engine that runs all cells of all replications on a few threads.
///
/// A few neighbouring cells form one task, which is made from values and independent of all others. Results are put in
/// order afterwards, so the number of threads cannot affect them.
public struct RunEngine: Sendable {
    /// The compiled scenario.
    public let world: World
    /// The replications to run, with the precision to reach.
    public let replications: Scenario.Replications
    /// The number of cells to run at the same time.
    public let jobs: Int
    /// The limit of speculation in cells.
    public let speculation: Speculation
    /// Takes the event log of the first replication; nil if there is none.
    public let eventLog: EventLogSpool?

    /// Creates an engine.
    ///
    /// - Parameters:
    ///   - count: The exact number of replications; nil for the scenario's.
    ///   - speculation: The limit of speculation in cells; it does not affect the result.
    ///   - eventLog: Takes the event log of the first replication; it does not affect the result.
    /// - Precondition: `jobs` and the number of replications are at least 1; antithetic replications come in an even
    ///   number.
    public init(
        world: World,
        replications count: Int? = nil,
        jobs: Int,
        speculation: Speculation = .accelerated,
        eventLog: EventLogSpool? = nil
    ) {
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
        self.eventLog = eventLog
    }

    /// Runs all replications.
    ///
    /// If the scenario requests a precision, replications run in rounds, each half as many as there are already. They
    /// stop when the precision is met, or cannot be met because the metric never varies or has no value. The rounds depend only on
    /// counts, so the number of jobs does not change when the run stops.
    ///
    /// To measure a part of the run, its beginning is run again up to the end of the part. The histories are the same,
    /// but only the part is measured. ``ResolvedResponse/stretch`` is the part that a response needs.
    ///
    /// - Parameters:
    ///   - progress: The progress, updated while cells run; read it from another task.
    ///   - stretches: Parts of the run to measure separately, each once.
    /// - Throws: `CancellationError` if the task is cancelled; no result is kept then.
    /// - Complexity: The cost of the run, and for each part the cost of a run up to its end.
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

    /// Runs all replications and measures the whole run.
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

    /// Returns the number of replications after one more round: half as many more, in whole pairs, up to the allowed
    /// number.
    static func nextCount(after count: Int, _ replications: Scenario.Replications) -> Int {
        let unit = replications.antithetic ? 2 : 1
        let most = (replications.until?.atMost ?? count) / unit * unit
        return min(most, count + (count / 2 + unit - 1) / unit * unit)
    }

    /// Returns the cells of one replication in groups, each run by one thread.
    ///
    /// Each group goes through all arrivals of the run, which favours few large groups. Threads should finish at about
    /// the same time, which favours many small ones. So groups become smaller towards the end, as in factoring (S. F.
    /// Hummel, E. Schonberg and L. E. Flynn, Comm. ACM 35, 1992). Three quarters of the cells form groups of a
    /// sixteenth of all cells, which keeps that many threads busy; the rest form smaller ones. There are at most 24
    /// groups, whatever the number of cells, and they depend only on the scenario.
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

    /// Runs some more replications, and sums each up as soon as its last cell is done.
    private func run(_ count: Int, into results: inout ReplicationResults, progress: RunProgress) async throws {
        let groups = RunEngine.groups(ofCells: world.scenario.cells)
        let first = results.count
        progress.begin(tasks: count * world.scenario.cells, horizon: world.horizon)
        var cells: [CellResult] = []
        try await concurrently(count * groups.count, jobs: jobs) { [world, speculation, eventLog] index in
            let replication = first + index / groups.count
            return try await RunEngine.run(
                groups[index % groups.count],
                of: world,
                replication: replication,
                speculation: speculation,
                eventLog: replication == 0 ? eventLog : nil,
                progress: progress
            )
        } inOrder: { group in
            cells += group
            guard cells.count == world.scenario.cells else { return }
            results.append(cells)
            cells = []
        }
    }

    /// The number of events in a slice: a few milliseconds of work, for which a page's request may have to wait.
    public static let slice = 1 << 13

    /// Runs some cells, slice by slice, so that progress is visible and a cancelled run ends soon.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public static func run(
        _ cells: Range<Int>,
        of world: World,
        replication: Int,
        speculation: Speculation = .accelerated,
        eventLog: EventLogSpool? = nil,
        progress: RunProgress
    ) async throws -> [CellResult] {
        var group = CellGroup(
            world: world,
            cells: cells,
            replication: UInt32(replication),
            speculation: speculation,
            watch: eventLog.map { .serverLog(withScreens: $0.withScreens) } ?? .none
        )
        let part = eventLog?.part(firstCell: cells.lowerBound)
        var events: UInt64 = 0
        var simulated = TimeSpan.zero
        var finished = 0
        var goesOn = true
        while goesOn {
            try Task.checkCancellation()
            // There may be no more threads than jobs, and progress and signals need some time too.
            await Task.yield()
            goesOn = group.run(atMost: slice)
            try part?.take(from: &group)
            progress.add(
                // A group that restarts subtracts the events that it had added.
                events: Int64(group.eventCount) - Int64(events),
                simulated: (group.simulatedTime - simulated).microseconds,
                finishedTasks: group.outcomes.count - finished
            )
            events = group.eventCount
            simulated = group.simulatedTime
            finished = group.outcomes.count
        }
        try part?.finish()
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

/// The progress of a run, written by its tasks and read by whatever displays it.
public final class RunProgress: Sendable {
    private let events = Atomic<Int64>(0)
    private let finishedTasks = Atomic<Int>(0)
    private let taskCount = Atomic<Int>(0)
    private let keptTasks = Atomic<Int>(0)
    private let simulatedTime = Atomic<Int64>(0)
    private let horizonTime = Atomic<Int64>(0)

    /// Creates the progress of a run that has not begun.
    public init() {}

    /// Adds tasks to run, each up to a horizon.
    ///
    /// - Parameter finished: The number of tasks already done.
    public func begin(tasks: Int, finished: Int = 0, horizon: Instant) {
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

    /// The current state.
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

    /// The state of a run at one moment.
    public struct State: Hashable, Sendable {
        /// The number of events so far, without obsolete ones.
        public let events: UInt64
        /// The cells done, over all replications.
        public let finishedTasks: Int
        /// The cells in all.
        public let tasks: Int
        /// The simulated time of all cells together.
        public let simulated: TimeSpan
        /// The simulated time of one whole cell.
        public let horizon: TimeSpan
        /// The cells whose results existed before.
        public let keptTasks: Int

        /// The share of the work that is done, 0...1.
        public var share: Double {
            guard tasks > 0, horizon > .zero else { return 0 }
            let partly = Double(simulated.microseconds) / (Double(horizon.microseconds) * Double(tasks))
            return min(1, max(partly, Double(finishedTasks) / Double(tasks)))
        }

        /// The share of the new work that is done, 0...1, for an estimate of the time left.
        public var shareOfNewTasks: Double {
            guard keptTasks < tasks else { return share }
            let kept = Double(keptTasks) / Double(tasks)
            return max(0, (share - kept) / (1 - kept))
        }
    }
}
