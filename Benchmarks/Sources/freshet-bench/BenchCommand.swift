import ArgumentParser
import Reporting

/// The program that `freshet bench` becomes: how fast the simulator is on this machine.
@main
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freshet bench",
        abstract: "Measures how fast this machine runs the kernel, the model and the classification.",
        discussion: """
            Example: freshet bench hold --pending 1000000

            Each workload is warmed up and then run at least five times; the median counts. Times are of the processor, in \
            the measuring thread alone, so that others on the machine disturb them little. `make bench` compares them \
            with those of other engines.
            """,
        version: Release.version,
        subcommands: [
            BenchHoldCommand.self, BenchQueueCommand.self, BenchProcessHoldCommand.self, BenchClassifyCommand.self,
            BenchModelCommand.self, BenchCompareCommand.self,
        ]
    )

    static func main() async {
        await mainOrExit()
    }
}

/// What all workloads are told.
struct BenchOptions: ParsableArguments {
    @Option(help: "table, or json for scripts.")
    var format = Format.table

    @Option(help: "How many runs; the median counts.")
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
