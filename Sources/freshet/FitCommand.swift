public import ArgumentParser
import InputFiles
public import LiveActivityModel
import Reporting
import Shell
import Statistics
import TextFormats
public import Traces

extension SendLog.LatencyEnd: ExpressibleByArgument {}

extension Scenario.DateOrder: ExpressibleByArgument {}

extension EmpiricalColumn.Unit: ExpressibleByArgument {
    /// Accepts `min` for minutes as well.
    public init?(argument: String) { self.init(rawValue: argument == "min" ? "m" : argument) }

    /// The names in help.
    public static var allValueStrings: [String] { ["ns", "us", "ms", "s", "min", "m", "h", "d", "1"] }
}

struct FitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fit",
        abstract: "Fits distributions to measured values and prints them as YAML for a scenario.",
        discussion: """
            Example: freshet fit rtt.csv --column rtt_ms --where access_technology=4G --output /tmp/rtt
            Example: freshet fit rides.csv --column pickup_time --since request_time
            Example: freshet fit send-log.csv --send-log
            Example: freshet fit --payloads samples
            Example: freshet fit k6.csv --send-log --column metric_value --unit ms --where metric_name=http_req_duration

            Families are fitted by maximum likelihood, ranked by the Akaike information criterion and compared with the \
            data by Kolmogorov-Smirnov distance and quantile errors. Fits account for rounding, so zeros and ties do not \
            bias them. --output also writes a chart, fit.json and fit.csv.

            --send-log reads a provider's own log (time, status, latency, under any of the usual names) and prints the sender \
            and apns parts of a scenario: the duration of a request, and the share of each rejection.

            --payloads measures sample payloads, one per file, and prints their sizes as content.payload.bytes. Folders in the \
            folder are stages, and their sizes are printed as payload_bytes.

            The file is Parquet or text. The separator (comma, semicolon, tab or pipe) is detected. Column names match in any \
            case and with any characters between their words. A column can also be named by its number, from 1.
            """
    )

    @Argument(help: "The file: CSV or similar, or Parquet.", completion: .file(extensions: ["csv", "tsv", "parquet"]))
    var file: String?

    @Option(help: "A folder with one sample payload per file, instead of a file of values.", completion: .directory)
    var payloads: String?

    @Option(help: "The column to fit. For a send log: the latency column, if its name is unusual.")
    var column: String?

    @Option(help: "A column of times; fits the time from there to --column.")
    var since: String?

    @Option(
        help:
            "The column's unit: ns, us, ms, s, min, h, d, or 1 if it is not a duration. Default: the ending of its name."
    )
    var unit: EmpiricalColumn.Unit?

    @Option(name: .customLong("where"), help: "Only rows with this value, in the form COLUMN=VALUE; repeatable.")
    var filters: [String] = []

    @Option(
        help: "The families to fit, separated by commas: \(FitFamily.allCases.map(\.rawValue).joined(separator: ","))."
    )
    var families: String?

    @Option(
        help:
            "An offset to subtract from every value, in the column's unit, 0 to 1e9; the result is a `shifted` distribution."
    )
    var shift: Double = 0

    @Option(
        help:
            "The resolution of the values, in the column's unit, 0 to 1e9. Default: their greatest common divisor."
    )
    var resolution: Double?

    @Flag(help: "Skip and count negative values instead of failing.")
    var skipNegative = false

    @Flag(help: "Read the file as a log of requests to APNs.")
    var sendLog = false

    @Option(help: "The log's time column, if its name is unusual.")
    var time: String?

    @Option(help: "The log's status column, if its name is unusual.")
    var status: String?

    @Option(help: "The log's column of APNs reasons or response bodies, if its name is unusual.")
    var reason: String?

    @Option(
        help:
            "The separator: a comma, a semicolon, a tab or a pipe, or its name. Default: detected from the first line.",
        transform: separatorByte
    )
    var separator: UInt8?

    @Flag(help: "The file has no header; name columns by number, from 1.")
    var noHeader = false

    @Option(
        help:
            "The order of day and month in dates such as 05/06/2026: month_first or day_first. Default: detected from the file."
    )
    var dates: Scenario.DateOrder?

    @Option(
        help: "The decimal mark: point, or comma with points between thousands. Default: detected for each column.",
        transform: decimalMarkByte
    )
    var decimal: UInt8?

    @Option(help: "The end of the log's latency: response (sender.request_time) or phone (apns.latency).")
    var latencyTo = SendLog.LatencyEnd.response

    @Option(help: "text, or json for scripts.")
    var format = TextOrJSON.text

    @Option(help: "A directory for report.md, fit.json, fit.csv and the chart.", completion: .directory)
    var output: String?

    func validate() throws {
        if payloads != nil {
            let isAlone = file == nil && column == nil && !sendLog && output == nil && filters.isEmpty && since == nil
            try demand(isAlone, "--payloads measures a folder of its own; it can be combined with --format only")
            return
        }
        try demand(file != nil, "name a file of values, or a folder of sample payloads with --payloads")
        if sendLog {
            let isOfLog = since == nil && shift == 0 && !skipNegative
            try demand(isOfLog, "--since, --shift and --skip-negative cannot be combined with --send-log")
            try demand(unit != .one, "--unit must be a unit of time with --send-log, got 1")
        } else {
            try demand(column != nil, "name a column with --column, or add --send-log if the file is a send log")
            try demand(
                time == nil && status == nil && reason == nil,
                "--time, --status and --reason need --send-log"
            )
            try demand(since == nil || unit == nil, "--unit cannot be combined with --since: times have no unit")
            if since == nil, unit == nil, let column, DataColumn.unit(ofName: column) == nil {
                throw ValidationError(
                    "the unit of \(column) is not in its name; give it with --unit ns, us, ms, s, min, h, d or 1"
                )
            }
        }
        for (name, number) in [("--shift", shift), ("--resolution", resolution ?? 1)] {
            try demand(number.isFinite && number >= 0 && number < 1e9, "\(name) must be within 0...1e9, got \(number)")
        }
        _ = try parsedFilters()
        _ = try parsedFamilies()
    }

    func run() throws {
        if let payloads {
            let samples = try PayloadSamples(folder: payloads)
            print(format == .json ? samples.json.text : samples.yaml, terminator: "")
            return
        }
        let file = file ?? ""
        let (source, log) = try read(file)
        for remark in source.remarks { printError("warning: \(OneLine.text(file)): \(OneLine.text(remark))") }
        let factor = source.column.unit.factor
        let calibration: Calibration
        do throws(FitError) {
            calibration = try Calibration(
                source,
                resolution: resolution.map { max(1, Int64(($0 * factor).rounded())) },
                families: (try? parsedFamilies()) ?? FitFamily.allCases
            )
        } catch {
            throw CommandError("\(file): \(source.column.name): \(error)", Failure.badData)
        }
        let directory = output.map { RunDirectory(path: $0, content: .fit) }
        try directory?.write(RunFiles(calibration, log: log, end: latencyTo))
        switch format {
        case .text:
            print(CalibrationText(calibration, log: log, end: latencyTo).plain, terminator: "")
            if let directory { print("\nResults: \(directory.path) (read report.md first)") }
        case .json:
            print(calibration.json(log: log, end: latencyTo).text, terminator: "")
        }
    }

    /// The values to fit, and their log if they come from one.
    private func read(_ file: String) throws -> (Calibration.Source, SendLog?) {
        if sendLog {
            var columns = SendLogColumns()
            (columns.time, columns.status, columns.reason, columns.latency) = (time, status, reason, column)
            columns.unit = unit
            columns.dates = dates
            columns.filters = try parsedFilters()
            columns.format = form
            let log = try SendLogReader.read(path: file, columns, notify: printError)
            return (Calibration.Source(file: file, log: log), log)
        }
        let name = column ?? ""
        let unit = since != nil ? .seconds : unit ?? DataColumn.unit(ofName: name) ?? .one
        var column = DataColumn(name: name, unit: unit)
        column.since = since
        column.dates = dates
        column.filters = try parsedFilters()
        column.skipsNegative = skipNegative
        column.shift = Int64((shift * unit.factor).rounded())
        let values = try column.read(path: file, format: form, notify: printError)
        return (Calibration.Source(file: file, column: column, values: values), nil)
    }

    private var form: DelimitedFormat {
        DelimitedFormat(separator: separator, hasHeader: !noHeader, decimalMark: decimal)
    }

    private func parsedFilters() throws -> [DataColumn.Filter] {
        try filters.map { text in
            guard let mark = text.firstIndex(of: "="), mark > text.startIndex else {
                throw ValidationError("--where must be COLUMN=VALUE, got \"\(text)\"")
            }
            return DataColumn.Filter(column: String(text[..<mark]), value: String(text[text.index(after: mark)...]))
        }
    }

    private func parsedFamilies() throws -> [FitFamily] {
        guard let families else { return FitFamily.allCases }
        return try families.split(separator: ",", omittingEmptySubsequences: false)
            .map { name in
                guard let family = FitFamily(rawValue: String(name)) else {
                    let allowed = FitFamily.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ValidationError("--families has \"\(name)\", which is not a family; allowed: \(allowed)")
                }
                return family
            }
    }
}

/// Parses the separator of an option.
private func separatorByte(_ text: String) throws -> UInt8 {
    guard let byte = DelimitedFormat.separator(named: text) else {
        throw ValidationError("must be a separator, got \"\(text)\"; allowed: \(DelimitedFormat.allowedSeparators)")
    }
    return byte
}

/// The decimal mark that an option names.
private func decimalMarkByte(_ text: String) throws -> UInt8 {
    guard let byte = DelimitedFormat.decimalMark(named: text) else {
        throw ValidationError("must be a decimal mark, got \"\(text)\"; allowed: point, comma")
    }
    return byte
}
