import ArgumentParser
import Experiments
import Foundation
import LiveActivityModel
import Quantities
import Reporting

/// Runs a scenario and writes its results.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a scenario and writes its results.",
        discussion: """
            Example: freshet run experiments/nyc-lyft-day.yaml --set monitor.fresh_limit=3m --output /tmp/three

            The results go to results/<name> unless --output says otherwise: report.md is what to read first, summary.csv
            what scripts read. Everything but timing.json is the same whenever scenario and seed are.
            """
    )

    @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml", "yml"]))
    var scenario: String

    @Option(help: "The seed of every draw, in place of the scenario's.")
    var seed: UInt64?

    @Option(
        help: "How many histories to run, in place of what the scenario says; intervals come from their differences."
    )
    var replications: Int?

    @Option(help: "How many cells to run at the same time. It never shows in the results.")
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(name: .customLong("set"), help: "A value in place of the scenario's, as key.path=value; may be repeated.")
    var settings: [String] = []

    @Option(help: "The result directory.", completion: .directory)
    var output: String?

    @Flag(help: "Write files only: no progress, no table.")
    var quiet = false

    @Flag(help: "Run every cell twice, side by side, and name the first event that differs (exit 97).")
    var checkDeterminism = false

    @Flag(help: "Render report.html too, as `freshet report` does.")
    var report = false

    func validate() throws {
        if let replications, !(1...100_000).contains(replications) {
            throw ValidationError("--replications must be within 1...100000, got \(replications)")
        }
        guard (1...1024).contains(jobs) else {
            throw ValidationError("--jobs must be within 1...1024, got \(jobs)")
        }
    }

    func run() async throws {
        let world = try ScenarioLoader.loadOrExit(
            file: scenario,
            settings: settings + (seed.map { ["seed=\($0)"] } ?? []),
            replications: replications
        )
        let directory = RunDirectory(path: output ?? "results/\(world.scenario.name)")
        // Better now than after the run.
        try writing { () throws(RunDirectoryError) in _ = try directory.holdsRun() }
        if checkDeterminism {
            try await proveDeterminism(world)
        }
        let began = ContinuousClock.now
        let result = try await simulate(world)
        let wall = began.duration(to: .now)
        try writing { () throws(RunDirectoryError) in
            try directory.write(RunFiles(result))
            try directory.write(
                Timing.ofThisProcess(
                    wall: TimeSpan(microseconds: wall.components.seconds * 1_000_000)
                        + TimeSpan(microseconds: wall.components.attoseconds / 1_000_000_000_000),
                    events: result.total.eventCount,
                    jobs: jobs
                )
            )
        }
        if !quiet {
            print(SummaryTable(result).text, terminator: "")
            print("\nResults: \(directory.path) (read report.md first)")
        }
        if report {
            try ReportCommand.render(directory.path, quiet: quiet)
        }
    }

    private func simulate(_ world: World) async throws -> RunResult {
        let progress = RunProgress()
        let display = quiet ? nil : Task { await ProgressLine().show(progress) }
        let engine = RunEngine(world: world, jobs: jobs)
        defer { display?.cancel() }
        let result = try await Interruption.guarding(kept: "nothing was written, earlier results are as they were") {
            try await engine.run(progress: progress)
        }
        display?.cancel()
        await display?.value
        return result
    }

    /// Turns a failure to write into the exit code for it.
    private func writing(_ work: () throws(RunDirectoryError) -> Void) throws {
        do {
            try work()
        } catch {
            printError("\(error)")
            throw Failure.cannotWrite
        }
    }

    private func proveDeterminism(_ world: World) async throws {
        let replications = world.scenario.replications.count
        let difference = try await Interruption.guarding(kept: "nothing was written, earlier results are as they were")
        {
            try await DeterminismCheck.run(world: world, replications: replications)
        }
        guard let difference else {
            if !quiet {
                printError("every cell ran twice with the same history")
            }
            return
        }
        let events = difference.events.map { event in
            event.map { "\($0.kind) of ride \($0.subject) at \($0.at.microseconds) µs" } ?? "the end of the run"
        }
        printError(
            """
            two runs of one history differ in replication \(difference.replication), cell \(difference.cell), after \
            \(difference.eventsAlike) equal events: \(events[0]) in the first run, \(events[1]) in the second
            """
        )
        throw Failure.notDeterministic
    }
}
