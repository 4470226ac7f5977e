/// Where a send log has what; names are compared without regard to case, hyphens, blanks and dots.
struct SendLogLayout {
    /// The usual names of a column, the most telling ones first.
    struct Role {
        let name: String
        let names: [String]
    }

    static let time = Role(
        name: "time",
        names: ["time", "timestamp", "sent_at", "send_time", "request_time", "date", "datetime", "ts", "t"]
    )
    static let status = Role(
        name: "status",
        names: [
            "status", "status_code", "http_status", "http_status_code", "apns_status", "response_code",
            "response_status", "code",
        ]
    )
    static let reason = Role(
        name: "reason",
        names: ["reason", "apns_reason", "error_reason", "response_reason", "error", "failure_reason"]
    )
    static let latency = Role(
        name: "latency",
        names: ["latency", "duration", "elapsed", "response_time", "rtt", "took", "time_taken", "elapsed_time"]
    )

    let time: Int
    let status: Int
    let reason: Int?
    let latency: Int
    let unit: EmpiricalColumn.Unit

    /// Looks the columns up; nil, with a report to the table for each, if some that must be there are not.
    ///
    /// - Parameters:
    ///   - latencyName: The column of latencies, where its name is not a usual one.
    ///   - unit: Its unit, where the name does not end with one.
    init?(in table: inout CSVTable, latencyName: String?, unit: EmpiricalColumn.Unit?) {
        let header = table.header.map(Self.plain)
        func find(_ role: Role) -> Int? {
            for name in role.names {
                if let index = header.firstIndex(of: name) { return index }
            }
            return nil
        }
        func need(_ role: Role) -> Int? {
            let index = find(role)
            if index == nil {
                table.reportInHeader(
                    field: 0,
                    column: role.name,
                    "the log has no column for the \(role.name); got \(CSVTable.list(table.header)); "
                        + "allowed: \(role.names.joined(separator: ", "))"
                )
            }
            return index
        }
        let time = need(Self.time)
        let status = need(Self.status)
        reason = find(Self.reason)
        var latency: Int?
        if let latencyName {
            latency = table.column(latencyName)
        } else {
            latency = header.firstIndex { Self.latency.names.contains(Self.withoutUnit($0)) }
            if latency == nil { latency = need(Self.latency) }
        }
        guard let time, let status, let latency else { return nil }
        guard let unit = unit ?? DataColumn.unit(ofName: table.header[latency]) else {
            table.reportInHeader(
                field: latency,
                column: table.header[latency],
                "the unit of \(table.header[latency]) is not in its name; say it with --unit us, ms, s or min"
            )
            return nil
        }
        self.time = time
        self.status = status
        self.latency = latency
        self.unit = unit
    }

    private static func plain(_ name: String) -> String {
        String(name.lowercased().map { $0 == "-" || $0 == " " || $0 == "." ? "_" : $0 })
    }

    private static func withoutUnit(_ name: String) -> String {
        guard DataColumn.unit(ofName: name) != nil, let mark = name.lastIndex(of: "_") else { return name }
        return String(name[..<mark])
    }
}
