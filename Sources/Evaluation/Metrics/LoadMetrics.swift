package import LiveActivityModel

/// The properties of metrics of loads that differ from the simulator's.
package enum LoadMetrics {
    /// Returns the direction of a metric; metrics of the simulator have the same direction here.
    package static func direction(of metric: String) -> MetricDirection {
        directions[metric] ?? MetricDirection(of: Response(metric: metric))
    }

    /// Returns `true` if values are shares of a whole, by the metric's unit and name.
    package static func isShare(_ metric: String, unit: String) -> Bool {
        unit == "1" && metric.hasSuffix("_ratio")
    }

    /// The metrics that are compared by default: the load requested and achieved, latencies and failures.
    ///
    /// If a metric has no row for everything, its parts are compared. Waits in the sender are already part of the
    /// latencies from the due times of requests; on their own they depend on pauses of this machine.
    package static let usual: [(metric: String, statistics: [String])] = [
        ("displayed_fresh_time_ratio", ["ratio"]), ("age_of_information_us", ["mean", "p95"]),
        ("requests_asked_per_second", ["mean"]), ("requests_per_second", ["mean"]),
        ("request_latency_us", ["p50", "p95", "p99", "max"]), ("push_latency_us", ["p99"]),
        ("send_time_us", ["p99"]), ("errors_ratio", ["ratio"]), ("pushes_sent_count", ["total"]),
        ("apns_response_missing_count", ["total"]), ("monitor_requests_count", ["total"]),
        ("monitor_response_missing_count", ["total"]), ("pushes_given_up_count", ["total"]),
        ("connections_lost_count", ["total"]), ("stale_episodes_count", ["total"]),
        ("ended_severe_count", ["total"]),
    ]

    /// The settings that define the load.
    ///
    /// If they differ, counts and rates are of another load.
    package static let plan: Set<String> = [
        "duration", "duration_us", "groups", "instances", "profile", "ramp", "rate", "requests", "scenario", "share",
        "speed", "tokens", "warm_up",
    ]

    /// Returns `true` if a setting determines how long a load is measured: another length is another experiment.
    package static func isLength(_ setting: String) -> Bool {
        ["duration", "duration_us", "requests", "warm_up"].contains(setting) || setting.hasPrefix("clock.")
    }

    /// Returns `true` if a value grows with the load, so that it has no verdict if the load differs.
    package static func isOfPlan(_ metric: String) -> Bool {
        metric.hasSuffix("_count") || metric.hasSuffix("_per_second")
    }

    /// Returns `true` if a setting changes the population of a metric.
    ///
    /// An answer after the timeout has no latency, so a shorter timeout leaves out slow answers.
    package static func isMeasured(_ metric: String, by setting: String) -> Bool {
        setting == "timeout" && isOfAnswers(metric)
    }

    /// Returns `true` if a metric is a time of answered requests only.
    package static func isOfAnswers(_ metric: String) -> Bool { timesOfAnswers.contains(metric) }

    /// The counts of requests without an answer, each with the counts of requests sent and answered.
    ///
    /// Latencies are those of the first kind that a load has: a load on a monitor counts the monitor's own pushes too.
    package static let requests = [
        (
            missing: "monitor_response_missing_count", sent: "monitor_requests_count",
            answered: "monitor_response_count"
        ),
        (missing: "apns_response_missing_count", sent: "pushes_sent_count", answered: "apns_response_count"),
    ]

    /// Returns the responses that count failed requests, for a metric of those that succeeded.
    ///
    /// A rejection is quick, and a request without an answer has no latency.
    package static func failures(without metric: String) -> [Response] {
        isOfAnswers(metric) ? [Response(metric: "errors_ratio")] + requests.map { Response(metric: $0.missing) } : []
    }

    private static let timesOfAnswers: Set<String> = [
        "push_latency_us", "request_latency_us", "send_time_us", "send_wait_us",
    ]

    /// The metrics of the simulator that have another direction in a load: there the number of pushes follows from the
    /// requested load.
    private static let directions: [String: MetricDirection] = [
        "pushes_sent_count": .neutral, "stale_episodes_count": .neutral,
    ]
}
