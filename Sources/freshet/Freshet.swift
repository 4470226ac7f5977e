import ArgumentParser

/// The command.
@main
struct Freshet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freshet",
        abstract: "Simulates rider Live Activities and the Freshness Monitor that keeps them fresh.",
        discussion: """
            A scenario file says which rides arrive, how phones and APNs behave and what the monitor does. The same \
            scenario and seed give the same bytes in every result file, on any machine and with any number of jobs.

            Try: freshet run experiments/nyc-lyft-day.yaml

            Exit codes: 0 done; 64 usage; 65 bad scenario or data; 66 input missing; 70 our bug; 73 output cannot be \
            written; 75 temporary failure; 97 determinism check failed; 98 regression against the \
            baseline; 99 a check does not hold; 130, 143 stopped by a signal.
            """,
        version: "0.1.0",
        subcommands: [
            RunCommand.self, SweepCommand.self, PlanCommand.self, MergeCommand.self, CompareCommand.self,
            CheckCommand.self,
            TuneCommand.self, FitCommand.self, ReportCommand.self, ExportCommand.self, ExplainCommand.self,
            VerifyCommand.self, BenchCommand.self, SchemaCommand.self, LoadCommand.self, APNsCommand.self,
            MonitorCommand.self,
        ]
    )
}
