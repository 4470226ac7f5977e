/// The headers by which ride traces are known.
struct RideTraceLayout {
    /// What the layout is called in messages.
    let name: String
    /// The names of the columns; nil where the layout has none.
    let requested: String
    let accepted: String?
    let arrived: String
    let pickedUp: String
    let droppedOff: String
    let cancelled: String?
    let status: String?
    let provider: String

    /// High-volume for-hire trips as New York's Taxi and Limousine Commission publishes them.
    ///
    /// See the TLC's "Data Dictionary – High Volume FHV Trip Records".
    static let tlc = RideTraceLayout(
        name: "the TLC's",
        requested: "request_datetime",
        accepted: nil,
        arrived: "on_scene_datetime",
        pickedUp: "pickup_datetime",
        droppedOff: "dropoff_datetime",
        cancelled: nil,
        status: nil,
        provider: "hvfhs_license_num"
    )

    /// Freshet's own header, for traces from elsewhere; `accepted_time` and `cancelled_time` may be absent.
    static let plain = RideTraceLayout(
        name: "Freshet's",
        requested: "request_time",
        accepted: "accepted_time",
        arrived: "driver_arrived_time",
        pickedUp: "pickup_time",
        droppedOff: "dropoff_time",
        cancelled: "cancelled_time",
        status: "status",
        provider: "provider"
    )

    /// The columns that must be there.
    var required: [String] {
        [provider, requested, arrived, pickedUp, droppedOff] + [status].compactMap { $0 }
    }

    /// The columns that may be absent.
    var optional: [String] {
        [accepted, cancelled].compactMap { $0 }
    }

    /// The layout that a header has more columns of; nil if it has none of either.
    static func recognized(in header: [String]) -> RideTraceLayout? {
        let found = [tlc, plain].map { layout in (layout, count: layout.required.filter(header.contains).count) }
        let best = found[0].count >= found[1].count ? found[0] : found[1]
        return best.count > 0 ? best.0 : nil
    }
}

/// Where the columns of a layout stand in one file.
struct RideTraceColumns {
    let requested: Int
    let accepted: Int?
    let arrived: Int
    let pickedUp: Int
    let droppedOff: Int
    let cancelled: Int?
    let status: Int?
    let provider: Int

    /// Looks the columns up; nil, with a report to the table for each, if some that must be there are not.
    init?(_ layout: RideTraceLayout, in table: inout CSVTable) {
        func column(_ name: String) -> Int? {
            table.column(name, besides: layout.required + layout.optional)
        }
        let provider = column(layout.provider)
        let requested = column(layout.requested)
        let accepted = layout.accepted.flatMap { name in table.optionalColumn(name) }
        let arrived = column(layout.arrived)
        let pickedUp = column(layout.pickedUp)
        let droppedOff = column(layout.droppedOff)
        let cancelled = layout.cancelled.flatMap { name in table.optionalColumn(name) }
        let status = layout.status.flatMap(column)
        guard let provider, let requested, let arrived, let pickedUp, let droppedOff,
            layout.status == nil || status != nil
        else { return nil }
        self.requested = requested
        self.accepted = accepted
        self.arrived = arrived
        self.pickedUp = pickedUp
        self.droppedOff = droppedOff
        self.cancelled = cancelled
        self.status = status
        self.provider = provider
    }

    /// The moments that a row tells.
    func timeline(of row: borrowing CSVRecord) -> RideTimeline {
        var timeline = RideTimeline()
        timeline.requested = moment(row, requested, &timeline)
        timeline.accepted = moment(row, accepted, &timeline)
        timeline.arrived = moment(row, arrived, &timeline)
        timeline.pickedUp = moment(row, pickedUp, &timeline)
        timeline.droppedOff = moment(row, droppedOff, &timeline)
        timeline.cancelled = moment(row, cancelled, &timeline)
        if let status, !row[status].isEmpty {
            timeline.isCompleted = row[status].elementsEqual("completed".utf8)
        }
        return timeline
    }

    /// The time in a column; nil where the column or its text is absent.
    private func moment(_ row: borrowing CSVRecord, _ index: Int?, _ timeline: inout RideTimeline) -> Int64? {
        guard let index, !row[index].isEmpty else { return nil }
        let moment = CivilTime.microseconds(of: row[index])
        if moment == nil { timeline.hasUnparsableTime = true }
        return moment
    }
}
