import LiveActivityModel

extension MetricDeclaration {
    /// Rides and their activities.
    static let rides: [MetricDeclaration] =
        declared(in: .rides) + [
            MetricDeclaration("start_failed_count", better: .lower)
                .means("Failed attempts to start an activity, by reason."),
            MetricDeclaration("starts_missed_count", better: .lower)
                .means(
                    "Starts by push in vain, by reason: beyond the phone's budget or its limit of cards, stale on arrival, without an alert, "
                        + "sent to a push-to-start token that the phone had replaced, or not sent because APNs had rejected that token."
                ),
            MetricDeclaration("card_renewals_count")
                .means(
                    "Cards that reached Apple's limit during their ride. outcome:renewed: a new activity replaced the card before "
                        + "(content.renew_before), or brought it back; outcome:lost: the limit ended it. Lower is better for "
                        + "outcome:lost."
                )
                .better(.lower, in: "outcome:lost"),
            MetricDeclaration("activities_started_count")
                .means(
                    "Activities that appeared on a screen. by:push: through push-to-start; by:recreation: again after a swipe."
                ),
            MetricDeclaration("activities_ended_count")
                .means(
                    "Activities that left the screen, by reason. Lower is better for reason:system_limit "
                        + "(cards left behind until Apple's limit); the other reasons are neutral."
                )
                .measured(Metric.sumAndParts(of: "activities_ended_count", in: [.activitiesEnded]))
                .better(.lower, in: "reason:system_limit"),
            MetricDeclaration("live_activities_peak_count")
                .means("Peak number of activities on screens; the sum of the cells' peaks, so an upper bound.")
                .measured([Metric.largest { $0[.population] }]),
            MetricDeclaration("live_activity_time_us")
                .means("Total time of activities on screens.")
                .measured([Metric(reading: .total { $0[.populationTime] }).dominated { ($0.life, 1) }]),
            MetricDeclaration("events_count")
                .means("Simulation events, including the warm-up.")
                .measured([Metric(reading: .total { Int64($0.eventCount) }, isOfHistory: true)]),
        ]
}
