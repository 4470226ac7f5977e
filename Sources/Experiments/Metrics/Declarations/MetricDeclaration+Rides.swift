import LiveActivityModel

extension MetricDeclaration {
    /// Rides, and the activities that they get.
    static let rides: [MetricDeclaration] =
        declared(in: .rides) + [
            MetricDeclaration(
                "start_failed_count",
                unit: "count",
                better: .lower,
                "Attempts to start an activity that failed, by the reason.",
                parts: Part.counted(of: "start_failed_count")
            ),
            MetricDeclaration(
                "activities_started_count",
                unit: "count",
                "Activities that appeared on a screen; by push: push-to-start; by recreation: again after a swipe.",
                parts: Part.counted(of: "activities_started_count")
            ),
            MetricDeclaration(
                "activities_ended_count",
                unit: "count",
                "Activities that left the screen, by the reason. Cards left behind until Apple's limit (reason:system_limit) "
                    + "should be few; nothing else here is better or worse.",
                parts: Part.sumAndParts(of: "activities_ended_count", in: [.activitiesEnded])
            )
            .better(.lower, in: "reason:system_limit"),
            MetricDeclaration(
                "live_activities_peak_count",
                unit: "count",
                "The most activities on screens at a time; the sum of the cells' peaks, so an upper bound.",
                parts: [Part.largest { $0[.population] }]
            ),
            MetricDeclaration(
                "live_activity_time_us",
                unit: "us",
                "Time on screens, added up over activities.",
                parts: [Part(reading: .total { $0[.populationTime] }).dominated { ($0.life, 1) }]
            ),
            MetricDeclaration(
                "events_count",
                unit: "count",
                "Events of the simulation, warm-up included.",
                parts: [Part(reading: .total { Int64($0.eventCount) }, isOfHistory: true)]
            ),
        ]
}
