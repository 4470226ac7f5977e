import ArgumentParser
import Reporting

/// The command.
@main
struct Freshet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freshet",
        abstract: "Simulates Live Activities and the server that keeps them up to date.",
        discussion: """
            A scenario is a YAML file that describes rides, phones, APNs and the server. The same scenario and seed give \
            the same results, byte for byte, on any machine and with any number of threads.

            Try: freshet run nyc-lyft-day

            Use `examples` to find a scenario, `run` to simulate it, `compare` to see what a change does, and `tune` to \
            find the best setting. `describe` and `metrics` explain keys and numbers.

            Any other command NAME runs the program freshet-NAME, beside this program or on PATH.

            Exit codes: 0 success; 64 wrong usage; 65 bad scenario or data; 66 input missing; 70 bug in freshet; 73 \
            output cannot be written; 74 standard output cannot be written; 75 temporary failure; 97 determinism check \
            failed; 98 worse than the baseline; 99 a check does not hold; 130, 143 stopped by a signal.
            """,
        version: Release.version,
        subcommands: ownCommands + companions
    )

    /// What this program does itself.
    private static let ownCommands: [any ParsableCommand.Type] = [
        RunCommand.self, WatchCommand.self, SweepCommand.self, PlanCommand.self, MergeCommand.self,
        CompareCommand.self, CheckCommand.self, TuneCommand.self, FitCommand.self, ReportCommand.self,
        ExportCommand.self,
        ExplainCommand.self, WorstCommand.self, InitCommand.self, ExamplesCommand.self, DescribeCommand.self,
        MetricsCommand.self, VerifyCommand.self, SchemaCommand.self,
    ]

    /// What programs of their own do.
    private static let companions: [any ParsableCommand.Type] = [
        CompanionCommand<BenchCompanion>.self, CompanionCommand<LoadCompanion>.self,
        CompanionCommand<APNsCompanion>.self, CompanionCommand<MonitorCompanion>.self,
        CompanionCommand<StudioCompanion>.self,
    ]

    /// Becomes the companion that the command line names, if there is one; else does what it says.
    static func main() async {
        OpenFiles.checkOrExit()
        becomeCompanion(Array(CommandLine.arguments.dropFirst()))
        await mainOrExit()
    }

    /// Becomes the program of a command that is not this program's own; returns where there is none.
    private static func becomeCompanion(_ arguments: [String]) {
        guard let command = NamedCommand(in: arguments) else { return }
        guard !NamedCommand.names(of: ownCommands).contains(command.name) else { return }
        CompanionProgram(command.name).become(with: command.rest + (arguments.first == "help" ? ["--help"] : []))
    }
}
