import InputFiles
import LiveActivityModel
import ScenarioLanguage

/// The columns of ride traces, with their known names.
enum RideTraceLayout {
    /// The meaning of a column, in the order in which columns are found.
    enum Field: Int, CaseIterable {
        case provider, requested, accepted, arrived, pickedUp, droppedOff, cancelled, status, ride

        /// `true` for columns that complete traces may lack.
        var isExtra: Bool { self == .accepted || self == .cancelled || self == .ride }
    }

    /// A known header.
    struct Header {
        /// The name of the header in messages.
        let name: String
        /// The names of its columns.
        let columns: [Field: String]

        /// The usual columns, as suggested for a trace that has none of them.
        var usual: [String] {
            Field.allCases.filter { !$0.isExtra }.compactMap { columns[$0] }
        }
    }

    /// The header of high-volume for-hire trips, as published by New York's Taxi and Limousine Commission.
    ///
    /// See the TLC's "Data Dictionary – High Volume FHV Trip Records".
    static let tlc = Header(
        name: "the TLC's",
        columns: [
            .provider: "hvfhs_license_num", .requested: "request_datetime", .arrived: "on_scene_datetime",
            .pickedUp: "pickup_datetime", .droppedOff: "dropoff_datetime", .ride: "ride",
        ]
    )

    /// Freshet's own header, for traces from elsewhere.
    static let plain = Header(
        name: "Freshet's",
        columns: [
            .provider: "provider", .requested: "request_time", .accepted: "accepted_time",
            .arrived: "driver_arrived_time", .pickedUp: "pickup_time", .droppedOff: "dropoff_time",
            .cancelled: "cancelled_time", .status: "status", .ride: "ride",
        ]
    )

    /// Both headers.
    ///
    /// The first one wins if a file has the same number of columns of each.
    static let headers = [tlc, plain]

    /// Returns the header with most columns in a file; nil if the file has none of either.
    static func recognized(in table: borrowing CSVTable) -> Header? {
        let keys = Set(table.columnNames.map(\.key))
        let found = headers.map { header in header.usual.count { keys.contains(ColumnName($0).key) } }
        return found[0] >= found[1] && found[0] > 0 ? tlc : found[1] > 0 ? plain : nil
    }

    /// Returns all names by which columns are found.
    static func names(_ columns: Scenario.TraceColumns) -> [String] {
        Field.allCases.flatMap { field in
            [columns[field]].filter { !$0.isEmpty } + headers.compactMap { $0.columns[field] }
        } + LocalClock.origins.map(\.column)
    }
}

extension Scenario.TraceColumns {
    /// The file's name of a column; empty for known names.
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
        case .ride: ride
        }
    }
}
