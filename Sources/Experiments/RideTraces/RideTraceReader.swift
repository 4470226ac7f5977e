public import LiveActivityModel
public import SimulationKernel
import Statistics

/// Reads real rides from a CSV file, or from a Parquet file of the same columns.
///
/// Two headers are known: the TLC's own for high-volume for-hire trips (`hvfhs_license_num, request_datetime,
/// on_scene_datetime, pickup_datetime, dropoff_datetime`) and a plain one (`provider, status, request_time,
/// driver_arrived_time, pickup_time, dropoff_time`, and `accepted_time` and `cancelled_time` where there are such).
/// `Scenario.TraceColumns` names the columns of other files. Further columns are ignored.
///
/// A completed ride has four stages: matching, driver on the way, driver waiting, on trip. A ride whose status is one of
/// cancelled rides has the stages that it began.
///
/// Real traces are unclean. A time that is missing, unreadable or out of order is data: the row is repaired or left out,
/// and counted (`RideTimeline` has the table). A file of another shape (a missing column, a row of another length, bytes
/// that are no UTF-8) is an error, and so are an unknown status and a mixture of times with and without a zone.
public enum RideTraceReader {
    /// How many stages a ride of a trace has.
    public static let stageCount = TracedRide.mostStages

    /// Reads the rides of a file.
    ///
    /// Takes time linear in the file and memory linear in the rides kept; the file itself is never held as a whole.
    ///
    /// - Parameters:
    ///   - trace: Which rides are kept, and how they are placed in time.
    ///   - durations: Those of the four stages, for moments that the file has no column for; without them such rides are left
    ///     out.
    ///   - tell: Told, in a line, when something will take a while.
    /// - Returns: The rides ordered by request, in file order where requests are equal, and what was repaired or left
    ///   out. The first request is the start of the run; if the trace is folded onto one day, midnight is.
    /// - Throws: All that is wrong with the file, or that there is none.
    public static func read(
        path: String,
        for trace: Scenario.Trace,
        durations: [Distribution] = [],
        tell: (String) -> Void = { _ in }
    ) throws(DataFileError) -> (rides: [TracedRide], cleaning: TraceCleaning) {
        let columns = RideTraceLayout.names(trace.columns)
        return try read(CSVReader(path: path, columns: columns, notify: tell), for: trace, durations: durations)
    }

    /// Reads the rides of a file that is open.
    static func read(
        _ reader: consuming CSVReader,
        for trace: Scenario.Trace,
        durations: [Distribution] = []
    ) throws(DataFileError) -> (rides: [TracedRide], cleaning: TraceCleaning) {
        let areNumbered = RideTraceLayout.Field.allCases.contains { trace.columns[$0].isDigits }
        var table = try CSVTable(reader, areNumbered: areNumbered)
        var collector = RideTraceColumns(for: trace, in: &table)
            .map { columns in
                RideTraceCollector(
                    trace,
                    columns,
                    names: table.columnNames,
                    durations: columns.lacksMoments ? samplers(of: durations) : nil
                )
            }
        // Until a row decides the order of day and month in dates such as 05/06/2026, rides are gathered in both orders.
        var dates = DateOrderCheck()
        var dayFirst: RideTraceCollector?
        while try table.advance() {
            if trace.dates == nil, collector?.noteDates(of: table.row, in: &dates) ?? false {
                if let decided = dates.decided {
                    if decided == .dayFirst, dayFirst != nil { collector = dayFirst }
                    collector?.order = decided
                    dayFirst = nil
                } else if dayFirst == nil {
                    dayFirst = collector
                    dayFirst?.order = .dayFirst
                }
            }
            _ = dayFirst?.add(table.row)
            if let field = collector?.add(table.row) {
                table.refuseInRow(field: field, "a known status", allowed: RideStatus.allowed)
            }
        }
        try table.throwIfInvalid()
        dates.check(&table, setting: Self.dates)
        collector?.check(&table)
        try table.throwIfInvalid()
        guard let collector else { preconditionFailure("a table without the columns of a trace has a problem") }
        var cleaning = collector.cleaning(header: table.header)
        if let remark = dates.remark(setting: Self.dates) { cleaning.remarks.insert(remark, at: 0) }
        return (collector.rides(), cleaning)
    }

    /// The key that states the order of day and month.
    private static let dates = "rides.trace.dates"

    /// Samplers of all stages; nil if a duration is invalid, which the check of the scenario reports.
    private static func samplers(of durations: [Distribution]) -> [Sampler]? {
        guard durations.count == stageCount else { return nil }
        var samplers: [Sampler] = []
        for duration in durations {
            guard let sampler = try? duration.compiled() else { return nil }
            samplers.append(sampler)
        }
        return samplers
    }
}
