import LiveActivityModel

extension MetricDeclaration {
    /// Rides, and the activities that they get.
    static let rides: [MetricDeclaration] =
        declared(in: .rides) + [
            MetricDeclaration("start_failed_count", better: .lower)
                .means("Attempts to start an activity that failed, by the reason."),
            MetricDeclaration("activities_started_count")
                .means(
                    "Activities that appeared on a screen; by push: push-to-start; by recreation: again after a swipe."
                ),
            MetricDeclaration("activities_ended_count")
                .means(
                    "Activities that left the screen, by the reason. Cards left behind until Apple's limit (reason:system_limit) "
                        + "should be few; nothing else here is better or worse."
                )
                .measured(Metric.sumAndParts(of: "activities_ended_count", in: [.activitiesEnded]))
                .better(.lower, in: "reason:system_limit"),
            MetricDeclaration("live_activities_peak_count")
                .means("The most activities on screens at a time; the sum of the cells' peaks, so an upper bound.")
                .measured([Metric.largest { $0[.population] }]),
            MetricDeclaration("live_activity_time_us")
                .means("Time on screens, added up over activities.")
                .measured([Metric(reading: .total { $0[.populationTime] }).dominated { ($0.life, 1) }]),
            MetricDeclaration("events_count")
                .means("Events of the simulation, warm-up included.")
                .measured([Metric(reading: .total { Int64($0.eventCount) }, isOfHistory: true)]),
        ]
}
