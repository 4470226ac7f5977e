import Evaluation
import Foundation
import Histogram
import LiveActivityModel
import LoadGenerator
import Quantities
import Reporting
import Results
import ServiceLoad
import Wire

/// The results of a scenario against a monitor, as metrics of screens, of the monitor's counters and of its answers.
struct LoadMonitorOutcome: Sendable {
    let live: LiveOutcome
    let monitor: MonitorWire.Outcome
    let speed: Double
    /// `true` if the event log of the monitor could not be written.
    var isLogLost = false

    /// The simulator's metrics of phones and of the app's server in front of the monitor.
    ///
    /// The simulator's other metrics are about the inside of the monitor and are not measured here.
    static let screens: Set<String> = [
        "activities_ended_count", "activities_live_at_end_count", "activities_live_at_start_count",
        "activities_started_count", "activity_age_mean_us", "activity_age_violation_ratio", "activity_lifetime_us",
        "activity_peak_age_us", "age_of_information_us", "age_violation_time_ratio", "displayed_fresh_time_ratio",
        "displayed_source_time_ratio", "displayed_stale_time_ratio", "false_kill_count", "live_activities_peak_count",
        "live_activity_time_us", "local_updates_count", "peak_age_us", "rides_cancelled_count", "rides_completed_count",
        "rides_rematched_count", "rides_requested_count", "rides_without_activity_count", "start_failed_count",
        "token_posts_failed_count", "tokens_posted_count", "tokens_rotated_count",
    ]
    /// The possible fates of a push that the phone line has delivered.
    static let fates: Set<String> = [
        "after_end", "ended", "expired", "in_flight_at_end", "not_stored", "older", "replaced_in_store", "shown",
        "throttled", "undecodable",
    ]
    /// The reasons why the app's server has not requested a push.
    static let reasonsNotSent: Set<String> = ["no_content", "within_minimum_interval"]
    private static let kinds = ["update", "retry", "end"]
    private static let statuses = ["200", "400", "403", "410", "413", "429", "500", "503"]
    private static let answers = [200, 201, 202, 204, 400, 401, 404, 409, 413, 429, 500, 507]

    /// The number of requests without an answer or with an answer saying that they failed.
    ///
    /// A 409 is no failure, because an instance that the monitor has given up accepts no more content.
    var failures: Int {
        let refused = monitor.requests.statuses.filter { !(200..<300).contains($0.key) && $0.key != 409 }
        return monitor.requests.learnt.missing + refused.values.reduce(0, +)
    }

    /// Every metric.
    var rows: [SummaryRow] {
        Self.rows(of: live.result) + Self.rows(of: monitor) + Self.rows(of: live.lateness)
    }

    /// Rows without values, which name all metrics.
    static func names(of world: World) -> [SummaryRow] {
        let cell = CellSimulation(world: world, cell: 0, remote: .withMonitor)
        let (measurements, fingerprint) = (cell.measurements, cell.fingerprint)
        let nothing = CellResult(replication: 0, cell: 0, measurements: measurements, fingerprint: fingerprint)
        return rows(of: RunResult(scenario: world.scenario, cells: [nothing]))
            + rows(of: MonitorWire.Outcome()) + rows(of: LiveOutcome.Lateness())
    }

    // MARK: - Screens

    private static func rows(of result: RunResult) -> [SummaryRow] {
        Summary(result).rows
            .filter { row in
                screens.contains(row.metric)
                    || row.metric == "push_fate_count" && fates.contains(String(row.scope.dropFirst("fate:".count)))
                    || row.metric == "pushes_not_sent_count"
                        && reasonsNotSent.contains(String(row.scope.dropFirst("reason:".count)))
            }
    }

    private static func rows(of lateness: LiveOutcome.Lateness) -> [SummaryRow] {
        SummaryRow.quantiles("driver_lateness_us", count: lateness.count, lateness.percentile)
    }

    // MARK: - The monitor

