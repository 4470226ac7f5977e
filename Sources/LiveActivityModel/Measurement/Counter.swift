/// The counters of a run.
///
/// To add a counter, add a case here and a row in ``declaration``, and count where the event happens. The parts of a
/// metric are printed in the order of the cases. Pushes are counted when they are sent, and by fate when they end; the
/// two sums are equal.
public enum Counter: Int, CaseIterable, BitwiseCopyable, Sendable {
    case ridesRequested
    case ridesCompleted
    case ridesCancelled
    case ridesRematched
    case ridesWithoutActivity
    case ridesBookedAhead
    case stopsMade
    case ridesBookedAgain
    case ridesWithOldCard
    case groupsRequested

    case startsFailedInBackground
    case startsFailedAtSystemLimit
    case startsFailedTooLarge
    case startsFailedWithoutContent
    case startsFailedOldCard
    case startsNotAllowed
    case startsNotEligible
    case activitiesStarted
    case activitiesStartedByPush
    case activitiesScheduled
    case activitiesRecreated
    case duplicatesStarted
    case activitiesRenewed
    case cardsLostAtLimit
    /// Starts by push that the phone dropped, or whose token had changed, by reason.
    case startsOverBudget
    case startsStale
    case startsWithoutAlert
    case startsAtCardLimit
    case startsToOldToken
    case startsWithoutToken

    case endedCancelled
    case endedContentExpired
    case endedNoToken
    case endedNoUpdate
    case endedRideOver
    case endedSevere
    case endedSwiped
    case endedSystemLimit
    case endedTokenNotPosted
    case endedRenewed
    case endedLeftOver
    case liveAtWarmUp
    case liveAtHorizon
    case localUpdates
    /// Updates by an app that no screen has shown, because newer content or the activity's end came first.
    case localUpdatesUndrawn

    case updatesSent
    case retriesSent
    case endsSent
    case startsSent

    case responsesAccepted
    case responses400
    case responses403
    case responses410
    case responses413
    case responses429
    case responses500
    case responses503
    case responsesConnectionLost
    case responsesTimedOut

    case fateAfterEnd
    case fateCancelled
    case fateDeadToken
    case fateEnded
    case fateExpired
    case inFlightAtHorizon
    case fateLost
    case fateNotAccepted
    case fateNotStored
    case fateOlder
    case fateRefused
    case fateReplacedInStore
    /// Pushes to a channel that APNs has accepted and sent on; the copies have fates of their own.
    case fateSentOn
    case fateShown
    case fateStartIgnored
    case fateWokeApp
    case fateStarted
    case fateThrottled
    case fateUndecodable

    case pushesAbandonedUnsent
    case pushesCoalesced
    case pushesDisplaced
    case pushesOutOfPatience
    case inOrbitAtHorizon
    case contentRequests
    case contentRequestsFailed
    case pushesWithoutContent
    case pushesOverQueueLimit
    case queuedAtHorizon
    case pushesRateLimited
    case pushesWithinMinimumInterval

    /// Copies of pushes that APNs has sent from channels to phones.
    case pushesSentOn
    /// Contents that were sent to groups.
    case groupContents
    case channelsRefused
    case channelsLost

    case alertsLate
    case alertsSent
    case alertsShown
    case carPhotosDropped
    case carPhotosSent
    case photosDropped
    case photosSent
    case photosShrunk

    case tokensPosted
    case tokenPostsFailed
    case endReportsFailed
    case endsUnreported
    case tokensRotated
    case tokensInvalidated
    case tokensDiscarded

    /// First offers and repeats; each is sent, not sent for a reason, or still waiting.
    case pushesOffered
    case repeatsOffered
    case repeatsSent
    case repeatsWithheld
    case requestsCancelled
    case requestsInterrupted

    case episodesBegun
    case episodesRecovered
    case episodesEndedSevere
    case episodesCutShort
    case episodesAtHorizon
    case falseKills
    case retriesWithheld
    /// Retries that the monitor decided on, withheld or handed to the sender.
    case retriesDecided
    /// Requests that the sender repeated for retries; a part of ``retriesSent``.
    case retryRepeatsSent
    case retriesAccepted
    case retriesRecovering
}

