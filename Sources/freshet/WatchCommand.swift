import ArgumentParser
import Foundation
import Reporting
import ScenarioLanguage
import Shell

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Runs a scenario again whenever its file is saved, and shows the effect of the change.",
        discussion: """
            Example: freshet watch town.yaml --replications 5

            Files that the scenario extends and its data files are watched as well. Each run prints the headline numbers and \
            the changes since the previous run. Both runs use the same random numbers, so replications are compared in \
            pairs. An error in a file is reported with its line and column; the next save tries again. A save during a run \
            starts another run afterwards.

            The results go to results/<name>-watch, or to --output; each run replaces the previous results. Ctrl-C ends the \
            command (130).
            """
    )

    @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml", "yml"]))
    var scenario: String

    @Option(
        help: "Number of replications, 1 to 100000; overrides the scenario.",
        transform: wholeNumber
    )
    var replications: Int?

    @Option(
        help: "Number of cells to run in parallel, 1 to 1024; default: one per processor.",
        transform: wholeNumber
    )
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(name: .customLong("set"), help: "Overrides a value of the scenario, given as key.path=value; repeatable.")
    var settings: [String] = []

    @Option(help: "The result directory.", completion: .directory)
    var output: String?

    @OptionGroup var memory: MemoryOption

    func validate() throws {
        try limit("--replications", replications ?? 1, to: 1...100_000)
        try limit("--jobs", jobs, to: 1...1024)
    }

    func run() async throws {
        if FileStamps([scenario]).isEmpty {
            // Report a wrong name as `run` does; a built-in example cannot be saved.
            _ = try ScenarioReader.read(file: scenario, settings: settings)
            throw CommandError(
                "\(scenario) is a built-in example, not a file that can be saved; create a file with `freshet init`"
            )
        }
        let watch = ScenarioWatch(
            scenario: scenario,
            settings: settings,
            replications: replications,
            jobs: jobs,
            output: output,
            memory: memory.limit
        )
        try await Interruption.guarding(kept: "the results of the last finished run are unchanged") {
            try await watch.run()
        }
    }
}
