import ArgumentParser
import Shell

/// The command.
@main
struct Freshet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freshet",
        abstract: "Simulates Live Activities and the server that keeps them up to date.",
        discussion: """
            A scenario file describes the rides, the phones, APNs and the monitor. The same scenario and seed produce the same \
            bytes in every result file, on any machine and with any number of jobs.

            Try: freshet run nyc-lyft-day

            Any other command NAME runs the program freshet-NAME, looked up beside this program and on PATH.

            Exit codes: 0 done; 64 usage; 65 bad scenario or data; 66 input missing; 70 a bug in Freshet; 73 output cannot be \
            written; 74 standard output cannot be written; 75 temporary failure; 97 determinism check failed; 98 \
            regression against the baseline; 99 a check failed or is not measured; 130, 143 stopped by a signal.
            """,
        version: Release.version,
        subcommands: ownCommands + companions
    )

    /// The commands of this program.
    private static let ownCommands: [any ParsableCommand.Type] = [
        RunCommand.self, WatchCommand.self, SweepCommand.self, PlanCommand.self, MergeCommand.self,
        CompareCommand.self, CheckCommand.self, TuneCommand.self, FitCommand.self, CalibrateCommand.self,
        BacktestCommand.self, BriefCommand.self,
        ReportCommand.self,
        ExportCommand.self,
        ExplainCommand.self, WorstCommand.self, InitCommand.self, ExamplesCommand.self, DescribeCommand.self,
        MetricsCommand.self, SchemaCommand.self,
    ]

    /// The commands that are separate programs.
    private static let companions: [any ParsableCommand.Type] = [
        CompanionCommand<BenchCompanion>.self, CompanionCommand<LoadCompanion>.self,
        CompanionCommand<APNsCompanion>.self, CompanionCommand<MonitorCompanion>.self,
        CompanionCommand<StudioCompanion>.self, CompanionCommand<VerifyCompanion>.self,
    ]

    /// Executes the companion program that the command line names, if there is one; otherwise runs the command.
    static func main() async {
        OpenFiles.checkOrExit()
        becomeCompanion(Array(CommandLine.arguments.dropFirst()))
        await mainOrExit()
    }

    /// Executes the program of a command that is not built in; returns if there is no such program.
    private static func becomeCompanion(_ arguments: [String]) {
        guard let command = NamedCommand(in: arguments) else { return }
        guard !NamedCommand.names(of: ownCommands).contains(command.name) else { return }
        CompanionProgram(command.name).become(with: command.rest + (arguments.first == "help" ? ["--help"] : []))
    }
}