extension Counter {
    /// The presentation of the counter in results; nil for counters that only enter ratios.
    public var declaration: CounterDeclaration? {
        switch self {
        case .ridesRequested:
            .metric("rides_requested_count", of: .rides, "Rides requested.")
                .divided(bySegment: .ridesRequested)
        case .ridesCompleted:
            .metric("rides_completed_count", of: .rides, "Rides that completed their last stage.")
        case .ridesCancelled: .metric("rides_cancelled_count", of: .rides, "Rides cancelled.")
        case .ridesRematched:
            .metric(
                "rides_rematched_count",
                of: .rides,
                "Times a driver dropped a ride, which then waited for another driver."
            )
        case .ridesWithoutActivity:
            .metric("rides_without_activity_count", of: .rides, "Rides for which no activity ever started.")

        case .ridesBookedAhead:
            .metric("rides_booked_ahead_count", of: .rides, "Rides that were booked ahead.").needs(.booked)
        case .stopsMade:
            .metric("stops_made_count", of: .rides, "Additional stops of rides, which go back to a stage for each.")
                .clustered.needs(.stops)
        case .ridesBookedAgain:
            .metric(
                "rides_booked_again_count",
                of: .rides,
                "Rides requested by a rider who has had a ride before in the run, on the same phone."
            )
            .clustered.needs(.again)
        case .ridesWithOldCard:
            .metric(
                "rides_with_old_card_count",
                of: .rides,
                better: .lower,
                "Rides that were requested while the card of an earlier ride of their rider was still live."
            )
            .clustered.needs(.again)
        case .groupsRequested:
            .metric("groups_requested_count", of: .rides, "Groups requested; each has one content for all its members.")
                .needs(.groups)

        case .startsFailedInBackground: failedStart("background", "the app was in the background")
        case .startsFailedAtSystemLimit: failedStart("system_limit", "Apple's limit was reached")
        case .startsFailedTooLarge: failedStart("too_large", "attributes and content were too large")
        case .startsFailedWithoutContent: failedStart("no_content", "the server had no content")
        case .startsFailedOldCard:
            failedStart("old_card", "the app took an earlier ride's card for its own").needs(.again)
        case .startsNotAllowed: failedStart("not_allowed", "Live Activities are off")
        case .startsNotEligible:
            failedStart("not_eligible", "the answer of content.endpoint allowed no Live Activity").needs(.endpoint)
        case .activitiesStarted: .part("all", of: "activities_started_count", in: .activitiesStarted)
        case .activitiesStartedByPush:
            .part("by:push", of: "activities_started_count")
                .needs(.pushToStart)
        case .activitiesScheduled:
            .part("by:schedule", of: "activities_started_count").needs(.scheduling)
        case .activitiesRecreated: .part("by:recreation", of: "activities_started_count").needs(.swipes)
        case .duplicatesStarted:
            .metric(
                "duplicates_started_count",
                of: .rides,
                better: .lower,
                "Second activities of a ride, from a repeated push-to-start."
            )
        case .activitiesRenewed:
            .part("outcome:renewed", of: "card_renewals_count", "a new activity replaced it").needs(.renewal)
        case .cardsLostAtLimit:
            .part("outcome:lost", of: "card_renewals_count", "Apple's limit ended it").needs(.renewal)
        case .startsOverBudget:
            missedStart("start_budget", "the phone's budget for starts was spent").needs(.startBudget)
        case .startsStale: missedStart("stale_start", "its content was stale on arrival").needs(.staleStarts)
        case .startsWithoutAlert:
            missedStart("no_alert", "it had no alert, without which iOS presents no card").needs(.startsWithoutAlert)
        case .startsAtCardLimit: missedStart("system_limit", "Apple's limit was reached").needs(.cardLimit)
        case .startsToOldToken:
            missedStart("old_start_token", "the phone had another push-to-start token").needs(.startTokens)
        case .startsWithoutToken:
            missedStart("no_start_token", "the server had no push-to-start token").needs(.startTokens)

        case .endedCancelled: end("cancelled", "the ride was cancelled")
        case .endedContentExpired:
            end("content_expired", "the content was past its stale date for too long").needs(.staleContentLimit)
        case .endedNoToken: end("no_token", "iOS issued no token in time").needs(.initialContentLimit)
        case .endedNoUpdate: end("no_update", "no update came in time").needs(.initialContentLimit)
        case .endedRideOver: end("ride_over", "the ride was over")
        case .endedSevere: end("severe", "the monitor gave up: severely stale").needs(.monitor, .severity)
        case .endedSwiped: end("swiped", "the rider swiped it away").needs(.swipes)
        case .endedSystemLimit: end("system_limit", "Apple's limit was reached").needs(.systemLimit)
        case .endedTokenNotPosted:
            end("token_not_posted", "the token did not reach the server in time").needs(.initialContentLimit)
        case .endedRenewed: end("renewed", "a new activity replaced it").needs(.renewal)
        case .endedLeftOver: end("left_over", "the app started the card of a later ride").needs(.again)
        case .liveAtWarmUp:
            .metric(
                "activities_live_at_start_count",
                of: .rides,
                "Activities on screens at the start of the measured interval."
            )
            .needs(.warmUp)
        case .liveAtHorizon:
            .metric("activities_live_at_end_count", of: .rides, "Activities still on screens at the end of the run.")
        case .localUpdates:
            .metric("local_updates_count", of: .rides, "Updates that an app made itself.")
                .needs(.localUpdates)
        case .localUpdatesUndrawn:
            .metric(
                "local_updates_undrawn_count",
                of: .rides,
                "Updates by an app that no screen showed, because newer content or the activity's end came before "
                    + "devices.render_interval was over."
            )
            .needs(.drawing)

        case .updatesSent: sent("update", "updates", in: .updatesSent)
        case .retriesSent: sent("retry", "retries", in: .retriesSent).needs(.retries)
        case .endsSent: sent("end", "ends", in: .endsSent)
        case .startsSent: sent("start", "starts", in: .startsSent).needs(.pushToStart)

        case .responsesAccepted: response("200", "200 accepted")
        case .responses400: response("400", "400 bad request")
        case .responses403: response("403", "403 forbidden")
        case .responses410: response("410", "410 token expired or unregistered")
        case .responses413: response("413", "413 payload too large")
        case .responses429: response("429", "429 too many requests to one token")
        case .responses500: response("500", "500 error inside APNs")
        case .responses503: response("503", "503 APNs unavailable")
        case .responsesConnectionLost: response("connection_lost", "connection lost")
        case .responsesTimedOut: response("timeout", "no answer in time")

        case .fateAfterEnd: fate("after_end", "came after the end of the activity")
        case .fateCancelled: fate("cancelled", "cancelled by the sender for a newer push").needs(.replacement)
        case .fateDeadToken: fate("dead_token", "accepted for a token that no longer worked")
        case .fateEnded: fate("ended", "ended the activity")
        case .fateExpired: fate("expired", "expired while the phone was offline").needs(.offline)
        case .inFlightAtHorizon: fate("in_flight_at_end", "on its way at the end of the run")
        case .fateLost: fate("lost", "accepted by APNs, then lost").needs(.loss)
        case .fateNotAccepted: fate("not_accepted", "no answer, and not accepted")
        case .fateNotStored: fate("not_stored", "not kept for a phone that was offline").needs(.offline)
        case .fateOlder: fate("older", "newer content was on the screen already")
        case .fateRefused: fate("refused", "rejected by APNs")
        case .fateReplacedInStore:
            fate("replaced_in_store", "replaced by a newer push while the phone was offline").needs(.offline)
        case .fateSentOn: fate("sent_on", "sent on to the phones of a channel").needs(.channels)
        case .fateShown: fate("shown", "shown")
        case .fateWokeApp: fate("woke_app", "woke the app").needs(.wakeApp)
        case .fateStartIgnored: fate("start_ignored", "the phone did not act on a start").needs(.pushToStart)
        case .fateStarted: fate("started", "started the activity").needs(.pushToStart)
        case .fateThrottled: fate("throttled", "not shown: update budget spent").needs(.budget)
        case .fateUndecodable: fate("undecodable", "not shown: the app could not decode it").needs(.undecodable)

        case .pushesAbandonedUnsent: unsent(.tokenGone, "the activity or its token was gone when its turn came")
        case .pushesCoalesced: unsent(.coalesced, "a newer update took its place in the queue").needs(.coalescing)
        case .pushesDisplaced:
            unsent(.displaced, "the queue was full, and a later push took its place").needs(.queueLimit)
        case .pushesOutOfPatience: unsent(.outOfPatience, "its wait reached sender.patience").needs(.patience)
        case .inOrbitAtHorizon:
            unsent("in_orbit_at_end", "waiting to be offered again at the end of the run").needs(.orbit)
        case .pushesWithoutContent: unsent(.noContent, "the server had no content").needs(.missingContent)
        case .contentRequests:
            .metric(
                "content_requests_count",
                of: .pushes,
                "Requests to the endpoint of content, by the server and by apps."
            )
            .needs(.endpoint)
        case .contentRequestsFailed:
            .metric(
                "content_requests_failed_count",
                of: .pushes,
                better: .lower,
                "Requests to the endpoint of content that returned none."
            )
            .needs(.endpoint).clustered
        case .pushesOverQueueLimit: unsent(.queueFull, "the queue was full").needs(.queueLimit)
        case .queuedAtHorizon: unsent("queued_at_end", "still in the queue at the end of the run")
        case .pushesRateLimited: unsent(.rateLimited, "above the rate limit").needs(.rateLimit)
        case .pushesWithinMinimumInterval:
            unsent(.withinMinimumInterval, "too soon after the previous update").needs(.minimumInterval)

        case .pushesSentOn:
            .metric(
                "pushes_sent_on_count",
                of: .pushes,
                "Copies of pushes that APNs sent from channels to phones; each has a fate of its own in push_fate_count."
            )
            .needs(.channels)
        case .groupContents:
            .metric(
                "group_contents_count",
                of: .pushes,
                "Contents that were sent to groups: stage changes and refreshes, whatever the number of pushes."
            )
            .needs(.groups)
        case .channelsRefused:
            .metric(
                "channels_refused_count",
                of: .pushes,
                better: .lower,
                "Groups without a channel because the app had as many as APNs allows; the server reaches them by tokens."
            )
            .clustered
            .needs(.channels)
        case .channelsLost:
            .metric(
                "channels_lost_count",
                of: .pushes,
                better: .lower,
                "Channels that the server gave up because APNs no longer had them; nothing reaches their phones from then on."
            )
            .needs(.channels)

        case .alertsLate:
            .metric(
                "alerts_late_count",
                of: .pushes,
                better: .lower,
                "Alerts about a stage of the ride that was over when its screen lit up."
            )
            .needs(.alerts)
        case .alertsSent:
            .metric("alerts_sent_count", of: .pushes, "Updates with an alert that were sent.").needs(.alerts)
        case .alertsShown:
            .metric("alerts_shown_count", of: .pushes, "Alerts that lit up a screen.").needs(.alerts)
        case .carPhotosDropped: .part("size:dropped", of: "car_photos_count", "dropped").needs(.carPhotos)
        case .carPhotosSent: .part("size:full", of: "car_photos_count", "full").needs(.carPhotos)
        case .photosDropped: .part("size:dropped", of: "photos_count", "dropped").needs(.photos)
        case .photosSent: .part("size:full", of: "photos_count", "full").needs(.photos)
        case .photosShrunk: .part("size:small", of: "photos_count", "small").needs(.photos)

        case .tokensPosted: .metric("tokens_posted_count", of: .pushes, "Update tokens that reached the server.")
        case .tokenPostsFailed:
            .metric("token_posts_failed_count", of: .pushes, better: .lower, "Attempts to post a token that failed.")
                .clustered
        case .endReportsFailed:
            .metric("end_reports_failed_count", of: .pushes, better: .lower, "Attempts to report an end that failed.")
                .clustered.needs(.endReports)
        case .endsUnreported:
            .metric(
                "ends_unreported_count",
                of: .pushes,
                better: .lower,
                "Ends of activities that their phones gave up reporting; the server still has the token."
            )
            .clustered.needs(.endReports)
        case .tokensRotated:
            .metric("tokens_rotated_count", of: .pushes, "Tokens that iOS replaced during an activity.").clustered
                .needs(.rotation)
        case .tokensInvalidated:
            .metric(
                "token_invalidated_count",
                of: .pushes,
                "Tokens that the server invalidated: an end was confirmed, or the phone reported its own."
            )
        case .tokensDiscarded:
            .metric(
                "token_discarded_count",
                of: .pushes,
                "Tokens that the server discarded because APNs no longer accepts them."
            )

        case .pushesOffered: .part("all", of: "pushes_offered_count")
        case .repeatsOffered: .part("attempt:repeat", of: "pushes_offered_count").clustered.needs(.repeats)
        case .repeatsSent:
            .metric(
                "repeats_sent_count",
                of: .sender,
                "Requests sent again because the previous one got no answer."
            )
            .clustered.divided(byWindow: .repeatsSent)
            .needs(.repeats)
        case .repeatsWithheld:
            .metric("repeats_withheld_count", of: .sender, "Repeats not made because sender.retry_budget was spent.")
                .clustered.divided(byWindow: .repeatsWithheld)
                .needs(.repeatBudget)
        case .requestsCancelled:
            .metric(
                "requests_cancelled_count",
                of: .sender,
                "Requests cancelled for a newer push to the same activity."
            )
            .clustered
            .needs(.replacement)
        case .requestsInterrupted:
            .metric("requests_interrupted_count", of: .sender, "Requests interrupted by a more urgent push.").clustered
                .needs(.interruption)

        case .episodesBegun: .part("all", of: "stale_episodes_count", in: .episodesBegun).needs(.lapse)
        case .episodesRecovered: episode("recovered", "fresh again", in: .episodesRecovered).needs(.lapse)
        case .episodesEndedSevere:
            episode("severe", "given up as severely stale", in: .endedSevere).needs(.monitor, .severity)
        case .episodesCutShort: episode("cut_short", "cut short by the end of the activity").needs(.lapse)
        case .episodesAtHorizon: episode("open_at_end", "still open at the end of the run").needs(.lapse)
        case .falseKills:
            .metric(
                "false_kill_count",
                of: .episodes,
                better: .lower,
                by: MetricBasis.allCases,
                "Activities given up as severely stale while their screen showed fresh content."
            )
            .needs(.monitor, .severity)
        case .retriesWithheld:
            .metric("retries_withheld_count", of: .episodes, "Retries not made because monitor.retry.budget was spent.")
                .clustered.divided(byWindow: .retriesWithheld)
                .needs(.retryBudget)
        case .retriesDecided:
            .metric(
                "retry_attempts_count",
                of: .episodes,
                "Retries that the monitor decided on: those that its budget withheld, and those handed to the sender."
            )
            .clustered.divided(byWindow: .retriesDecided)
            .needs(.retries)
        case .retryRepeatsSent:
            .metric(
                "retry_repeats_sent_count",
                of: .episodes,
                "Requests with which the sender repeated a retry; pushes_sent_count includes them."
            )
            .clustered
            .needs(.retries, .repeats)
        case .retriesAccepted:
            .metric("retries_accepted_count", of: .episodes, "Retries that APNs accepted, at first or after a repeat.")
                .clustered
                .needs(.retries)
        case .retriesRecovering:
            .metric(
                "recovered_by_retry_count",
                of: .episodes,
                by: MetricBasis.allCases,
                "Episodes that ended because the content of a retry, not of an update, was confirmed."
            )
            .needs(.retries)
        }
    }

