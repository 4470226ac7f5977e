import InputFiles
import LiveActivityModel

/// The indices of a trace's columns in one file.
struct RideTraceColumns {
    /// The column of the ride's name; nil if the file has none.
    let ride: Int?
    /// The column of the provider; nil if the file has none.
    let provider: Int?
    /// The column of the status; nil if the file has none.
    let status: Int?
    /// A Boolean value that indicates whether moments of every ride have no column, and are therefore drawn from the
    /// scenario.
    let lacksMoments: Bool
    /// The index of each field; nil if the file has no such column.
    private let indices: [Int?]

    /// Finds the columns.
    ///
    /// The result is nil, with an error for each missing column, if required columns are missing. Without a mapping,
    /// all moments except the acceptance, the arrival and the cancellation are required; with one, only the request or
    /// the pickup.
    ///
    /// - Parameter needsRides: `true` if the names of rides are required as well.
    init?(for trace: Scenario.Trace, needsRides: Bool, in table: inout CSVTable) {
        let mapping = trace.columns
        let isMapped = trace.columns.mapMoments
        let header = RideTraceLayout.recognized(in: table)
        guard let known = header ?? (isMapped ? RideTraceLayout.plain : nil) else {
            Self.reportUnknownHeader(&table)
            return nil
        }
        let names = Array(known.columns.values)
        var indices: [Int?] = []
        var isComplete = true
        for field in RideTraceLayout.Field.allCases {
            let mapped = mapping[field]
            if !mapped.isEmpty {
                indices.append(
                    table.column(mapped, besides: names, statedBy: "rides.trace.columns.\(Self.key(of: field))")
                )
                isComplete = isComplete && indices.last != .some(nil)
                continue
            }
            let own = known.columns[field]
            var index = own.flatMap { table.optionalColumn($0) }
            // The file may also have columns of the other header.
            for other in RideTraceLayout.headers where index == nil && isMapped {
                index = other.columns[field].flatMap { table.optionalColumn($0) }
            }
            indices.append(index)
            guard index == nil, let own, !isMapped || field == .provider || field == .ride else { continue }
            let isUsual = !field.isExtra
            if field == .ride
                ? needsRides : Self.isNeeded(field, for: trace) || isUsual && table.nameLike(own, besides: names) != nil
            {
                table.reportMissing(own, besides: names, hint: Self.hint(of: field, for: trace))
                isComplete = false
            }
        }
        func index(_ field: RideTraceLayout.Field) -> Int? { indices[field.rawValue] }
        if isComplete, index(.requested) == nil, index(.pickedUp) == nil {
            table.reportInHeader(
                field: 0,
                "the trace has no column for the request or the pickup; map one with rides.trace.columns, for example "
                    + "{request_time: requested_at}; the header has \(CSVTable.list(table.header))"
            )
            isComplete = false
        }
        guard isComplete else { return nil }
        ride = index(.ride)
        provider = index(.provider)
        status = index(.status)
        lacksMoments = index(.requested) == nil || index(.pickedUp) == nil || index(.droppedOff) == nil
        self.indices = indices
    }

    /// Returns the key in `rides.trace.columns` of a field.
    private static func key(of field: RideTraceLayout.Field) -> String { RideTraceLayout.plain.columns[field] ?? "" }

    /// Returns the advice on a missing column.
    private static func hint(of field: RideTraceLayout.Field, for trace: Scenario.Trace) -> String {
        switch field {
        case .provider:
            "; rides.trace.columns.provider can map another column"
                + (trace.provider.isEmpty ? "" : ", and rides.trace.provider: off keeps all rides")
        case .status: "; rides.trace.columns.status can map another column"
        case .ride: "; rides.trace.columns.ride can map another column, by which content.eta.file names the ride"
        default: "; rides.trace.columns can map others, and the scenario provides moments without a column"
        }
    }

