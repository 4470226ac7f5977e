/// The headers by which ride traces are known.
struct RideTraceLayout {
    /// What a column tells, in the order in which columns are looked up.
    enum Field: Int, CaseIterable {
        case provider, requested, accepted, arrived, pickedUp, droppedOff, cancelled, status

        /// Whether a trace may do without it.
        var isOptional: Bool { self == .accepted || self == .cancelled }
    }

    /// What the layout is called in messages.
    let name: String
    /// The names of the columns that it has.
    let columns: [Field: String]

    /// High-volume for-hire trips as New York's Taxi and Limousine Commission publishes them.
    ///
    /// See the TLC's "Data Dictionary – High Volume FHV Trip Records".
    static let tlc = RideTraceLayout(
        name: "the TLC's",
        columns: [
            .provider: "hvfhs_license_num", .requested: "request_datetime", .arrived: "on_scene_datetime",
            .pickedUp: "pickup_datetime", .droppedOff: "dropoff_datetime",
        ]
    )

    /// Freshet's own header, for traces from elsewhere; `accepted_time` and `cancelled_time` may be absent.
    static let plain = RideTraceLayout(
        name: "Freshet's",
        columns: [
            .provider: "provider", .requested: "request_time", .accepted: "accepted_time",
            .arrived: "driver_arrived_time", .pickedUp: "pickup_time", .droppedOff: "dropoff_time",
            .cancelled: "cancelled_time", .status: "status",
        ]
    )

    /// The columns that must be there.
    var required: [String] { Field.allCases.filter { !$0.isOptional }.compactMap { columns[$0] } }

    /// The layout that a header has more columns of; nil if it has none of either.
    static func recognized(in header: [String]) -> RideTraceLayout? {
        let found = [tlc, plain].map { layout in (layout, count: layout.required.filter(header.contains).count) }
        let best = found[0].count >= found[1].count ? found[0] : found[1]
        return best.count > 0 ? best.0 : nil
    }
}

/// Where the columns of a layout stand in one file.
struct RideTraceColumns {
    /// The column of the provider.
    let provider: Int
    /// By field; nil where the file has no such column.
    private let indices: [Int?]

    /// Looks the columns up; nil, with a report to the table for each, if some that must be there are not.
    init?(_ layout: RideTraceLayout, in table: inout CSVTable) {
        let known = Array(layout.columns.values)
        var indices: [Int?] = []
        var isComplete = true
        for field in RideTraceLayout.Field.allCases {
            let name = layout.columns[field]
            if let name, !field.isOptional {
                indices.append(table.column(name, besides: known))
                isComplete = isComplete && indices.last != .some(nil)
            } else {
                indices.append(name.flatMap { table.optionalColumn($0) })
            }
        }
        guard isComplete, let provider = indices[RideTraceLayout.Field.provider.rawValue] else { return nil }
        self.provider = provider
        self.indices = indices
    }

    /// The moments that a row tells.
    func timeline(of row: borrowing CSVRecord) -> RideTimeline {
        var timeline = RideTimeline()
        timeline.requested = moment(row, .requested, &timeline)
        timeline.accepted = moment(row, .accepted, &timeline)
        timeline.arrived = moment(row, .arrived, &timeline)
        timeline.pickedUp = moment(row, .pickedUp, &timeline)
        timeline.droppedOff = moment(row, .droppedOff, &timeline)
        timeline.cancelled = moment(row, .cancelled, &timeline)
        if let status = indices[RideTraceLayout.Field.status.rawValue], !row[status].isEmpty {
            timeline.isCompleted = row[status].elementsEqual("completed".utf8)
        }
        return timeline
    }

    /// The time in a column; nil where the column or its text is absent.
    private func moment(
        _ row: borrowing CSVRecord,
        _ field: RideTraceLayout.Field,
        _ timeline: inout RideTimeline
    ) -> Int64? {
        guard let index = indices[field.rawValue], !row[index].isEmpty else { return nil }
        let moment = CivilTime.microseconds(of: row[index])
        if moment == nil { timeline.hasUnparsableTime = true }
        return moment
    }
}