    private static func rows(of monitor: MonitorWire.Outcome) -> [SummaryRow] {
        var rows = counted(monitor.counted)
        rows += [
            .count("push_fate_count", monitor.lost, scope: "fate:lost"),
            .count("push_fate_count", monitor.unreadable, scope: "fate:unreadable"),
            .count("monitor_requests_count", monitor.requests.sent),
        ]
        let all = monitor.requests
        rows += SummaryRow.times("request_latency_us", all.latency)
        for kind in all.kinds where kind.name != MonitorRoute.read.rawValue {
            let scope = "request:\(kind.name)"
            rows.append(.count("monitor_requests_count", kind.sent, scope: scope))
            rows += SummaryRow.times("request_latency_us", kind.latency, scope: scope)
            rows += kind.learnt.missingRows("monitor_response_missing_count", scope: scope)
        }
        for status in Set(answers).union(all.statuses.keys).sorted() {
            rows.append(.count("monitor_response_count", all.statuses[status] ?? 0, scope: "status:\(status)"))
        }
        return rows + all.learnt.missingRows("monitor_response_missing_count")
    }

    /// The rows of the monitor's own counters; without values if it did not report them.
    private static func counted(_ metrics: MonitorMetrics?) -> [SummaryRow] {
        func row(_ metric: String, _ name: String) -> SummaryRow { .count(metric, metrics?.counter(name)) }
        func rows(_ metric: String, _ name: String, by label: String, _ values: [String]) -> [SummaryRow] {
            let counts = metrics.map { metrics in
                Dictionary(metrics.counter(name, by: label).map { ($0.value, $0.count) }) { first, _ in first }
            }
            let total = counts.map { $0.values.reduce(0, +) }
            return [.count(metric, total)]
                + values.map { value in .count(metric, counts.map { $0[value] ?? 0 }, scope: "\(label):\(value)") }
        }
        return rows("pushes_sent_count", "pushes_sent", by: "kind", kinds)
            + rows("apns_response_count", "apns_responses", by: "status", statuses) + [
                row("apns_response_missing_count", "pushes_unanswered"), row("stale_episodes_count", "stale_episodes"),
                row("recovered_count", "recovered"), row("ended_severe_count", "ended_severe"),
                row("retries_withheld_count", "retries_withheld"), row("token_invalidated_count", "tokens_invalidated"),
                row("token_discarded_count", "tokens_discarded"), row("monitor_scans_count", "scans"),
                row("registry_changes_count", "registry_changes"), row("registry_commits_count", "registry_commits"),
            ]
    }
}

extension LoadMonitorOutcome {
    /// The columns of the time series.
    ///
    /// They have the names of the simulator's file, except for `live_at_start`, which has its unit here.
    static let columns: [(name: String, column: SeriesColumn)] = [
        ("live_at_start_count", .liveAtStart), ("activities_started_count", .activitiesStarted),
        ("activities_ended_count", .activitiesEnded), ("displayed_time_us", .displayedTime),
        ("displayed_fresh_time_us", .displayedFreshTime), ("displayed_stale_time_us", .displayedStaleTime),
        ("updates_shown_count", .updatesShown), ("ended_severe_count", .endedSevere),
    ]

    /// Adds the time series, the histograms and the notes.
    func describe(_ results: inout LoadReport) {
        let series = live.result.total.series
        let length = live.result.scenario.clock.window.microseconds
        results.series = RecordedResults.Series(
            Self.columns.map(\.name),
            (0..<series.windowCount)
                .map { window in
                    (Int64(window) * length, length, Self.columns.map { series[window, $0.column] })
                }
        )
        results.histograms = [MetricHistogram(metric: "request_latency_us", monitor.requests.latency)]
        results.screens = live.result
        results.course = live.course
        results.cause = monitor.requests.soleCause
        results.lateness = lateness
        results.notes = notes
        results.earlyEnd = live.earlyEnd
    }

    private var lateness: DriverLateness { live.lateness.summary(atSpeed: speed) }

    private var notes: [String] {
        var notes = [
            "Ages and shares of time are in the scenario's time, on the screens of its phones, from the end of the warm-up. "
                + "Counts of pushes, answers and episodes are the monitor's own over the same time. Request latencies are "
                + "wall-clock times from the instant at which the app's server had a reason for the request."
        ]
        let latency = monitor.requests.latency
        if speed != 1, latency.totalCount > 0 {
            let milliseconds = Double(latency.valueAtPercentile(50)) / 1000
            notes.append(
                String(
                    format: "At %g times the wall clock's speed the median latency of requests, %.1f ms, is %.2f s "
                        + "of the scenario's time.",
                    speed,
                    milliseconds,
                    milliseconds * speed / 1000
                )
            )
        }
        if monitor.counted == nil { notes.append("The monitor did not report its counters.") }
        return notes
    }
}
