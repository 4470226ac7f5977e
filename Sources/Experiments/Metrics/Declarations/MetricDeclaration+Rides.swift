import LiveActivityModel

extension MetricDeclaration {
    /// How activities end.
    private static let ends = [
        NamedCounter("cancelled", .endedCancelled, "the ride was cancelled"),
        NamedCounter("content_expired", .endedContentExpired, "the content was past its stale date for too long"),
        NamedCounter("no_token", .endedNoToken, "iOS yielded no token in time"),
        NamedCounter("no_update", .endedNoUpdate, "no update came in time"),
        NamedCounter("ride_over", .endedRideOver, "the ride was over"),
        NamedCounter("severe", .endedSevere, "the monitor gave up: severely stale"),
        NamedCounter("swiped", .endedSwiped, "the rider swiped it away"),
        NamedCounter("system_limit", .endedSystemLimit, "Apple's limit was reached"),
        NamedCounter("token_not_posted", .endedTokenNotPosted, "the token did not reach the server in time"),
    ]

    private static let failedStarts = [
        NamedCounter("background", .startsFailedInBackground, "the app was in the background"),
        NamedCounter("system_limit", .startsFailedAtSystemLimit, "Apple's limit was reached"),
        NamedCounter("too_large", .startsFailedTooLarge, "attributes and content were too large"),
        NamedCounter("no_content", .startsFailedWithoutContent, "the server had no content"),
        NamedCounter("not_allowed", .startsNotAllowed, "Live Activities are off"),
    ]

    /// Rides, and the activities that they get.
    static let rides: [MetricDeclaration] = [
        MetricDeclaration(
            "rides_requested_count",
            unit: "count",
            "Rides that were requested.",
            parts: [Part.total(.ridesRequested)]
        ),
        MetricDeclaration(
            "rides_completed_count",
            unit: "count",
            "Rides that came to the end of their last stage.",
            parts: [Part.total(.ridesCompleted)]
        ),
        MetricDeclaration(
            "rides_cancelled_count",
            unit: "count",
            "Rides that were cancelled.",
            parts: [Part.total(.ridesCancelled)]
        ),
        MetricDeclaration(
            "rides_rematched_count",
            unit: "count",
            "Times that a driver dropped a ride, which then waited for another one.",
            parts: [Part.total(.ridesRematched)]
        ),
        MetricDeclaration(
            "rides_without_activity_count",
            unit: "count",
            "Rides for which no activity ever started.",
            parts: [Part.total(.ridesWithoutActivity)]
        ),
        MetricDeclaration(
            "start_failed_count",
            unit: "count",
            better: .lower,
            "Attempts to start an activity that failed, by the reason.",
            parts: Part.each("reason", failedStarts).map(\.clustered)
        ),
        MetricDeclaration(
            "activities_started_count",
            unit: "count",
            "Activities that appeared on a screen; by push: push-to-start; by recreation: again after a swipe.",
            parts: [
                Part.total(.activitiesStarted, in: .activitiesStarted),
                Part.total(.activitiesStartedByPush, scope: "by:push"),
                Part.total(.activitiesRecreated, scope: "by:recreation"),
            ]
        ),
        MetricDeclaration(
            "duplicates_started_count",
            unit: "count",
            better: .lower,
            "Second activities of a ride, from a push-to-start that was repeated.",
            parts: [Part.total(.duplicatesStarted)]
        ),
        MetricDeclaration(
            "activities_ended_count",
            unit: "count",
            "Activities that left the screen, by the reason. Cards left behind until Apple's limit (reason:system_limit) "
                + "should be few; nothing else here is better or worse.",
            parts: [Part.sum(ends.map(\.counter), in: [.activitiesEnded])] + Part.each("reason", ends)
        )
        .better(.lower, in: "reason:system_limit"),
        MetricDeclaration(
            "activities_live_at_start_count",
            unit: "count",
            "Activities on screens when measuring began.",
            parts: [Part.total(.liveAtWarmUp)]
        ),
        MetricDeclaration(
            "activities_live_at_end_count",
            unit: "count",
            "Activities still on screens at the end of the run.",
            parts: [Part.total(.liveAtHorizon)]
        ),
        MetricDeclaration(
            "local_updates_count",
            unit: "count",
            "Updates that an app made by itself, without a push.",
            parts: [Part.total(.localUpdates)]
        ),
        MetricDeclaration(
            "activity_lifetime_us",
            unit: "us",
            "How long an activity was on the screen.",
            parts: [Part.tally { $0[.lifetime] }.dominated { ($0.life, 1) }]
        ),
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
