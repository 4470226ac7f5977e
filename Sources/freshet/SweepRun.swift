import ArgumentParser
import Experiments
import Foundation
import LiveActivityModel
import Reporting

/// Runs the tasks of a sweep, with progress, and writes up what they gave.
struct SweepRun {
    let sweep: Sweep
    let directory: RunDirectory
    let store: TaskStore
    let jobs: Int
    let quiet: Bool

    /// A sweep whose tasks keep their results in a store; without one they wait in a hidden directory beside the results,
    /// until all are there.
    init(sweep: Sweep, store: TaskStore? = nil, directory path: String?, jobs: Int, quiet: Bool) {
        self.sweep = sweep
        directory = RunDirectory(path: path ?? "results/\(sweep.experiment.scenario.name)")
        let url = URL(fileURLWithPath: directory.path)
        let beside = url.deletingLastPathComponent().path + "/.\(url.lastPathComponent).tasks"
        self.store = store ?? TaskStore(path: beside)
        self.jobs = jobs
        self.quiet = quiet
    }

    /// Runs what has no result yet, writes the results and forgets the tasks.
    func run() async throws {
        try directory.prepareOrExit()
        let began = ContinuousClock.now
        let lock = try lockOrExit()
        try await runTasks()
        let result = try writeResults(began: began)
        try? store.remove()
        withExtendedLifetime(lock) {}
        try judge(result)
    }

    /// Makes sure that no other process works on the same results: it would remove the tasks when it is done.
    func lockOrExit() throws -> StoreLock {
        do throws(TaskStore.WriteError) {
            try store.prepare()
            if let lock = StoreLock(path: "\(store.path)/lock") {
                try store.keepOnly(resultsOf: Timing.programHash)
                return lock
            }
        } catch {
            printError("\(error)")
            throw Failure.cannotWrite
        }
        printError("\(directory.path): another process runs this sweep; wait for it, or give another --output")
        throw Failure.temporary
    }

    /// Runs tasks that have no result yet; all of them unless told which.
    func runTasks(_ tasks: [RunTask]? = nil) async throws {
        let progress = RunProgress()
        let engine = SweepEngine(sweep: sweep, store: store, jobs: jobs)
        let resumed: Int
        do {
            resumed = try await ProgressLine.during(progress, quiet: quiet) {
                try await Interruption.guarding(kept: "finished tasks are kept; the same command goes on from there") {
                    try await engine.run(tasks, progress: progress)
                }
            }
        } catch let error as TaskStore.WriteError {
            printError("\(error); finished tasks are kept, the same command goes on from there")
            throw Failure.cannotWrite
        } catch let error as ScenarioError {
            printError("\(error)")
            throw Failure.badData
        }
        if !quiet, resumed > 0 {
            printError("\(resumed) of \((tasks ?? sweep.tasks).count) tasks had results from before")
        }
    }

    /// Folds results of tasks, or says why that cannot be done and ends the command.
    func foldOrExit<Value>(_ fold: (Sweep, TaskStore) throws -> Value) throws -> Value {
        do {
            return try fold(sweep, store)
        } catch let error as SweepResult.MissingTasks {
            printError("\(store.path): \(error)")
            throw Failure.inputMissing
        } catch let error as ScenarioError {
            printError("\(error)")
            throw Failure.badData
        }
    }

    /// Folds the results of all tasks and writes them up.
    @discardableResult
    func writeResults(began: ContinuousClock.Instant) throws -> SweepResult {
        let result = try foldOrExit { try SweepResult($0, from: $1) }
        let wall = began.duration(to: .now)
        let events = result.points.reduce(0) { $0 + $1.events }
        try directory.writeOrExit(RunFiles(result), wall: wall, events: events, jobs: jobs)
        if !quiet {
            print(SweepTable(result).text, terminator: "")
            print("\nResults: \(directory.path) (read report.md first)")
        }
        return result
    }

    /// How many design points are named of those where a check does not hold.
    private static let shownFailures = 20

    /// Says where the checks of the file do not hold.
    ///
    /// - Throws: The exit code 99 when there is such a design point.
    func judge(_ result: SweepResult) throws {
        let failing = result.points.filter { CheckList($0.outcomes).hasFailures }
        guard !failing.isEmpty else { return }
        for point in failing.prefix(Self.shownFailures) {
            let checks = point.outcomes.filter { $0.verdict != .holds }.map(\.check.comparison.text)
            printError("design point \(point.point.number): does not hold: \(checks.joined(separator: "; "))")
        }
        printError("checks do not hold at \(failing.count) of \(result.points.count) design points")
        throw Failure.checkFailed
    }
}

extension Condition {
    /// A condition as it was given on the command line.
    init(option text: String) throws {
        guard let condition = Condition(parsing: text) else {
            throw ValidationError(
                "--only must compare a value of the scenario, as \"monitor.fresh_limit > 2m\"; got \"\(text)\"; allowed: < <= > >= == !="
            )
        }
        self = condition
    }
}

/// Refuses a number that an option does not allow.
func limit<Number: Comparable>(_ option: String, _ number: Number, to allowed: ClosedRange<Number>) throws {
    try demand(allowed.contains(number), "\(option) must be within \(allowed), got \(number)")
}

/// Refuses a command line where something does not hold.
func demand(_ holds: Bool, _ message: @autoclosure () -> String) throws {
    if !holds { throw ValidationError(message()) }
}
