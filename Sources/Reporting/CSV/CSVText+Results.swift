import Evaluation
import LiveActivityModel
import Quantities
import Results
import TextFormats

/// The result files of a run.
extension CSVText {
    /// `summary.csv` of runs and real-time tests: every metric with its statistics and intervals.
    ///
    /// Rows are sorted by metric, the whole before its parts; a metric's statistics keep their order.
    static func summary(_ rows: [SummaryRow]) -> String {
        func order(_ row: SummaryRow) -> (String, String) { (row.metric, row.scope == "all" ? "" : row.scope) }
        return text(
            header: ["scope", "metric", "stat", "unit", "value", "ci_low", "ci_high", "n"],
            rows: rows.sorted { order($0) < order($1) }
                .map { row in
                    [row.scope, row.metric, row.stat, row.unit, field(row.value)] + bounds(row.interval) + ["\(row.n)"]
                }
        )
    }

    /// `replications.csv`: the same metrics for each replication alone.
    static func replications(_ result: RunResult) -> String {
        text(
            header: ["replication", "scope", "metric", "stat", "unit", "value"],
            rows: Summary.perReplication(result).enumerated().lazy
                .flatMap { replication, summary in
                    summary.rows.map { ["\(replication)", $0.scope, $0.metric, $0.stat, $0.unit, field($0.value)] }
                }
        )
    }

    /// `timeseries.csv` of runs and real-time tests.
    static func series(_ series: RecordedResults.Series) -> String {
        text(
            header: ["window_start_us", "window_us", "scope"] + series.columns,
            rows: series.windows.lazy
                .map { window in
                    ["\(window.start)", "\(window.length)", "all"] + window.values.map { $0.map { "\($0)" } ?? "" }
                }
        )
    }

    /// `timeseries_by_city.csv`: the riders' screens and the pushes in each city, in the windows of `timeseries.csv`.
    ///
    /// Rows are sorted by window, then by scope; every window has one row per city. Nil for a scenario without cities.
    static func timeSeriesByCity(_ result: RunResult) -> String? {
        timeSeries(result, of: result.scenario.cityParts)
    }

    /// `timeseries_by_cohort.csv`: the same for each cohort; nil for a scenario without cohorts.
    static func timeSeriesByCohort(_ result: RunResult) -> String? {
        timeSeries(result, of: result.scenario.cohortParts)
    }

    private static func timeSeries(_ result: RunResult, of parts: [(part: FleetPart, scope: String)]) -> String? {
        let parts = parts.sorted { $0.scope < $1.scope }
        guard !parts.isEmpty else { return nil }
        let columns = SegmentColumn.allCases
        return text(
            header: ["window_start_us", "window_us", "scope"] + columns.map(\.name),
            rows: TimeSteps(result, windowsPerStep: 1).steps
                .flatMap { step in
                    parts.map { part, scope in
                        ["\(step.from.microseconds)", "\(step.length.microseconds)", scope]
                            + columns.map { "\(step.sum($0, in: part, of: result.total))" }
                    }
                }
        )
    }

    /// `histograms.csv` of runs and real-time tests: the buckets that are not empty, each from its low bound to just below
    /// its high bound.
    ///
    /// The buckets are the same in every simulated run, so files add up row by row. Bounds are in the unit at the end of
    /// the metric's name. `unit` is the unit of the weight: a count, or the time spent in the bucket.
    static func histograms(_ histograms: [MetricHistogram]) -> String {
        // A bound without a fraction is a whole number.
        func bound(_ number: Double) -> String {
            Int64(exactly: number).map { "\($0)" } ?? FixedPoint.text(number, places: 3) ?? ""
        }
        return text(
            header: ["metric", "scope", "bucket_low", "bucket_high", "weight", "unit"],
            rows: histograms.flatMap { histogram in
                histogram.buckets.map { low, high, weight in
                    [histogram.metric, "all", bound(low), bound(high), "\(weight)", histogram.weightUnit]
                }
            }
        )
    }
}

extension RunResult {
    /// The time series: sums per window over all replications, from the first to the last window with anything in it.
    ///
    /// Windows within the warm-up are left out. If a window contains the end of the warm-up, only its rest is stated,
    /// with the start and length of that rest. The horizon cuts the last window in the same way.
    ///
    /// The last three columns are no sums. Peaks are the largest of a replication, in which the peaks of cells within the
    /// same second are added; the p99 is over the pushes of all cells and replications, nil without any.
    var series: RecordedResults.Series {
        let columns = SeriesColumn.written
        let ofSender = ["requests_count", "streams_in_use_peak_count", "queue_length_peak_count", "send_wait_p99_us"]
        return RecordedResults.Series(
            columns.map(\.name) + ofSender,
            TimeSteps(self, windowsPerStep: 1).steps
                .map { step in
                    let load = SenderStep(step, of: self)
                    return (
                        step.from.microseconds, step.length.microseconds,
                        columns.map { step[$0] } + [load.requests, load.mostStreams, load.mostQueued, load.waitP99]
                    )
                }
        )
    }
}
