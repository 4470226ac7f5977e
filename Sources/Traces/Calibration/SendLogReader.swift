public import InputFiles
import LiveActivityModel

/// Reads a provider's send log.
public enum SendLogReader {
    /// Reads a log, CSV or Parquet.
    ///
    /// Times are in any form of ``Moment``, or in seconds since the start of the log in a column such as `offset`. A
    /// status is an HTTP status, optionally with its phrase (`200 OK`). An empty status, 0, or a word such as `timeout`
    /// means that there was no answer, and the latency may then be empty.
    ///
    /// - Parameters:
    ///   - columns: The columns of the log, if their names are not the usual ones.
    ///   - notify: Called with a line of text before a step that takes a while.
    /// - Throws: ``DataFileError`` with all errors of the file, or if there is none.
    public static func read(
        path: String,
        _ columns: SendLogColumns = SendLogColumns(),
        notify: (String) -> Void = { _ in }
    ) throws(DataFileError) -> SendLog {
        try read(CSVReader(path: path, columns: nil, format: columns.format, notify: notify), columns)
    }

    /// Reads an open log.
    static func read(
        _ reader: consuming CSVReader,
        _ columns: SendLogColumns = SendLogColumns()
    ) throws(DataFileError) -> SendLog {
        var table = try CSVTable(reader, areNumbered: columns.areNumbered)
        let layout = SendLogLayout(columns, in: &table)
        var selection = RowSelection(columns.filters, in: &table, values: layout?.latency)
        var times = Times(dates: columns.dates)
        var log = SendLog()
        var isUnitMissing = false
        var counts: [Key: Int] = [:]
        while try table.advance() {
            guard let layout, selection != nil else { continue }
            guard selection?.takes(table.row) ?? false else {
                log.filtered += 1
                continue
            }
            log.count += 1
            times.add(layout, &table)
            guard let key = key(layout, &table) else { continue }
            counts[key, default: 0] += 1
            if key.status == 200, !addLatency(layout, &table, &log), !isUnitMissing {
                layout.reportMissingUnit(to: &table)
                isUnitMissing = true
            }
        }
        selection?.check(&table)
        times.check(&table)
        try table.throwIfInvalid()
        if let layout {
            if log.count == 0, log.filtered > 0 {
                table.reportInHeader(
                    field: layout.status,
                    "no row has \(DataColumn.Filter.text(of: columns.filters))\(selection?.advice ?? "")"
                )
            } else if log.latencies.isEmpty {
                table.reportInHeader(field: layout.status, "the log has no request with status 200")
            }
            log.latencyColumn = table.header[layout.latency]
            log.unit = layout.unit ?? .milliseconds
            log.filters = columns.filters
            log.period = times.period
            log.remarks = layout.remarks + times.remarks + table.decimalRemarks(setting: DataColumn.decimalSetting)
        }
        try table.throwIfInvalid()
        log.answers = counts.sorted { $0.key < $1.key }
            .map { SendLog.Answer(status: $0.key.status, reason: $0.key.reason, count: $0.value) }
        return log
    }

    /// The key by which answers are counted.
    private struct Key: Hashable, Comparable {
        let status: Int?
        let reason: String

        static func < (left: Key, right: Key) -> Bool {
            (left.status ?? .max, left.reason) < (right.status ?? .max, right.reason)
        }
    }

    /// The words of logs for a missing answer, apart from an empty field.
    private static let noAnswer: Set<String> = [
        "0", "-1", "-", "timeout", "timed_out", "timedout", "error", "none", "null", "na", "n/a", "connection_lost",
        "connection_error", "network_error", "cancelled", "failed",
    ]

    /// Returns the status in a text, 0 if the text says that there was no answer; nil if it states neither.
    static func statusOrNone(statedBy text: String) -> Int? {
        text.isEmpty || noAnswer.contains(text.lowercased()) ? 0 : status(statedBy: text)
    }

    private static func key(_ layout: SendLogLayout, _ table: inout CSVTable) -> Key? {
        let text = String(decoding: TextCell.trimmed(table.row[layout.status]), as: UTF8.self)
        if let status = statusOrNone(statedBy: text) {
            if status == 0 { return Key(status: nil, reason: "") }
            return Key(status: status, reason: status == 200 ? "" : reason(layout, table.row))
        }
        let allowed = "100 … 599, or empty or timeout if there was no answer"
        table.refuseInRow(field: layout.status, "an HTTP status", allowed: allowed)
        return nil
    }

