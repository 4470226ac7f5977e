public import LiveActivityModel

/// Reads real rides from a CSV file, or from a Parquet file of the same columns.
///
/// Two headers are known: the TLC's own for high-volume for-hire trips (`hvfhs_license_num, request_datetime,
/// on_scene_datetime, pickup_datetime, dropoff_datetime`) and a plain one (`provider, status, request_time,
/// driver_arrived_time, pickup_time, dropoff_time`, and `accepted_time` and `cancelled_time` where there are such).
/// Further columns are ignored.
///
/// A completed ride has four stages: matching, driver on the way, driver waiting, on trip. A ride whose status is not
/// `completed` is a cancelled one, and has the stages that it began.
///
/// Real traces are unclean. A time that is missing, unreadable or out of order is data: the row is repaired or left out,
/// and counted (`RideTimeline` has the table). A file of another shape (a missing column, a row of another length, bytes
/// that are no UTF-8) is an error.
public enum RideTraceReader {
    /// How many stages a ride of a trace has.
    public static let stageCount = TracedRide.mostStages

    /// Reads the rides of a file.
    ///
    /// Takes time linear in the file and memory linear in the rides kept; the file itself is never held as a whole.
    ///
    /// - Parameters:
    ///   - trace: Which rides are kept, and how they are placed in time.
    ///   - tell: Told, in a line, when something will take a while.
    /// - Returns: The rides ordered by request, in file order where requests are equal, and what was repaired or left
    ///   out. The first request is the start of the run; if the trace is folded onto one day, midnight is.
    /// - Throws: All that is wrong with the file, or that there is none.
    public static func read(
        path: String,
        for trace: Scenario.Trace,
        tell: (String) -> Void = { _ in }
    ) throws(DataFileError) -> (rides: [TracedRide], cleaning: TraceCleaning) {
        guard ParquetBytes.isParquet(path) else { return try read(CSVReader(path: path), for: trace) }
        let columns = [RideTraceLayout.tlc, .plain]
            .flatMap { layout in
                RideTraceLayout.Field.allCases.compactMap { layout.columns[$0] }
            }
        let source = try ParquetBytes(file: path, columns: columns, tell: tell)
        return try read(CSVReader(file: path, source: source), for: trace)
    }

    /// Reads the rides of a file that is open.
    static func read(
        _ reader: consuming CSVReader,
        for trace: Scenario.Trace
    ) throws(DataFileError) -> (rides: [TracedRide], cleaning: TraceCleaning) {
        var table = try CSVTable(reader)
        var columns: RideTraceColumns?
        if let layout = RideTraceLayout.recognized(in: table.header) {
            columns = RideTraceColumns(layout, in: &table)
        } else {
            reportUnknownHeader(&table)
        }
        var collector = RideTraceCollector(trace)
        while try table.advance() {
            if let columns { collector.add(table.row, columns) }
        }
        try table.throwIfInvalid()
        if let columns, let emptiness = collector.emptiness {
            table.reportInHeader(field: columns.provider, emptiness)
        }
        try table.throwIfInvalid()
        return (collector.rides(), collector.cleaning)
    }

    private static func reportUnknownHeader(_ table: inout CSVTable) {
        let known = [RideTraceLayout.tlc, .plain]
            .map { "\($0.name) (\($0.required.joined(separator: ", ")))" }
            .joined(separator: " or ")
        let got = CSVTable.list(table.header)
        table.reportInHeader(field: 0, "the header is not one of a ride trace: got \(got); allowed: \(known)")
    }
}
