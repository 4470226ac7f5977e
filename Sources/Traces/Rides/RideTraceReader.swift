public import InputFiles
public import LiveActivityModel
public import SimulationKernel
import Statistics

/// Reads real rides from a CSV file, or from a Parquet file of the same columns.
///
/// There are two known headers: the TLC's own for high-volume for-hire trips (`hvfhs_license_num, request_datetime,
/// on_scene_datetime, pickup_datetime, dropoff_datetime`) and a plain one (`provider, status, request_time,
/// driver_arrived_time, pickup_time, dropoff_time`, and optionally `accepted_time` and `cancelled_time`).
/// `Scenario.TraceColumns` maps the columns of other files. Further columns are ignored.
///
/// A completed ride has four stages: matching, driver on the way, driver waiting, on trip. A cancelled ride has the
/// stages that it began.
///
/// Real traces are unclean. If a time is missing, unreadable or out of order, the row is repaired or left out, and
/// counted (`RideTimeline` lists the cases). A malformed file is an error: a missing column, a row of another length,
/// or bytes that are not UTF-8. So are an unknown status and a mixture of times with and without a zone.
public enum RideTraceReader {
    /// The number of stages of a ride in a trace.
    public static let stageCount = 4

    /// Reads the rides of a file.
    ///
    /// It takes time linear in the file and memory linear in the rides kept; the file is never held as a whole.
    ///
    /// - Parameters:
    ///   - trace: The trace, which selects the rides and places them in time.
    ///   - durations: The durations of the four stages, for moments without a column in the file; without them such
    ///     rides are left out.
    ///   - estimates: The recorded estimates of the rides; nil if there are none.
    ///   - notify: Called with a line of text before something that takes a while.
    /// - Returns: The rides ordered by request, with equal requests in file order, and the counts of repaired and
    ///   omitted rows. The first request is the start of the run; if the trace is folded onto one day, midnight is.
    /// - Throws: ``DataFileError`` with all errors of the file, or if there is none.
    public static func read(
        path: String,
        for trace: Scenario.Trace,
        durations: [Distribution] = [],
        estimates: EstimateFile? = nil,
        notify: (String) -> Void = { _ in }
    ) throws(DataFileError) -> (rides: [TracedRide], cleaning: TraceCleaning) {
        let columns = RideTraceLayout.names(trace.columns)
        let reader = try CSVReader(path: path, columns: columns, notify: notify)
        return try read(reader, for: trace, durations: durations, estimates: estimates)
    }

    /// Reads the rides of an open file.
    package static func read(
        _ reader: consuming CSVReader,
        for trace: Scenario.Trace,
        durations: [Distribution] = [],
        estimates: EstimateFile? = nil
    ) throws(DataFileError) -> (rides: [TracedRide], cleaning: TraceCleaning) {
        let areNumbered = RideTraceLayout.Field.allCases.contains { trace.columns[$0].isDigits }
        var table = try CSVTable(reader, areNumbered: areNumbered)
        var collector = RideTraceColumns(for: trace, needsRides: estimates != nil, in: &table)
            .map { columns in
                RideTraceCollector(
                    trace,
                    columns,
                    names: table.columnNames,
                    durations: columns.lacksMoments ? samplers(of: durations) : nil,
                    estimates: estimates
                )
            }
        // Until a row decides the order of day and month in dates such as 05/06/2026, rides are collected in both
        // orders.
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

    /// The key that sets the order of day and month.
    private static let dates = "rides.trace.dates"

    /// Returns the samplers of all stages; nil if a duration is invalid, which the check of the scenario reports.
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
