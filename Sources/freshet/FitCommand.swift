public import ArgumentParser
public import Experiments
public import LiveActivityModel
import Reporting
import Statistics
import TextFormats

extension SendLog.LatencyEnd: ExpressibleByArgument {}

extension Scenario.DateOrder: ExpressibleByArgument {}

extension EmpiricalColumn.Unit: ExpressibleByArgument {
    /// Minutes may be written `min`, too.
    public init?(argument: String) { self.init(rawValue: argument == "min" ? "m" : argument) }

    /// The names, as help lists them.
    public static var allValueStrings: [String] { ["ns", "us", "ms", "s", "min", "m", "h", "d", "1"] }
}

struct FitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fit",
        abstract: "Fits distributions to measured values and prints the YAML for a scenario.",
        discussion: """
            Example: freshet fit rtt.csv --column rtt_ms --where access_technology=4G --output /tmp/rtt
            Example: freshet fit rides.csv --column pickup_time --since request_time
            Example: freshet fit send-log.csv --send-log
            Example: freshet fit k6.csv --send-log --column metric_value --unit ms --where metric_name=http_req_duration

            Families are fitted by maximum likelihood, ranked by Akaike's criterion and held against the data: distance of \
            Kolmogorov and Smirnov, quantiles with their errors. Rounded data are taken for what they are, so zeros and \
            ties do no harm. With --output there are charts, fit.json and fit.csv too.

            --send-log reads a provider's own log (time, status, latency by any of the usual names) and prints the sender \
            and apns parts of a scenario: the time of a request, and the refusals by their shares.

            The file is Parquet or text. Commas, semicolons, tabs and pipes are recognized, and columns are found in any case \
            and with any characters between their words. A column also goes by its number, from 1.
            """
    )

    @Argument(help: "The file: CSV or similar, or Parquet.", completion: .file(extensions: ["csv", "tsv", "parquet"]))
    var file: String

    @Option(help: "The column to fit; of a send log the latency, where its name is not a usual one.")
    var column: String?

    @Option(help: "A column of times; the time from there to --column is fitted.")
    var since: String?

    @Option(
        help:
            "The column's unit: ns, us, ms, s, min, h, d, or 1 for no duration. Default: what its name ends with."
    )
    var unit: EmpiricalColumn.Unit?

    @Option(name: .customLong("where"), help: "Only rows with a value, as COLUMN=VALUE; may be repeated.")
    var filters: [String] = []

    @Option(help: "What to fit, with commas between: \(FitFamily.allCases.map(\.rawValue).joined(separator: ",")).")
    var families: String?

    @Option(help: "What to take off every value first, in the column's unit, 0 to 1e9; it comes back as shifted.")
    var shift: Double = 0

    @Option(
        help:
            "The step in which values were written down, in the column's unit, 0 to 1e9. Default: what divides them all."
    )
    var resolution: Double?

    @Flag(help: "Leave out values below zero, and count them, in place of an error.")
    var skipNegative = false

    @Flag(help: "Read a log of requests to APNs.")
    var sendLog = false

    @Option(help: "The log's column of times, where its name is not a usual one.")
    var time: String?

    @Option(help: "The log's column of statuses, where its name is not a usual one.")
    var status: String?

    @Option(help: "The log's column of APNs' reasons or bodies, where its name is not a usual one.")
    var reason: String?

    @Option(
        help:
            "The separator: a comma, a semicolon, a tab or a pipe, or its name. Default: recognized by the first line.",
        transform: separatorByte
    )
    var separator: UInt8?

    @Flag(help: "The first line is a row; columns go by number, from 1.")
    var noHeader = false

    @Option(
        help:
            "The order of day and month in dates such as 05/06/2026: month_first or day_first. Default: recognized from the whole file."
    )
    var dates: Scenario.DateOrder?

    @Option(
        help:
            "The mark before the decimals of numbers: point, or comma, with points between thousands. Default: recognized by each column.",
        transform: decimalMarkByte
    )
    var decimal: UInt8?

    @Option(help: "Where the log's latency ends: response (sender.request_time) or phone (apns.latency).")
    var latencyTo = SendLog.LatencyEnd.response

    @Option(help: "Samples drawn for each p-value, 0 to 10000; 0: none.", transform: wholeNumber)
    var bootstrap = 99

    @Option(help: "The seed of these samples, 0 to 2^64 - 1.", transform: wholeNumber)
    var seed: UInt64 = 0

    @Option(help: "text, or json for scripts.")
    var format = TextOrJSON.text

    @Option(help: "A directory for report.md, fit.json, fit.csv and charts.", completion: .directory)
    var output: String?

    func validate() throws {
        if sendLog {
            let isOfLog = since == nil && shift == 0 && !skipNegative
            try demand(isOfLog, "--since, --shift and --skip-negative do not go with --send-log")
            try demand(unit != .one, "--unit of a send log must be one of time, got 1")
        } else {
            try demand(column != nil, "name a column with --column, or say --send-log if the file is one")
            try demand(
                time == nil && status == nil && reason == nil,
                "--time, --status and --reason go with --send-log"
            )
            try demand(since == nil || unit == nil, "--unit does not go with --since: times have no unit")
            if since == nil, unit == nil, let column, DataColumn.unit(ofName: column) == nil {
                throw ValidationError(
                    "the unit of \(column) is not in its name; say it with --unit ns, us, ms, s, min, h, d or 1"
                )
            }
        }
        try limit("--bootstrap", bootstrap, to: 0...10_000)
        for (name, number) in [("--shift", shift), ("--resolution", resolution ?? 1)] {
            try demand(number.isFinite && number >= 0 && number < 1e9, "\(name) must be within 0...1e9, got \(number)")
        }
        _ = try parsedFilters()
        _ = try parsedFamilies()
    }

    func run() throws {
        let (source, log) = try read()
        for remark in source.remarks { printError("warning: \(OneLine.text(file)): \(OneLine.text(remark))") }
        let factor = source.column.unit.factor
        let calibration: Calibration
        do throws(FitError) {
            calibration = try Calibration(
                source,
                resolution: resolution.map { max(1, Int64(($0 * factor).rounded())) },
                families: (try? parsedFamilies()) ?? FitFamily.allCases,
                replications: bootstrap,
                seed: seed
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

    /// The values to fit, and the log they are from if they are from one.
    private func read() throws -> (Calibration.Source, SendLog?) {
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
                    throw ValidationError("--families has \"\(name)\", which is none; allowed: \(allowed)")
                }
                return family
            }
    }
}

/// The separator that an option names.
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
