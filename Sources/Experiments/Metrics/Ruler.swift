public import LiveActivityModel

extension Ruler {
    /// What can be compared between runs whatever their rulers, in words for advice.
    public static let independentResponses =
        "ride_stage_coverage_ratio, stage_lag_us and age_of_information_us{during_ride}"
}

extension Response {
    /// The settings by which the response is measured.
    public var rulers: [Ruler] { MetricCatalog.declaration(of: metric)?.rulers ?? [] }

    /// Whether another value of a setting changes what the response is measured of, and not only how it comes out.
    ///
    /// - Parameter path: The setting, as a ``ScenarioChange`` names it.
    func isRedefined(by path: String) -> Bool {
        let section = path.prefix { $0 != "." }
        return rulers.contains { $0.rawValue == path }
            || Self.measuredOfWhatIsLeft[String(section)]?.contains(metric) ?? false
    }

    /// Whose numbers say of what the response is a mean or a sum; none where that is all activities, rides or pushes.
    package var populations: [Population] {
        let ofTime = Self.measuresScreens.contains(metric) ? [timeOnScreens] : []
        return (Self.populations[metric] ?? []) + ofTime.map { Population(count: $0, whole: $0) }
    }

    /// Those of which a metric is a mean or a sum, where a setting can change who they are.
    ///
    /// Means over two populations are compared in vain: see ``MetricComparison``.
    package struct Population: Hashable {
        /// The count that tells that they are others.
        package let count: Response
        /// The count of which that is a part, if it is one: a small part moves the mean of all by little.
        package let whole: Response?
    }

    /// The time on screens that the response is about: while rides go on, or all of it.
    private var timeOnScreens: Response {
        let isOfAll =
            !Self.measuresRides.contains(metric) && !scope.contains("during_ride") && !scope.hasPrefix("stage:")
        let metric = isOfAll ? "displayed_fresh_time_ratio" : "wrong_stage_time_ratio"
        return Response(metric: metric, statistic: "denominator")
    }

    /// What goes on while rides do.
    private static let measuresRides: Set<String> = [
        "ended_severe_count", "pushes_per_activity", "pushes_sent_count", "stale_episodes_count",
        "wrong_stage_time_ratio",
        "wrong_stage_time_us",
    ]
    /// What is less, fresher or younger where screens die: where there is none, nothing on it is stale, and nothing is pushed.
    private static let measuresScreens = measuresRides.union([
        "activity_age_mean_us", "activity_age_violation_ratio", "activity_peak_age_us", "age_of_information_us",
        "age_violation_time_ratio", "displayed_fresh_time_ratio", "displayed_stale_time_ratio", "peak_age_us",
        // A card that is left behind lives on without a push.
        "pushes_per_live_hour", "silently_stale_time_ratio", "stale_time_us",
    ])
    /// The stale episodes that began.
    private static let episodes = Response(metric: "recovered_ratio", statistic: "denominator")

    private static let populations = [
        // A change that makes many short episodes recovers a larger share of them.
        "recovered_ratio": [Population(count: episodes, whole: episodes)],
        "recovery_time_us": [Population(count: Response(metric: "recovered_count"), whole: nil)],
        "pushes_per_activity": [
            Population(
                count: Response(metric: "ended_severe_count"),
                whole: Response(metric: "activities_started_count")
            )
        ],
    ]

    /// By section of the scenario: the metrics that are measured of what its entries leave over.
    ///
    /// A longer outage ends activities and episodes that would have counted: what is left recovers sooner, needs fewer pushes
    /// and was on screens for a shorter time. Coverages of ride time, stage lags, and counts of activities that were given up
    /// or left behind take in what was lost, and are not among them.
    private static let measuredOfWhatIsLeft: [String: Set<String>] = [
        "faults": [
            "activity_age_mean_us", "activity_age_violation_ratio", "activity_peak_age_us", "age_of_information_us",
            "age_violation_time_ratio", "displayed_fresh_time_ratio", "displayed_stale_time_ratio",
            "not_sent_ratio", "peak_age_us", "pushes_per_activity", "pushes_sent_count", "recovered_ratio",
            "recovery_time_us", "send_wait_over_ratio", "send_wait_us", "silently_stale_time_ratio", "stale_time_us",
            "wrong_stage_time_ratio", "wrong_stage_time_us",
        ]
    ]
}

extension Factors {
    /// The rulers that differ between the points of the design; a factor of one level is the same at all.
    public var variedBases: [Ruler] {
        Ruler.allCases.filter { ruler in
            vary.contains { $0.differs && (ruler.rawValue == $0.path || ruler.rawValue.hasPrefix($0.path + ".")) }
        }
    }

    /// Whether the points of the design measure a response by one ruler, so that it can be compared between them.
    public func measuresAlike(_ response: Response) -> Bool {
        !variedBases.contains(where: response.rulers.contains)
    }
}
