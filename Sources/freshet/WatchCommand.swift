import ArgumentParser
import Experiments
import Foundation
import Reporting

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Runs a scenario again whenever its file is saved, and shows the effect of the change.",
        discussion: """
            Example: freshet watch town.yaml --replications 5

            The files that the scenario extends and its data are watched, too. After each run the first numbers stand on \
            standard output, and what changed against the run before: both share their seed and so their luck, and \
            replications are compared in pairs. A mistake in a file is told with its place, and the next save tries again. A \
            file that is saved during a run is run afterwards.

            The results go to results/<name>-watch unless --output says otherwise; each run replaces those of the last one. \
            Ctrl-C ends it (130).
            """
    )

    @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml", "yml"]))
    var scenario: String

    @Option(
        help: "How many histories to run, 1 to 100000, in place of what the scenario says.",
        transform: wholeNumber
    )
    var replications: Int?

    @Option(
        help: "How many cells to run at the same time, 1 to 1024; by default one for each processor.",
        transform: wholeNumber
    )
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(name: .customLong("set"), help: "A value in place of the scenario's, as key.path=value; may be repeated.")
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
            // A name that is wrong is told as `run` tells it; an example that the program carries is never saved.
            _ = try ScenarioReader.read(file: scenario, settings: settings)
            throw CommandError(
                "\(scenario) is an example within this program, and no file that could be saved; make one by freshet init"
            )
        }
        let watch = ScenarioWatch(
            scenario: scenario,
            settings: settings,
            replications: replications,
            jobs: jobs,
            output: output,
            memory: memory
        )
        try await Interruption.guarding(kept: "the results of the last whole run are as they were") {
            try await watch.run()
        }
    }
}
