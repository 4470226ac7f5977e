import ArgumentParser
import Foundation
import Reporting
import Shell

/// Exports results in the formats of other tools.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Exports results for other tools, as OpenMetrics or Parquet.",
        discussion: """
            Example: freshet export results/apns-outage --format openmetrics --output /tmp/apns-outage.prom

            openmetrics: for a run or a load, the summary as counters and gauges, and the histograms; for a sweep, the \
            responses of each design point, with its levels as labels. Prometheus reads this format. It goes to standard \
            output unless --output names a file.
            parquet: each CSV file as a Parquet file, in the directory parquet/ of the results unless --output names \
            another. Freshet writes it with pyarrow, which it installs on first use into the user's cache directory \
            (FRESHET_PYTHON names a Python that already has pyarrow).
            """
    )

    @Argument(
        help: "A result directory of `freshet run`, `sweep` or `load`.",
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
        let names = try ParquetExport.write(directory, to: output, notify: printError)
        for name in names { print("\(output)/\(name)") }
    }
}
