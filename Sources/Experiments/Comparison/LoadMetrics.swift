import LiveActivityModel

/// What is known of the metrics of tests in real time, where they are not the simulator's.
package enum LoadMetrics {
    /// Which way a metric should go; those of the simulator's names go its way.
    static func direction(of metric: String) -> MetricDirection {
        LoadMetric.declaration(of: metric)?.direction ?? directions[metric]
            ?? MetricDirection(of: Response(metric: metric))
    }

    /// Whether values are parts of a whole: where tests in real time do not say it of their own, by the unit and the name.
    package static func isShare(_ metric: String, unit: String) -> Bool {
        LoadMetric.declaration(of: metric).map { $0.kind == .share } ?? (unit == "1" && metric.hasSuffix("_ratio"))
    }

    /// What is compared unless something else is asked for: what was asked and done, how long it took, what went wrong.
    ///
    /// Of a metric without a row for everything the parts are told. Waits in the sender are part of the latencies from when
    /// requests were due; by themselves they are decided by a pause of this machine.
    static let usual: [(metric: String, statistics: [String])] = [
        ("displayed_fresh_time_ratio", ["ratio"]), ("age_of_information_us", ["mean", "p95"]),
        ("requests_asked_per_second", ["mean"]), ("requests_per_second", ["mean"]),
        ("updates_asked_per_second", ["value"]), ("updates_per_second", ["mean"]),
        ("request_latency_us", ["p50", "p95", "p99", "max"]), ("push_latency_us", ["p99"]),
        ("send_time_us", ["p99"]),
        ("update_latency_us", ["p50", "p99", "max"]), ("decision_latency_us", ["p99"]),
        ("scan_time_us", ["p50", "p99"]), ("scans_missed_count", ["total"]), ("updates_behind_count", ["max"]),
        ("processor_share_ratio", ["ratio"]), ("errors_ratio", ["ratio"]), ("pushes_sent_count", ["total"]),
        ("apns_response_missing_count", ["total"]), ("monitor_requests_count", ["total"]),
        ("monitor_response_missing_count", ["total"]), ("pushes_given_up_count", ["total"]),
        ("connections_lost_count", ["total"]), ("stale_episodes_count", ["total"]),
        ("ended_severe_count", ["total"]),
    ]

    /// The settings that say how much is asked: with others of them, counts and rates are those of another load.
    static let plan: Set<String> = [
        "duration", "duration_us", "groups", "instances", "profile", "ramp", "rate", "requests", "scenario", "share",
        "speed", "tokens", "updates", "warm_up",
    ]

    /// `true` for the settings that determine how long a load is measured: another length is another experiment.
    static func isLength(_ setting: String) -> Bool {
        ["duration", "duration_us", "requests", "warm_up"].contains(setting) || setting.hasPrefix("clock.")
    }

    /// Whether a value grows with what is asked for, and is no verdict where that differs.
    static func isOfPlan(_ metric: String) -> Bool { metric.hasSuffix("_count") || metric.hasSuffix("_per_second") }

    /// Whether another value of a setting changes what a metric is measured of.
    ///
    /// An answer after the time-out has no latency: with a shorter one the slow ones are left out.
    static func isMeasured(_ metric: String, by setting: String) -> Bool {
        setting == "timeout" && isOfAnswers(metric)
    }

    /// Whether a metric is a time of those requests alone that had an answer.
    package static func isOfAnswers(_ metric: String) -> Bool { timesOfAnswers.contains(metric) }

    /// What counts requests without an answer, and beside it what counts those that were sent.
    package static let requests = [
        (missing: "apns_response_missing_count", sent: "pushes_sent_count"),
        (missing: "monitor_response_missing_count", sent: "monitor_requests_count"),
    ]

    /// What tells that requests failed, for a metric of those that did not: a refusal is quick, and without an answer there is
    /// no latency.
    static func failures(without metric: String) -> [Response] {
        isOfAnswers(metric) ? [Response(metric: "errors_ratio")] + requests.map { Response(metric: $0.missing) } : []
    }

    private static let timesOfAnswers: Set<String> = [
        "push_latency_us", "request_latency_us", "send_time_us", "send_wait_us",
    ]

    /// Which way metrics of the simulator should go in a load, where that is another way: what is sent there follows from what
    /// is asked.
    private static let directions: [String: MetricDirection] = [
        "pushes_sent_count": .neutral, "stale_episodes_count": .neutral,
    ]
}
