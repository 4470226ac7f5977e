import ArgumentParser
import Reporting
import Shell

/// The program behind `freshet bench`: the speed of the simulator on this machine.
@main
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freshet bench",
        abstract: "Measures how fast this machine runs the kernel, the model and the core.",
        discussion: """
            Example: freshet bench hold --pending 1000000

            Each workload is warmed up and then run at least five times; the result is the median. Times are processor times \
            of the measuring thread, so other load on the machine hardly affects them; `core` measures by the wall clock. \
            `make bench` compares them with those of other engines.
            """,
        version: Release.version,
        subcommands: [
            BenchHoldCommand.self, BenchQueueCommand.self, BenchProcessHoldCommand.self, BenchClassifyCommand.self,
            BenchCoreCommand.self, BenchModelCommand.self, BenchCompareCommand.self,
        ]
    )

    static func main() async {
        await mainOrExit()
    }
}

/// The options of all workloads.
struct BenchOptions: ParsableArguments {
    @Option(help: "table, or json for scripts.")
    var format = Format.table

    @Option(help: "The number of runs; the result is their median.")
    var runs = 5

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table
        case json
    }

    func validate() throws {
        try limit("--runs", runs, to: 5...1000)
    }

    func show(_ measurement: Measurement) {
        print(format == .table ? measurement.table : measurement.json, terminator: "")
    }
}
