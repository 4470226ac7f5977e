import Foundation
import Quantities
public import ScenarioLanguage
import Shell

/// Reports failures to GitHub Actions; does nothing elsewhere.
public enum StepReport {
    /// Prints an annotation for each failure and appends to the summary of the step.
    ///
    /// A summary that cannot be written is not a failure, because the results are printed elsewhere too.
    public static func tell(_ suites: [TestSuite], summary: String, file: String? = nil) {
        let environment = ProcessInfo.processInfo.environment
        guard environment["GITHUB_ACTIONS"] == "true" else { return }
        let failures = suites.flatMap(\.cases).compactMap { test in test.failure.map { (title: test.name, text: $0) } }
        print(GitHubActions.annotations(failures, file: file), terminator: "")
        guard let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        let text = GitHubActions.summary(summary, used: size)
        do {
            if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data(text.utf8))
            try file.close()
        } catch {
            printError("the step's summary cannot be written: \(path)")
        }
    }
}

extension RunDirectory {
    /// Checks before the run that results can be written; ends the command if they cannot.
    public func prepareOrExit() throws {
        _ = try orExit { try holdsRun() }
    }

    /// Writes results with their timing, or ends the command.
    public func writeOrExit(
        _ files: RunFiles,
        wall: Duration,
        events: UInt64,
        jobs: Int,
        data: DataPlaces = DataPlaces()
    ) throws {
        try orExit {
            try write(files, Timing.ofThisProcess(wall: TimeSpan(wall), events: events, jobs: jobs, data: data))
        }
    }
}