    /// Returns `true` if a column without a mapping is required.
    private static func isNeeded(_ field: RideTraceLayout.Field, for trace: Scenario.Trace) -> Bool {
        switch field {
        case .requested, .pickedUp, .droppedOff: !trace.columns.mapMoments
        case .provider: !trace.provider.isEmpty
        case .accepted, .arrived, .cancelled, .status, .ride: false
        }
    }

    private static func reportUnknownHeader(_ table: inout CSVTable) {
        let known = RideTraceLayout.headers.map { "\($0.name) (\($0.usual.joined(separator: ", ")))" }
            .joined(separator: " or ")
        let got = CSVTable.list(table.header)
        table.reportInHeader(
            field: 0,
            "the header is not one of a ride trace: got \(got); allowed: \(known), or others with rides.trace.columns, for example "
                + "{request_time: requested_at}\(table.hintOfData)"
        )
    }

    /// Returns `true` if the file has the column of a field.
    func has(_ field: RideTraceLayout.Field) -> Bool { indices[field.rawValue] != nil }

    /// The names of the moments that every ride has but the file does not, as keys of the mapping.
    var missingMoments: [String] {
        [.requested, .pickedUp, .droppedOff].filter { !has($0) }.compactMap { RideTraceLayout.plain.columns[$0] }
    }

    /// Returns the unused columns of a row that contain a time of day.
    func unusedTimes(in row: borrowing CSVRecord) -> [Int] {
        let used = Set(indices.compactMap(\.self))
        var unused: [Int] = []
        for index in row.fields.indices.prefix(200) where !used.contains(index) {
            if row[index].contains(UInt8(ascii: ":")), Moment.isTime(row[index]) { unused.append(index) }
        }
        return unused
    }

    /// The columns of times in the file.
    var times: [Int] {
        RideTraceLayout.Field.allCases.filter { $0 != .provider && $0 != .status && $0 != .ride }
            .compactMap { indices[$0.rawValue] }
    }

    /// Returns the moments of a row, and records their zones.
    func timeline(
        of row: borrowing CSVRecord,
        _ order: Scenario.DateOrder,
        _ zones: inout ZoneCheck
    ) -> RideTimeline {
        var timeline = RideTimeline()
        timeline.requested = moment(row, .requested, order, &timeline, &zones)
        timeline.accepted = moment(row, .accepted, order, &timeline, &zones)
        timeline.arrived = moment(row, .arrived, order, &timeline, &zones)
        timeline.pickedUp = moment(row, .pickedUp, order, &timeline, &zones)
        timeline.droppedOff = moment(row, .droppedOff, order, &timeline, &zones)
        timeline.cancelled = moment(row, .cancelled, order, &timeline, &zones)
        return timeline
    }

    /// Returns the first field of a row that should be a time but is not.
    func unparsableField(of row: borrowing CSVRecord, _ order: Scenario.DateOrder) -> Int? {
        for index in times where !TextCell.isMissing(row[index]) && Moment(row[index], order: order) == nil {
            return index
        }
        return nil
    }

    /// Returns the time in a column; nil if the column or its text is missing.
    private func moment(
        _ row: borrowing CSVRecord,
        _ field: RideTraceLayout.Field,
        _ order: Scenario.DateOrder,
        _ timeline: inout RideTimeline,
        _ zones: inout ZoneCheck
    ) -> Int64? {
        guard let index = indices[field.rawValue], !TextCell.isMissing(row[index]) else { return nil }
        guard let moment = Moment(row[index], order: order) else {
            timeline.hasUnparsableTime = true
            return nil
        }
        if timeline.offset == 0 { timeline.offset = moment.offset ?? 0 }
        zones.note(moment, index, in: row)
        return moment.microseconds
    }
}

extension Scenario.TraceColumns {
    /// `true` if some column other than that of the ride's name is mapped.
    fileprivate var mapMoments: Bool {
        var others = self
        others.ride = ""
        return others != Scenario.TraceColumns()
    }
}
