/// Reads a provider's send log.
public enum SendLogReader {
    /// Reads a log: `time,status,latency_ms` by any of the usual names, and `reason` where there is one.
    ///
    /// Times are local without zone, in UTC (`Z`), or seconds, milliseconds or microseconds since 1970. A status is that of
    /// HTTP; an empty one, 0, or a word such as `timeout` means that no answer came, and then the latency may be empty.
    ///
    /// - Parameters:
    ///   - latency: The column of latencies, where its name is not a usual one.
    ///   - unit: Its unit, where the name does not end with one.
    /// - Throws: All that is wrong with the file, or that there is none.
    public static func read(
        path: String,
        latency: String? = nil,
        unit: EmpiricalColumn.Unit? = nil
    ) throws(DataFileError) -> SendLog {
        try read(CSVReader(path: path), latency: latency, unit: unit)
    }

    /// Reads a log that is open.
    static func read(
        _ reader: consuming CSVReader,
        latency: String? = nil,
        unit: EmpiricalColumn.Unit? = nil
    ) throws(DataFileError) -> SendLog {
        var table = try CSVTable(reader)
        let layout = SendLogLayout(in: &table, latencyName: latency, unit: unit)
        var log = SendLog()
        var counts: [Key: Int] = [:]
        while try table.advance() {
            guard let layout else { continue }
            log.count += 1
            addTime(layout, &table, &log)
            guard let key = key(layout, &table) else { continue }
            counts[key, default: 0] += 1
            if key.status == 200 { addLatency(layout, &table, &log) }
        }
        try table.throwIfInvalid()
        if let layout {
            if log.latencies.isEmpty {
                table.reportInHeader(field: layout.status, "the log has no request with status 200")
            }
            log.latencyColumn = table.header[layout.latency]
            log.unit = layout.unit
        }
        try table.throwIfInvalid()
        log.answers = counts.sorted { $0.key < $1.key }
            .map { SendLog.Answer(status: $0.key.status, reason: $0.key.reason, count: $0.value) }
        return log
    }

    /// What a row's answer is counted by.
    private struct Key: Hashable, Comparable {
        let status: Int?
        let reason: String

        static func < (left: Key, right: Key) -> Bool {
            (left.status ?? .max, left.reason) < (right.status ?? .max, right.reason)
        }
    }

    /// How logs write that no answer came, apart from an empty field.
    private static let noAnswer: Set<String> = [
        "0", "-1", "-", "timeout", "timed_out", "timedout", "error", "none", "null", "na", "n/a", "connection_lost",
        "connection_error", "network_error", "cancelled", "failed",
    ]

    private static func key(_ layout: SendLogLayout, _ table: inout CSVTable) -> Key? {
        let text = table.row.text(layout.status)
        let reason = layout.reason.map { OneLine.excerpt(table.row.text($0)) } ?? ""
        if text.isEmpty || noAnswer.contains(text.lowercased()) { return Key(status: nil, reason: "") }
        if let status = Int(text), (100...599).contains(status) {
            return Key(status: status, reason: status == 200 ? "" : reason)
        }
        let allowed = "100 … 599, or empty or timeout where no answer came"
        table.refuseInRow(field: layout.status, "a status of HTTP", allowed: allowed)
        return nil
    }

    private static func addLatency(_ layout: SendLogLayout, _ table: inout CSVTable, _ log: inout SendLog) {
        if let latency = layout.unit.baseUnits(of: table.row[layout.latency]) {
            log.latencies.append(latency)
        } else {
            table.refuseInRow(field: layout.latency, "a number where the status is 200", allowed: layout.unit.allowed)
        }
    }

    private static func addTime(_ layout: SendLogLayout, _ table: inout CSVTable, _ log: inout SendLog) {
        if let moment = moment(of: table.row[layout.time]) {
            log.period =
                log.period.map { min($0.lowerBound, moment)...max($0.upperBound, moment) } ?? moment...moment
        } else {
            let allowed = "as 2026-07-14T18:00:00.250, with Z or without, or seconds, ms or us since 1970"
            table.refuseInRow(field: layout.time, "a time", allowed: allowed)
        }
    }

    private static func moment(of cell: ArraySlice<UInt8>) -> Int64? {
        if let last = cell.last, last == UInt8(ascii: "Z") || last == UInt8(ascii: "z") {
            return CivilTime.microseconds(of: cell.dropLast())
        }
        if let moment = CivilTime.microseconds(of: cell) { return moment }
        guard cell.count <= 20, let number = NumberText.number(String(decoding: cell, as: UTF8.self)) else {
            return nil
        }
        // From 2001 to the year 5138; the three ranges are a thousand times apart and do not meet.
        return switch number {
        case 1e9..<1e11: Int64((number * 1e6).rounded())
        case 1e12..<1e14: Int64((number * 1e3).rounded())
        case 1e15..<1e17: Int64(number.rounded())
        default: nil
        }
    }
}