    private func failedStart(_ reason: String, _ words: String) -> CounterDeclaration {
        .part("reason:\(reason)", of: "start_failed_count", words).clustered
    }

    private func missedStart(_ reason: String, _ words: String) -> CounterDeclaration {
        .part("reason:\(reason)", of: "starts_missed_count", words).clustered
    }

    private func end(_ reason: String, _ words: String) -> CounterDeclaration {
        .part("reason:\(reason)", of: "activities_ended_count", words)
    }

    private func sent(_ kind: String, _ words: String, in column: SeriesColumn) -> CounterDeclaration {
        .part("kind:\(kind)", of: "pushes_sent_count", words, in: column)
    }

    private func response(_ status: String, _ words: String) -> CounterDeclaration {
        .part("status:\(status)", of: "apns_response_count", words).clustered
    }

    private func fate(_ fate: String, _ words: String) -> CounterDeclaration {
        .part("fate:\(fate)", of: "push_fate_count", words).clustered
    }

    private func unsent(_ reason: StoryLine.Unsent, _ words: String) -> CounterDeclaration {
        unsent(reason.rawValue, words)
    }

    private func unsent(_ reason: String, _ words: String) -> CounterDeclaration {
        .part("reason:\(reason)", of: "pushes_not_sent_count", words).clustered
    }

    private func episode(_ outcome: String, _ words: String, in column: SeriesColumn? = nil) -> CounterDeclaration {
        .part("outcome:\(outcome)", of: "stale_episodes_count", words, in: column)
    }
}
