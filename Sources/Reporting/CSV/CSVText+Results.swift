import Experiments
import LiveActivityModel
import Quantities

/// The result files of a run.
extension CSVText {
    /// `summary.csv` of runs and of tests in real time: every metric with its statistics and intervals.
    ///
    /// Rows are sorted by metric, the whole before its parts; a metric's statistics keep their order.
    static func summary(_ rows: [SummaryRow]) -> String {
        var csv = CSVText(header: ["scope", "metric", "stat", "unit", "value", "ci_low", "ci_high", "n"])
        func order(_ row: SummaryRow) -> (String, String) { (row.metric, row.scope == "all" ? "" : row.scope) }
        for row in rows.sorted(by: { order($0) < order($1) }) {
            csv.add(
                [row.scope, row.metric, row.stat, row.unit, field(row.value)]
                    + [field(row.interval?.lowerBound), field(row.interval?.upperBound), "\(row.n)"]
            )
        }
        return csv.text
    }

    /// `replications.csv`: the same metrics for each replication alone.
    static func replications(_ result: RunResult) -> String {
        var csv = CSVText(header: ["replication", "scope", "metric", "stat", "unit", "value"])
        for replication in 0..<result.replications {
            for row in Summary(result, replication: replication).rows {
                csv.add(["\(replication)", row.scope, row.metric, row.stat, row.unit, field(row.value)])
            }
        }
        return csv.text
    }

    /// `timeseries.csv`: sums per window over all replications, from the first to the last window with anything in it.
    ///
    /// The warm-up is measured nowhere, so its windows are left out; of a window that it cuts, only the rest is stated,
    /// with the start and the length of that rest. The horizon cuts the last window in the same way.
    static func timeSeries(_ result: RunResult) -> String {
        let columns = SeriesColumn.allCases
        var csv = CSVText(header: ["window_start_us", "window_us", "scope"] + columns.map(\.name))
        for step in TimeSteps(result, windowsPerStep: 1).steps {
            csv.add(
                ["\(step.from.microseconds)", "\(step.length.microseconds)", "all"] + columns.map { "\(step[$0])" }
            )
        }
        return csv.text
    }

    /// `histograms.csv`: the buckets that hold anything, each from its low bound to just below its high bound.
    ///
    /// The buckets are the same in every run, so files add up row by row. Bounds are in the unit that the metric's name
    /// ends with; `unit` is that of the weight: a count, or the time that was spent in the bucket.
    static func histograms(_ result: RunResult) -> String {
        var csv = CSVText(header: ["metric", "scope", "bucket_low", "bucket_high", "weight", "unit"])
        for histogram in result.histograms {
            for (bucket, weight) in histogram.buckets {
                let low = LogLinear.lowerBound(ofBucket: bucket)
                let high = LogLinear.lowerBound(ofBucket: bucket + 1)
                csv.add([histogram.metric, "all", "\(low)", "\(high)", "\(weight)", histogram.weightUnit])
            }
        }
        return csv.text
    }
}
