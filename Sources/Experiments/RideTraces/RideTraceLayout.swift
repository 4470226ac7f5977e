import LiveActivityModel

/// The columns of ride traces, and the names by which they are known.
enum RideTraceLayout {
    /// What a column tells, in the order in which columns are looked up.
    enum Field: Int, CaseIterable {
        case provider, requested, accepted, arrived, pickedUp, droppedOff, cancelled, status
    }

    /// A header that is known.
    struct Header {
        /// The name in messages.
        let name: String
        /// The names of its columns.
        let columns: [Field: String]

        /// The columns that the file should have; the first of a trace that has none of them.
        var usual: [String] {
            Field.allCases.filter { $0 != .accepted && $0 != .cancelled }.compactMap { columns[$0] }
        }
    }

    /// High-volume for-hire trips as New York's Taxi and Limousine Commission publishes them.
    ///
    /// See the TLC's "Data Dictionary – High Volume FHV Trip Records".
    static let tlc = Header(
        name: "the TLC's",
        columns: [
            .provider: "hvfhs_license_num", .requested: "request_datetime", .arrived: "on_scene_datetime",
            .pickedUp: "pickup_datetime", .droppedOff: "dropoff_datetime",
        ]
    )

    /// Freshet's own header, for traces from elsewhere.
    static let plain = Header(
        name: "Freshet's",
        columns: [
            .provider: "provider", .requested: "request_time", .accepted: "accepted_time",
            .arrived: "driver_arrived_time", .pickedUp: "pickup_time", .droppedOff: "dropoff_time",
            .cancelled: "cancelled_time", .status: "status",
        ]
    )

    /// Both, the one first that wins where a file has as many columns of each.
    static let headers = [tlc, plain]

    /// The header that a file has more columns of; nil if it has none of either.
    static func recognized(in table: borrowing CSVTable) -> Header? {
        let keys = Set(table.columnNames.map(\.key))
        let found = headers.map { header in header.usual.count { keys.contains(ColumnName($0).key) } }
        return found[0] >= found[1] && found[0] > 0 ? tlc : found[1] > 0 ? plain : nil
    }

    /// Every name by which a column is found.
    static func names(_ columns: Scenario.TraceColumns) -> [String] {
        Field.allCases.flatMap { field in
            [columns[field]].filter { !$0.isEmpty } + headers.compactMap { $0.columns[field] }
        } + LocalClock.origins.map(\.column)
    }
}

extension Scenario.TraceColumns {
    /// The file's name of a column; empty for the names that are known.
    subscript(field: RideTraceLayout.Field) -> String {
        switch field {
        case .provider: provider
        case .status: status
        case .requested: requestTime
        case .accepted: acceptedTime
        case .arrived: driverArrivedTime
        case .pickedUp: pickupTime
        case .droppedOff: dropoffTime
        case .cancelled: cancelledTime
        }
    }
}
