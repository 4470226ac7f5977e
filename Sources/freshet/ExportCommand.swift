import ArgumentParser
import Foundation
import Reporting

/// Hands results to other tools in the formats that these read.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes results as OpenMetrics or Parquet.",
        discussion: """
            Example: freshet export results/apns-outage --format openmetrics --output /tmp/apns-outage.prom

            openmetrics: the summary as counters and gauges and the histograms of a run or of `freshet load`, and the responses of \
            each point of a sweep with its levels as labels, as Prometheus reads them; to standard output unless --output \
            names a file.
            parquet: each CSV file as a Parquet file, in the directory parquet/ within the results unless --output names \
            another. It is written by pyarrow, which is installed on first use into the user's cache directory \
            (FRESHET_PYTHON names a Python that has it already).
            """
    )

    @Argument(
        help: "A result directory that `freshet run`, `sweep` or `load` has written.",
        completion: .directory
    )
    var directory: String

    @Option(help: "openmetrics or parquet.")
    var format: Format

    @Option(help: "The file, or for parquet the directory, to write.")
    var output: String?

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case openmetrics
        case parquet
    }

    func run() throws {
        switch format {
        case .openmetrics: try writeMetrics()
        case .parquet: try writeParquet()
        }
    }

    private func writeMetrics() throws {
        let text = try OpenMetricsExport(directory: directory).text
        guard let output else {
            print(text, terminator: "")
            return
        }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
        } catch {
            throw ExportError.cannotWrite(path: output, reason: error.localizedDescription)
        }
    }

    private func writeParquet() throws {
        let output = output ?? "\(directory)/\(ParquetExport.directoryName)"
        let names = try ParquetExport.write(directory, to: output, tell: printError)
        for name in names { print("\(output)/\(name)") }
    }
}
