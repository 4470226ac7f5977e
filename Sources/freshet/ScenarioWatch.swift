import Evaluation
import ExternalPrograms
import Foundation
import LiveActivityModel
import Reporting
import Results
import ScenarioLanguage
import Shell
import Studies

/// Runs a scenario, and runs it again whenever one of its files is saved, until cancelled.
struct ScenarioWatch: Sendable {
    let scenario: String
    let settings: [String]
    let replications: Int?
    let jobs: Int
    /// The result directory; nil for one with the name of the scenario.
    let output: String?
    let memory: MemoryLimit

    /// The interval between checks of the files.
    private static let interval = Duration.milliseconds(500)

    /// The last finished run.
    private struct LastRun {
        /// The result directory.
        let directory: String
        let files: RunFiles
    }

    /// Runs and waits in turn; ends only if cancelled, or on an error that no change of the files can fix.
    func run() async throws {
        guard let scratch = PrivateDirectory("freshet-watch") else {
            throw CommandError(
                "cannot create a directory in \(FileManager.default.temporaryDirectory.path); set TMPDIR to another directory",
                Failure.cannotWrite
            )
        }
        defer { scratch.remove() }
        var watched: Set<String> = [scenario]
        var last: LastRun?
        while true {
            // Taken before reading, so that a save during reading or running is noticed afterwards.
            let stamps = FileStamps(watched)
            do {
                let loaded = try ScenarioReader.read(file: scenario, settings: settings)
                let sources = Set(loaded.sources)
                guard sources.isSubset(of: watched) else {
                    watched = sources
                    continue
                }
                watched = sources
                last = try await run(loaded, after: last, before: scratch.path + "/before")
            } catch let error as ScenarioError {
                printError("\(error)")
                watched.formUnion(error.files)
            } catch let error as ResponseError {
                printError("\(scenario): \(error)")
            } catch let error as CommandError {
                printError("\(error)")
            }
            if last == nil { printError("waiting for \(scenario) to be saved; Ctrl-C ends it") }
            let changed = try await changes(of: watched, since: stamps)
            print("\n\(changed.joined(separator: ", ")) changed\n")
            fflush(nil)
        }
    }

    /// Waits until a file is saved, then until no more changes follow: an editor may write in several steps.
    private func changes(of files: Set<String>, since stamps: FileStamps) async throws -> [String] {
        var (before, now) = (stamps, stamps)
        repeat {
            try await Task.sleep(for: Self.interval)
            before = now
            now = FileStamps(files)
        } while now != before || now.changes(since: stamps).isEmpty
        return now.changes(since: stamps)
    }

    private func run(_ loaded: LoadedScenario, after last: LastRun?, before: String) async throws -> LastRun {
        guard loaded.experiment.factors == nil else {
            throw ScenarioError.invalid([
                loaded.diagnostic(at: "factors", "are for freshet sweep; freshet watch runs one scenario")
            ])
        }
        let world = try ScenarioLoader.world(loaded, replications: replications, notify: printError)
        for warning in loaded.warnings { printError("warning: \(warning)") }
        let checks = loaded.experiment.checks
        let stretches = try CheckOutcome.stretches(of: checks, in: world.scenario)
        // The first name stays, even if the scenario's name changes while it is watched.
        let directory = last?.directory ?? output ?? "results/\(world.scenario.name)-watch"
        let writer = RunWriter(directory: directory, scenario: scenario, jobs: jobs, quiet: false)
        try writer.prepare()

        let began = ContinuousClock.now
        let progress = RunProgress()
        let engine = RunEngine(world: world, jobs: jobs)
        let result = try await ProgressLine.during(progress, quiet: false) {
            try await memory.guarding(scenario, kept: "earlier results are unchanged") {
                try await engine.run(progress: progress, measuring: stretches)
            }
        }
        let outcomes = try CheckOutcome.outcomes(of: checks, in: result)
        let files = RunFiles(result, checks: outcomes)
        try writer.writeFiles(files, of: result, began: began)
        writer.tellFirstNumbers(result, outcomes)
        if let last {
            try RunDirectory(path: before).write(last.files)
            do {
                let comparison = try ResultComparison(before, directory)
                print(
                    "\nCompared with the previous run:\n"
                        + VerdictColours.text(ComparisonReport(comparison).changesText),
                    terminator: ""
                )
            } catch {
                print("\nNot compared with the previous run: \(error)")
            }
        }
        print("\nResults: \(directory) (read report.md first); runs again when \(scenario) is saved, Ctrl-C ends it")
        fflush(nil)
        return LastRun(directory: directory, files: files)
    }
}
