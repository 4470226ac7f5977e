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
        func add(_ metric: String, bucket: Int, weight: Int64, unit: String) {
            let low = LogLinear.lowerBound(ofBucket: bucket)
            let high = LogLinear.lowerBound(ofBucket: bucket + 1)
            csv.add([metric, "all", "\(low)", "\(high)", "\(weight)", unit])
        }
        func add(_ metric: String, _ tally: Tally) {
            for (bucket, count) in tally.counts.enumerated() where count > 0 {
                add(metric, bucket: bucket, weight: count, unit: "count")
            }
        }
        let total = result.total
        add("activity_age_mean_us", total.activityAgeMean)
        add("activity_lifetime_us", total.lifetime)
        add("activity_peak_age_us", total.activityPeakAge)
        for (bucket, time) in total.age.timePerBucket {
            add("age_of_information_us", bucket: bucket, weight: time, unit: "us")
        }
        add("peak_age_us", total.peakAge)
        add("recovery_time_us", total.recoveryTime)
        add("send_time_us", total.sendTime)
        add("send_wait_us", total.sendWait)
        return csv.text
    }
}

extension SeriesColumn {
    /// The column's name in `timeseries.csv`, its unit last.
    var name: String {
        switch self {
        case .monitoredTime: "monitored_time_us"
        case .freshTime: "fresh_time_us"
        case .recoverableTime: "recoverable_time_us"
        case .severeTime: "severe_time_us"
        case .displayedTime: "displayed_time_us"
        case .displayedFreshTime: "displayed_fresh_time_us"
        case .displayedStaleTime: "displayed_stale_time_us"
        case .silentlyStaleTime: "silently_stale_time_us"
        case .activitiesStarted: "activities_started_count"
        case .activitiesEnded: "activities_ended_count"
        case .updatesSent: "updates_sent_count"
        case .retriesSent: "retries_sent_count"
        case .endsSent: "ends_sent_count"
        case .startsSent: "starts_sent_count"
        case .responsesAccepted: "responses_accepted_count"
        case .responsesRefused: "responses_refused_count"
        case .responsesMissing: "responses_missing_count"
        case .updatesShown: "updates_shown_count"
        case .episodesBegun: "stale_episodes_count"
        case .episodesRecovered: "recovered_count"
        case .endedSevere: "ended_severe_count"
        case .liveAtStart: "live_at_start"
        }
    }
}
