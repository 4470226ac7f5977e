public import InputFiles
public import LiveActivityModel

/// The columns of a send log, and the conditions on its rows.
///
/// A column that is not given is found by one of its usual names, in any case and with any separators between its
/// words.
public struct SendLogColumns: Hashable, Sendable {
    /// The column of the time when a request was sent; nil to find it.
    public var time: String?
    /// The column of the HTTP status; nil to find it.
    public var status: String?
    /// The column of APNs' reason, or of the body with it; nil to find it, if there is one.
    public var reason: String?
    /// The column of the latency; nil to find it.
    public var latency: String?
    /// The unit of the latency; nil to take it from the column's name.
    public var unit: EmpiricalColumn.Unit?
    /// The order of day and month in dates such as `05/06/2026`; nil to recognize it from the whole file.
    public var dates: Scenario.DateOrder?
    /// The conditions that a row must meet.
    public var filters: [DataColumn.Filter] = []
    /// The format of the file.
    public var format = DelimitedFormat.recognized

    /// Creates columns that are all found by their usual names.
    public init() {}

    /// A Boolean value that indicates whether some columns are given by number.
    var areNumbered: Bool { [time, status, reason, latency].contains { $0?.isDigits ?? false } }
}

/// The indices of a log's columns.
struct SendLogLayout {
    let time: Int
    let status: Int
    /// The columns of reasons, in the order in which they are searched.
    let reasons: [Int]
    let latency: Int
    /// The unit of the latency; nil if each cell must have its own.
    package let unit: EmpiricalColumn.Unit?
    /// The unit of times since the start of the log; nil for absolute times.
    let sinceStart: EmpiricalColumn.Unit?
    /// Sentences about other columns that could also be meant.
    let remarks: [String]

    /// A column with its usual names, the most specific first.
    private struct Role {
        let name: String
        let option: String
        let names: [String]
    }

    private static let time = Role(
        name: "time",
        option: "--time",
        names: [
            "time", "timestamp", "sent_at", "send_time", "request_time", "date", "datetime", "ts", "t", "sent",
            "started_at",
            "start_time", "requested_at", "created_at", "logged_at", "date_time", "epoch",
        ]
    )
    /// The time since the start of the log, as written by `hey` (`offset`) and `oha` (`request-start`).
    private static let sinceStart = Role(
        name: "time",
        option: "--time",
        names: [
            "offset", "request_start", "start_offset", "time_offset", "since_start", "time_since_start",
            "relative_time",
        ]
    )
    private static let status = Role(
        name: "status",
        option: "--status",
        names: [
            "status", "status_code", "http_status", "http_status_code", "apns_status", "response_code",
            "response_status",
            "code", "http_code", "result_code", "apns_status_code",
        ]
    )
    private static let reason = Role(
        name: "reason",
        option: "--reason",
        names: [
            "reason", "apns_reason", "error_reason", "response_reason", "failure_reason", "reject_reason", "error",
            "error_message", "body", "response_body", "response",
        ]
    )
    private static let latency = Role(
        name: "latency",
        option: "--column",
        names: [
            "latency", "duration", "elapsed", "response_time", "rtt", "took", "time_taken", "elapsed_time",
            "request_duration", "response_latency", "request_latency", "round_trip_time", "total_time",
            "http_req_duration",
        ]
    )

