public import LiveActivityModel

extension MetricBasis {
    /// Returns `true` if a path is that of the setting, in the scenario or in a cohort.
    package func isSet(by path: String) -> Bool {
        path == rawValue || path.hasPrefix("cohorts.") && path.hasSuffix(".set.\(rawValue)")
    }

    /// The responses that can be compared whatever the defining settings, in words for advice.
    public static let independentResponses =
        "ride_stage_coverage_ratio, stage_lag_us and age_of_information_us{during_ride}"
}

extension Response {
    /// The settings that define the response.
    public var bases: [MetricBasis] { MetricCatalog.declaration(of: metric)?.bases ?? [] }

    /// Returns `true` if the response measures a mechanism that a scenario does not switch on.
    package func isOff(in scenario: Scenario) -> Bool {
        let metric = MetricCatalog.declaration(of: metric)?.metrics(of: scenario).first
        return metric?.unmet(by: scenario)?.isOfMechanism ?? false
    }

    /// Returns true if another value of a setting changes the population that the response measures, and not only its
    /// value.
    ///
    /// - Parameter path: The path of the setting, as in a ``ScenarioChange``.
    package func isRedefined(by path: String) -> Bool {
        let section = path.prefix { $0 != "." }
        return bases.contains { $0.isSet(by: path) }
            || Self.measuredOfWhatIsLeft[String(section)]?.contains(metric) ?? false
    }

    /// The populations of which the response is a mean or a sum; empty if they are all activities, rides or pushes.
    package var populations: [Population] {
        let ofTime = Self.measuresScreens.contains(metric) ? [timeOnScreens] : []
        return (Self.populations[metric] ?? []) + ofTime.map { Population(count: $0, whole: $0) }
    }

    /// A population behind a mean or a sum, if a setting can change its members.
    ///
    /// Means over two different populations are not comparable: see ``MetricComparison``.
    package struct Population: Hashable {
        /// A count that differs if the members differ.
        package let count: Response
        /// The count that contains it, if there is one: a small part moves the mean of the whole only a little.
        package let whole: Response?
    }

    /// The time on screens that the response covers: during rides only, or all of it.
    private var timeOnScreens: Response {
        let isOfAll =
            !Self.measuresRides.contains(metric) && !scope.contains("during_ride") && !scope.hasPrefix("stage:")
        let metric = isOfAll ? "displayed_fresh_time_ratio" : "wrong_stage_time_ratio"
        return Response(metric: metric, statistic: "denominator")
    }

    /// Metrics of events and times during rides.
    private static let measuresRides: Set<String> = [
        "ended_severe_count", "pushes_per_activity", "pushes_sent_count", "stale_episodes_count",
        "eta_error_time_ratio", "eta_error_us", "progress_bar_error_ratio", "wrong_stage_time_ratio",
        "wrong_stage_time_us",
    ]
    /// Metrics that are lower, fresher or younger if screens disappear, because a missing screen is never stale and
    /// gets no pushes.
    private static let measuresScreens = measuresRides.union([
        "activity_age_mean_us", "activity_age_violation_ratio", "activity_peak_age_us", "age_of_information_us",
        "age_violation_time_ratio", "displayed_fresh_time_ratio", "displayed_misleading_time_ratio",
        "displayed_stale_time_ratio", "peak_age_us",
        // A card that is left behind stays on screen without pushes.
        "pushes_per_live_hour", "silently_stale_time_ratio", "stale_time_us",
    ])
    /// The number of stale episodes.
    private static let episodes = Response(metric: "recovered_ratio", statistic: "denominator")

    private static let populations = [
        // A change that causes many short episodes raises the share that recovers.
        "recovered_ratio": [Population(count: episodes, whole: episodes)],
        "recovery_time_us": [Population(count: Response(metric: "recovered_count"), whole: nil)],
        "pushes_per_activity": [
            Population(
                count: Response(metric: "ended_severe_count"),
                whole: Response(metric: "activities_started_count")
            )
        ],
    ]

    /// The metrics measured on the activities that remain, by section of the scenario.
    ///
    /// A longer outage ends activities and episodes that would have counted. The remaining ones recover sooner, need
    /// fewer pushes and were on screen for a shorter time. Coverages of ride time, stage lags, and counts of activities
    /// that were given up or left behind include the lost ones, so they are not listed.
    private static let measuredOfWhatIsLeft: [String: Set<String>] = [
        "faults": [
            "activity_age_mean_us", "activity_age_violation_ratio", "activity_peak_age_us", "age_of_information_us",
            "age_violation_time_ratio", "displayed_fresh_time_ratio", "displayed_misleading_time_ratio",
            "displayed_stale_time_ratio", "eta_error_time_ratio", "eta_error_us", "not_sent_ratio", "peak_age_us",
            "progress_bar_error_ratio", "pushes_per_activity", "pushes_sent_count", "recovered_ratio",
            "recovery_time_us", "send_wait_over_ratio", "send_wait_us", "silently_stale_time_ratio", "stale_time_us",
            "wrong_stage_time_ratio", "wrong_stage_time_us",
        ]
    ]
}
