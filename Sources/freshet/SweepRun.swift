import ArgumentParser
import Evaluation
import Foundation
import LiveActivityModel
import Reporting
import ScenarioLanguage
import Shell
import Studies
import TextFormats

/// Runs the tasks of a sweep with progress and writes the results.
struct SweepRun {
    let sweep: Sweep
    let directory: RunDirectory
    let store: TaskStore
    let jobs: Int
    let quiet: Bool
    let memory: MemoryLimit
    var speculation = Speculation.accelerated

    /// Creates a run of a sweep.
    ///
    /// - Parameter store: The store of task results; by default a hidden directory beside the results, removed at the end.
    init(
        sweep: Sweep,
        store: TaskStore? = nil,
        directory path: String?,
        jobs: Int,
        quiet: Bool,
        memory: MemoryLimit = .any
    ) {
        self.sweep = sweep
        directory = RunDirectory(path: path ?? "results/\(sweep.experiment.scenario.name)")
        self.store = store ?? TaskStore(beside: directory.path)
        self.jobs = jobs
        self.quiet = quiet
        self.memory = memory
    }

    /// Runs the tasks without results, writes the results and removes the task results.
    ///
    /// - Throws: Exit code 99 if a check fails or is not measured at a design point.
    func run(page: PageOptions) async throws {
        let began = ContinuousClock.now
        let result = try await alone {
            let events = try await runTasks()
            return try writeResults(began: began, events: events)
        }
        try page.render(directory.path, quiet: quiet)
        try judge(result)
    }

    /// Performs work while holding the lock of the results, then removes the task results.
    func alone<Value>(_ work: () async throws -> Value) async throws -> Value {
        try directory.prepareOrExit()
        let lock = try takeLock()
        let value = try await work()
        try? store.remove()
        withExtendedLifetime(lock) {}
        return value
    }

    /// Locks the results: another process would remove the task results when it finishes.
    private func takeLock() throws -> StoreLock {
        try store.prepare()
        guard let lock = StoreLock(path: "\(store.path)/lock") else {
            throw CommandError(
                "\(directory.path): another process is running this sweep; wait for it, or choose another --output",
                Failure.temporary
            )
        }
        try store.keepOnly(resultsOf: Machine.binaryHash)
        return lock
    }

    /// Runs tasks that have no result yet; by default all of them.
    ///
    /// - Returns: The number of events simulated.
    @discardableResult
    func runTasks(_ tasks: [RunTask]? = nil) async throws -> UInt64 {
        let progress = RunProgress()
        let engine = SweepEngine(sweep: sweep, store: store, jobs: jobs, speculation: speculation)
        do {
            try await ProgressLine.during(progress, quiet: quiet) {
                let kept = "finished tasks are kept; the same command continues from there"
                try await Interruption.guarding(sweep.experiment.scenario.name, within: memory, kept: kept) {
                    try await engine.run(tasks, progress: progress) { kept, all in
                        guard !quiet else { return }
                        ProgressLine.clear()
                        printError("continuing: \(kept) of \(all) tasks already have results")
                    }
                }
            }
        } catch let error as TaskStore.WriteError {
            throw CommandError(
                "\(error); finished tasks are kept; the same command continues from there",
                Failure.cannotWrite
            )
        }
        return progress.state.events
    }

    func fold<Value>(_ fold: (Sweep, TaskStore) throws -> Value) throws -> Value {
        do {
            return try fold(sweep, store)
        } catch let error as SweepResult.MissingTasks {
            throw CommandError("\(store.path): \(error)", Failure.inputMissing)
        }
    }

    /// Merges the results of all tasks and writes them.
    ///
    /// - Parameter events: The number of events of this process; earlier results do not count.
    @discardableResult
    func writeResults(began: ContinuousClock.Instant, events: UInt64 = 0) throws -> SweepResult {
        let result = try fold { try SweepResult($0, from: $1) }
        try write(
            RunFiles(result),
            table: result.table(width: TerminalWidth.ofStandardOutput),
            began: began,
            events: events
        )
        if !quiet, sweep.factors.goal != nil {
            print("The file has a goal, which a sweep ignores; use `freshet tune`.")
        }
        return result
    }

    /// Writes the files and prints the table and the directory.
    func write(_ files: RunFiles, table: String, began: ContinuousClock.Instant, events: UInt64 = 0) throws {
        try directory.writeOrExit(
            files,
            wall: began.duration(to: .now),
            events: events,
            jobs: jobs,
            data: sweep.dataPlaces
        )
        guard !quiet else { return }
        print(table, terminator: "")
        print("\nResults: \(directory.path) (read report.md first)")
    }

    /// The largest number of failing design points to name.
    private static let shownFailures = 20

    /// Reports the design points at which checks of the file fail or are not measured.
    ///
    /// - Throws: Exit code 99 if there is such a point.
    func judge(_ result: SweepResult) throws {
        if let note = sweep.noteOnSkippedChecks { printError("note: \(note)") }
        let failing = result.points.filter { CheckList($0.outcomes).hasFailures }
        guard !failing.isEmpty else { return }
        for point in failing.prefix(Self.shownFailures) {
            let failing = point.outcomes.filter { $0.verdict != .holds && $0.unmet == nil }
                .map(\.check.comparison.text)
            let unmeasured = point.outcomes.compactMap { outcome in
                outcome.unmet.map { "\(outcome.check.comparison.text) (\($0.reason))" }
            }
            let parts =
                (failing.isEmpty ? [] : ["failed: \(failing.joined(separator: "; "))"])
                + (unmeasured.isEmpty ? [] : ["not measured: \(unmeasured.joined(separator: "; "))"])
            printError("design point \(point.point.number): \(parts.joined(separator: "; "))")
        }
        let verdicts = failing.flatMap { $0.outcomes.map(\.verdict) }
        let words =
            [
                verdicts.contains { $0 != .holds && $0 != .notMeasured } ? "failed" : "",
                verdicts.contains(.notMeasured) ? "were not measured" : "",
            ]
            .filter { !$0.isEmpty }
        let all = result.points.count.counted("design point", "design points")
        throw CommandError(
            "checks \(words.joined(separator: " or ")) at \(failing.count) of \(all)",
            Failure.checkFailed
        )
    }
}

extension Condition {
    /// Parses a condition from the command line.
    init(option text: String) throws {
        guard let condition = Condition(parsing: text) else {
            throw ValidationError(
                "--only must compare a value of the scenario, such as \"monitor.fresh_limit > 2m\"; got \"\(text)\"; "
                    + "allowed: < <= > >= == !=; give each condition its own --only"
            )
        }
        self = condition
    }
}
