import ArgumentParser
import Foundation
import InputFiles
import Quantities
import Reporting
import ScenarioLanguage
import Shell
import Studies
import TextFormats
import Traces

struct CalibrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Writes a scenario calibrated to an event log.",
        discussion: """
            Example: freshet calibrate tuesday.ndjson -o tuesday.yaml
            Example: freshet calibrate tuesday.parquet --format json
            Example: freshet calibrate sender.csv monitor.csv --mapping ours.yaml -o tuesday.yaml

            The log is NDJSON, CSV or Parquet, with one event a row (freshet schema --event-log); several files are read together. \
            Each value of the scenario has its number of observations, its 95 % interval and its goodness of fit beside it. \
            Incidents become faults. Values that the log does not show are assumptions, listed at the end of the file.
            """
    )

    @Argument(help: "The files of the log.", completion: .file(extensions: ["ndjson", "json", "csv", "parquet"]))
    var logs: [String]

    @Option(
        name: .shortAndLong,
        help: "The scenario file to write; without it, the scenario is printed.",
        completion: .file(extensions: ["yaml"])
    )
    var output: String?

    @Option(help: "text, or json for scripts: the values with their intervals, the incidents and the assumptions.")
    var format = TextOrJSON.text

    @Flag(
        inversion: .prefixedNo,
        help: """
            Run each assumption at other plausible values, on a sample of the log's rides, and list assumptions by their effect on \
            the believed freshness; or list them in the order of the scenario.
            """
    )
    var rank = true

    @OptionGroup var log: LogOptions

    @OptionGroup var memory: MemoryOption

    /// The name of a scenario in a file: its letters and digits, with a hyphen for anything else.
    private static func name(ofFile path: String) -> String {
        let base = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        let words = base.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let name = String(words.joined(separator: "-").prefix(64))
        return name.isEmpty ? "calibrated" : name
    }

    func run() async throws {
        try demand(
            !logs.contains { log in output.map { SystemFile.isSame($0, log) } ?? false },
            "--output and the log are the same file; the scenario needs a file of its own"
        )
        let name = output.map(Self.name(ofFile:)) ?? "calibrated"
        var calibration = try LogCalibration.of(
            files: logs,
            mapping: log.read(),
            mostBadRows: log.mostBadRows,
            name: name,
            notify: printError
        )
        for line in calibration.notes { printError(line) }
        try calibration.requireAnswers(of: logs.first ?? "")
        do {
            _ = try ScenarioReader.read(yaml: calibration.yaml, named: output ?? "calibrated.yaml")
        } catch {
            printError("\(error)")
            if let output {
                // A scenario with a value that the language refuses is of use to its reader, but to no command.
                try writeOrExit(calibration.yaml, to: "\(output).refused")
                printError("the refused scenario is in \(output).refused")
            }
            throw CommandError("the log's values are outside of what a scenario allows", Failure.badData)
        }
        if rank {
            let unranked = calibration
            calibration.rank(
                try await memory.limit.guarding(name, kept: "nothing is written; --no-rank writes the scenario") {
                    try await AssumptionEffects.rank(unranked, jobs: ProcessInfo.processInfo.activeProcessorCount)
                }
            )
        }
        if let output { try writeOrExit(calibration.yaml, to: output) }
        guard format == .text else {
            print(calibration.json.text, terminator: "")
            return
        }
        guard let output else {
            print(calibration.yaml, terminator: "")
            return
        }
        let incidents = calibration.incidents.incidents.count
        print(
            "\(output): \(calibration.values.count) values with intervals, \(incidents.counted("incident", "incidents")), "
                + "\(calibration.assumptions.count) assumptions"
        )
    }
}
