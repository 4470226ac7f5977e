/// Which way a metric should go.
public enum MetricDirection: String, Hashable, Sendable {
    /// More is better.
    case higher
    /// Less is better.
    case lower
    /// Neither: a count of the world, a belief, or one side of a trade.
    case neutral

    /// The direction of a response.
    ///
    /// What the monitor believes (`fresh_time_ratio` and its like) is neutral: a wider limit raises it and shows nobody
    /// fresher content. What screens show, ages, waits and the price in pushes have directions.
    public init(of response: Response) {
        let isPart = ["count", "numerator", "denominator"].contains(response.statistic)
        if isPart {
            self = .neutral
        } else if Self.better.contains(response.metric) {
            self = .higher
        } else if Self.worse.contains(response.metric) {
            self = .lower
        } else {
            self = .neutral
        }
    }

    private static let better: Set<String> = ["displayed_fresh_time_ratio", "recovered_ratio"]

    private static let worse: Set<String> = [
        "activity_age_mean_us", "activity_age_violation_ratio", "activity_peak_age_us", "age_of_information_us",
        "age_violation_time_ratio", "displayed_stale_time_ratio", "duplicates_started_count", "ended_severe_count",
        "false_kill_count", "peak_age_us", "pushes_per_activity", "pushes_sent_count", "recovery_time_us",
        "send_queue_mean_count", "send_queue_peak_count", "send_saturated_time_ratio", "send_time_us",
        "send_wait_over_ratio",
        "send_wait_us", "silently_stale_time_ratio", "stale_episodes_count", "start_failed_count",
        "token_posts_failed_count",
    ]
}