    private static func reason(_ layout: SendLogLayout, _ row: borrowing CSVRecord) -> String {
        for column in layout.reasons {
            let reason = APNsReasonName.reason(statedBy: row.text(column))
            if !reason.isEmpty { return reason }
        }
        return ""
    }

    /// Returns the status in a text such as `200`, `200 OK`, `200.0` or `HTTP/2 200`; nil for any other text.
    private static func status(statedBy text: String) -> Int? {
        var words = text.prefix(64).split(separator: " ")
        if let first = words.first?.lowercased(), first.hasPrefix("http") { words.removeFirst() }
        guard let word = words.first else { return nil }
        // Data frames write whole numbers as decimals in a column with gaps.
        let digits = word.hasSuffix(".0") ? word.dropLast(2) : word
        guard digits.count == 3, let status = Int(digits), (100...599).contains(status) else { return nil }
        return status
    }

    /// Adds the latency of a row.
    ///
    /// - Returns: `false` for a number without a unit in a column of unknown unit.
    private static func addLatency(_ layout: SendLogLayout, _ table: inout CSVTable, _ log: inout SendLog) -> Bool {
        let cell = table.number(layout.latency)
        guard layout.unit != nil || EmpiricalColumn.Unit.hasOwnUnit(cell) else { return false }
        let unit = layout.unit ?? .milliseconds
        if let latency = unit.baseUnits(of: cell) {
            log.latencies.append(latency)
        } else {
            table.refuseInRow(field: layout.latency, "a number where the status is 200", allowed: unit.allowed)
        }
        return true
    }
}

/// The times of a log's requests.
private struct Times {
    /// The order of day and month given by the user; nil to recognize it.
    let dates: Scenario.DateOrder?
    private var order = DateOrderCheck()
    private var zones = ZoneCheck()
    /// The first and the last time, read in the given order or month first, and read day first.
    private var stated: ClosedRange<Int64>?
    private var dayFirst: ClosedRange<Int64>?

    init(dates: Scenario.DateOrder?) { self.dates = dates }

    /// The times of the first and of the last request.
    var period: ClosedRange<Int64>? { order.order == .dayFirst ? dayFirst : stated }

    /// Warnings about times with two possible readings.
    var remarks: [String] { [order.remark(setting: "--dates")].compactMap(\.self) }

    /// Records the time in a table's current row.
    mutating func add(_ layout: SendLogLayout, _ table: inout CSVTable) {
        if let unit = layout.sinceStart, let time = unit.baseUnits(of: table.number(layout.time)) {
            Self.extend(&stated, to: time)
            return
        }
        let cell = table.row[layout.time]
        let isUndecided = dates == nil && order.note(layout.time, in: table.row)
        let moment = Moment(cell, order: dates ?? .monthFirst)
        let other = isUndecided ? Moment(cell, order: .dayFirst) : moment
        guard let some = moment ?? other else {
            table.refuseInRow(field: layout.time, "a time", allowed: Moment.allowed + Self.hint(cell))
            return
        }
        zones.note(some, layout.time, in: table.row)
        if let moment { Self.extend(&stated, to: moment.microseconds) }
        if let other { Self.extend(&dayFirst, to: other.microseconds) }
    }

    /// Reports an error if the times are inconsistent.
    func check(_ table: inout CSVTable) {
        zones.check(&table)
        order.check(&table, setting: "--dates")
    }

    private static func extend(_ period: inout ClosedRange<Int64>?, to instant: Int64) {
        period = period.map { min($0.lowerBound, instant)...max($0.upperBound, instant) } ?? instant...instant
    }

    /// Returns the advice for times that are small numbers.
    private static func hint(_ cell: ArraySlice<UInt8>) -> String {
        guard EmpiricalColumn.Unit.seconds.baseUnits(of: TextCell.trimmed(cell)) != nil else { return "" }
        return
            ", or seconds since the beginning in a column named offset; without --send-log, --column fits the latencies alone"
    }
}