    /// Finds the columns.
    ///
    /// The result is nil, with an error for each missing column, if required columns are missing.
    init?(_ columns: SendLogColumns, in table: inout CSVTable) {
        let header = table.columnNames
        var others: [String] = []
        func candidates(_ role: Role) -> [Candidate] { table.isNumbered ? [] : Self.candidates(role, in: header) }
        func find(_ role: Role) -> (index: Int, unit: EmpiricalColumn.Unit?)? {
            let all = candidates(role)
            guard let first = all.first else { return nil }
            others += Self.check(all, role, &table)
            return (first.index, first.unit)
        }
        func need(_ role: Role, _ asked: String?) -> (index: Int, unit: EmpiricalColumn.Unit?)? {
            if let asked { return table.column(asked).map { ($0, ColumnName(table.header[$0]).unit) } }
            if let found = find(role) { return found }
            let advice =
                table.isNumbered
                ? "the file has no header; name the column by its number, for example \(role.option) 3"
                : "got \(CSVTable.list(table.header)); allowed: \(role.names.joined(separator: ", ")), or any other with "
                    + "\(role.option)"
            table.reportInHeader(
                field: 0,
                column: role.name,
                "the log has no column for the \(role.name); \(advice)" + table.hintOfData
            )
            return nil
        }
        let isKnown = !candidates(Self.time).isEmpty || !candidates(Self.status).isEmpty
        guard !table.isWithoutHeader || columns.areNumbered || isKnown else {
            table.reportInHeader(
                field: 0,
                "the first line looks like data, not a header; name the columns by number, for example --no-header --time 1 "
                    + "--status 2 --column 3 --unit ms"
            )
            return nil
        }
        let isSinceStart = columns.time == nil && candidates(Self.time).isEmpty && !candidates(Self.sinceStart).isEmpty
        let time = need(isSinceStart ? Self.sinceStart : Self.time, columns.time)
        let status = need(Self.status, columns.status)
        if let reason = columns.reason {
            reasons = [table.column(reason)].compactMap(\.self)
        } else {
            reasons = Self.reason.names.compactMap { name in header.firstIndex { $0.isExactly(name) != nil } }
        }
        let latency = need(Self.latency, columns.latency)
        guard let time, let status, let latency else { return nil }
        // The columns of both load generators name no unit; all are in seconds.
        let isOfGenerator = header.contains { $0.key == "dnsdialup" }
        unit = columns.unit ?? latency.unit ?? (isOfGenerator ? .seconds : nil)
        let isStatedSinceStart =
            !table.isNumbered && header.indices.contains(time.index)
            && !Self.candidates(Self.sinceStart, in: [header[time.index]]).isEmpty
        sinceStart = isSinceStart || isStatedSinceStart ? time.unit ?? .seconds : nil
        self.time = time.index
        self.status = status.index
        self.latency = latency.index
        remarks = others
    }

    /// Reports that the latencies have no unit.
    func reportMissingUnit(to table: inout CSVTable) {
        table.reportInHeader(
            field: latency,
            column: table.header[latency],
            "the unit of \(table.name(of: latency)) is not in its name; give it with --unit ns, us, ms, s or min"
        )
    }

    /// A column that may have a role.
    private struct Candidate {
        let index: Int
        let unit: EmpiricalColumn.Unit?
        /// Its usual name.
        let name: String
    }

    /// Returns the columns with a usual name of a role, the most specific first.
    private static func candidates(_ role: Role, in header: [ColumnName]) -> [Candidate] {
        var found: [Candidate] = []
        // A name without a unit comes first: `time_ms` beside `timestamp` is not a time of day.
        for match in [ColumnName.isExactly, ColumnName.isWithUnit] {
            for name in role.names {
                for (index, column) in header.enumerated() {
                    if let unit = match(column)(name) { found.append(Candidate(index: index, unit: unit, name: name)) }
                }
            }
        }
        return found
    }

    /// Reports ambiguous columns, and returns sentences about other columns that could also be meant.
    private static func check(_ candidates: [Candidate], _ role: Role, _ table: inout CSVTable) -> [String] {
        let first = candidates[0]
        func names(_ candidates: [Candidate]) -> String { CSVTable.list(candidates.map { table.header[$0.index] }) }
        let alike = candidates.filter { $0.name == first.name }
        if alike.count > 1, role.option != Self.time.option || alike.filter({ $0.unit == nil }).count > 1 {
            table.reportInHeader(
                field: alike[1].index,
                column: role.name,
                "the log has several columns for the \(role.name): \(names(alike)), fields "
                    + "\(alike.map { "\($0.index + 1)" }.joined(separator: ", ")); choose one with \(role.option), by name or number"
            )
            return []
        }
        let others = candidates.dropFirst()
        guard role.option == latency.option, !others.isEmpty else { return [] }
        return [
            "The latency is that of column \(names([first])); \(names(Array(others))) could also be meant. Choose the column with "
                + "\(role.option)."
        ]
    }
}
