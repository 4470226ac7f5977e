import ArgumentParser
import Foundation
import InputFiles
import LiveActivityModel
import Quantities
import Reporting
import ScenarioLanguage
import Shell
import Studies
import TextFormats
import Traces

struct BacktestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backtest",
        abstract: "Runs the model on the rides of an event log and compares it with the log, window by window.",
        discussion: """
            Example: freshet backtest tuesday.ndjson
            Example: freshet backtest tuesday.ndjson --scenario tuesday.yaml --output results/tuesday

            Without --scenario, the log calibrates one first. The model takes the requests and stages of rides from the log; \
            everything else comes from the scenario. Both sides are measured alike, from what a server can log. The first line \
            is the verdict. --output writes report.md, report.html, windows.csv and the scenario.
            """
    )

    @Argument(help: "The files of the log.", completion: .file(extensions: ["ndjson", "json", "csv", "parquet"]))
    var logs: [String]

    @Option(
        help: "The scenario to test, a file or the name of an example. Default: one calibrated to the log.",
        completion: .file(extensions: ["yaml", "yml"])
    )
    var scenario: String?

    @Option(help: "Number of replications, 2 to 1000; intervals come from their differences.", transform: wholeNumber)
    var replications = 10

    @Option(
        help: "Number of replications to run in parallel, 1 to 1024; default: one per processor.",
        transform: wholeNumber
    )
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @Option(help: "A directory for report.md, report.html, windows.csv and scenario.yaml.", completion: .directory)
    var output: String?

    @Option(help: "text, or json for scripts: the verdict and the quantities over the whole log.")
    var format = TextOrJSON.text

    @OptionGroup var log: LogOptions

    @OptionGroup var memory: MemoryOption

    @Flag(help: "Print only the verdict.")
    var quiet = false

    func validate() throws {
        try limit("--replications", replications, to: 2...1000)
        try limit("--jobs", jobs, to: 1...1024)
    }

    func run() async throws {
        let stated = try scenario.map { try ScenarioLoader.load(file: $0, notify: printError).scenario }
        let calibration = try LogCalibration.of(
            files: logs,
            mapping: log.read(),
            mostBadRows: log.mostBadRows,
            name: "calibrated",
            freshLimit: stated?.monitor.freshLimit.microseconds ?? 60_000_000,
            keepsRides: true,
            notify: printError
        )
        try calibration.requireAnswers(of: logs.first ?? "")
        let tested = try stated ?? ScenarioReader.read(yaml: calibration.yaml, named: "calibrated.yaml").scenario
        let freshLimit = tested.monitor.freshLimit.microseconds
        let assumedTTL = calibration.digest.hasStaleDates ? nil : tested.content.ttl.microseconds
        var digest = calibration.digest
        if digest.freshLimit != freshLimit || digest.assumedTTL != assumedTTL {
            // The belief in freshness depends on both, so the log is read again.
            try demand(
                !logs.contains { InputFile.isOpenStream($0) },
                "a log from a stream can be read only once, and "
                    + (assumedTTL == nil ? "monitor.fresh_limit is not known before" : "it has no stale dates")
                    + "; write it to a file"
            )
            digest =
                try LogCalibration.digest(
                    files: logs,
                    mapping: log.read(),
                    mostBadRows: log.mostBadRows,
                    freshLimit: freshLimit,
                    assumedTTL: assumedTTL,
                    keepsRides: true
                )
                .0
        }
        let (compared, replications, jobs) = (digest, replications, jobs)
        let backtest = try await memory.limit.guarding(tested.name, kept: "nothing is written") {
            try await Backtest.run(
                compared,
                stages: calibration.stages,
                scenario: tested,
                replications: replications,
                jobs: jobs
            )
        }
        let report = BacktestReport(backtest, cleaning: calibration.cleaning, name: tested.name)
        if format == .json {
            print(report.json.text, terminator: "")
        } else {
            print(quiet ? report.verdict : report.markdown, terminator: quiet ? "\n" : "")
        }
        guard let output else { return }
        let file = "\(output)/scenario.yaml"
        // The tested scenario may be that file.
        if scenario.map({ !SystemFile.isSame(file, $0) }) ?? true {
            try writeOrExit(stated.map(ScenarioWriter.resolvedYAML) ?? calibration.yaml, to: file)
        }
        try report.write(to: output, notify: printError)
    }
}
