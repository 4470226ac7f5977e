import LiveActivityModel

extension MetricDeclaration {
    private static let sent: [(name: NamedCounter, column: SeriesColumn)] = [
        (NamedCounter("update", .updatesSent, "updates"), .updatesSent),
        (NamedCounter("retry", .retriesSent, "retries"), .retriesSent),
        (NamedCounter("end", .endsSent, "ends"), .endsSent),
        (NamedCounter("start", .startsSent, "starts"), .startsSent),
    ]

    /// How many pushes of all kinds were sent, repeats included.
    private static let sentCount: Part.Read = { parts in sent.reduce(0) { $0 + parts[$1.name.counter] } }

    private static let fates = [
        NamedCounter("after_end", .fateAfterEnd, "came after the end of the activity"),
        NamedCounter("cancelled", .fateCancelled, "cancelled by the sender for a newer one"),
        NamedCounter("dead_token", .fateDeadToken, "accepted for a token that no longer worked"),
        NamedCounter("ended", .fateEnded, "ended the activity"),
        NamedCounter("expired", .fateExpired, "expired while the phone was offline"),
        NamedCounter("in_flight_at_end", .inFlightAtHorizon, "on its way at the end of the run"),
        NamedCounter("lost", .fateLost, "accepted by APNs, then lost"),
        NamedCounter("not_accepted", .fateNotAccepted, "no answer, and not accepted"),
        NamedCounter("not_stored", .fateNotStored, "not kept for a phone that was offline"),
        NamedCounter("older", .fateOlder, "newer content was on the screen already"),
        NamedCounter("refused", .fateRefused, "refused by APNs"),
        NamedCounter("replaced_in_store", .fateReplacedInStore, "replaced by a newer push while the phone was offline"),
        NamedCounter("shown", .fateShown, "shown"),
        NamedCounter("start_ignored", .fateStartIgnored, "the phone did not act on a start"),
        NamedCounter("started", .fateStarted, "started the activity"),
        NamedCounter("throttled", .fateThrottled, "not shown: update budget spent"),
        NamedCounter("undecodable", .fateUndecodable, "not shown: the app could not decode it"),
    ]

    private static let unsent = [
        NamedCounter("abandoned", .pushesAbandonedUnsent, "the activity or its token was gone when the turn came"),
        NamedCounter("coalesced", .pushesCoalesced, "a newer update took its place in the queue"),
        NamedCounter("displaced", .pushesDisplaced, "the queue was full, and a later push took its place"),
        NamedCounter("expired", .pushesOutOfPatience, "it had waited for as long as it may"),
        NamedCounter("in_orbit_at_end", .inOrbitAtHorizon, "to be offered again at the end of the run"),
        NamedCounter("no_content", .pushesWithoutContent, "the server had no content"),
        NamedCounter("queue_full", .pushesOverQueueLimit, "the queue was full"),
        NamedCounter("queued_at_end", .queuedAtHorizon, "still in the queue at the end of the run"),
        NamedCounter("rate_limited", .pushesRateLimited, "above the rate limit"),
        NamedCounter("within_minimum_interval", .pushesWithinMinimumInterval, "too soon after the update before"),
    ]

    private static let responses = [
        NamedCounter("200", .responsesAccepted, "200 accepted"),
        NamedCounter("400", .responses400, "400 bad request"),
        NamedCounter("403", .responses403, "403 forbidden"),
        NamedCounter("410", .responses410, "410 token expired or unregistered"),
        NamedCounter("413", .responses413, "413 payload too large"),
        NamedCounter("429", .responses429, "429 too many requests to one token"),
        NamedCounter("500", .responses500, "500 error inside APNs"),
        NamedCounter("503", .responses503, "503 APNs unavailable"),
        NamedCounter("connection_lost", .responsesConnectionLost, "connection lost"),
        NamedCounter("timeout", .responsesTimedOut, "no answer in time"),
    ]

    private static let photos = [
        NamedCounter("dropped", .photosDropped, "dropped"), NamedCounter("full", .photosSent, "full"),
        NamedCounter("small", .photosShrunk, "small"),
    ]

    /// Pushes, what APNs says to them, what becomes of them, and the tokens that they need.
    static let pushes: [MetricDeclaration] = [
        MetricDeclaration(
            "pushes_sent_count",
            unit: "count",
            better: .lower,
            "Requests to APNs, repeats included, by the kind of push.",
            parts: [Part.sum(sent.map(\.name.counter), in: sent.map(\.column))]
                + sent.map { kind in
                    var part = Part.total(kind.name.counter, scope: "kind:\(kind.name.name)", in: kind.column)
                    part.words = kind.name.words
                    return part
                }
        ),
        MetricDeclaration(
            "pushes_per_activity",
            unit: "1",
            better: .lower,
            "Pushes sent over activities, of those whose whole life was measured: requested after the warm-up, and over "
                + "before the end of the run. Short lives are more often whole, so there is no value where the two ends cut "
                + "more than one life in five; pushes_per_live_hour has one.",
            parts: [
                Part.ratio(
                    { $0[.requestsOfWholeLives] },
                    of: { $0[.wholeLives] },
                    unit: "count",
                    isShare: false
                )
                .defined(where: cutsFewLives)
            ]
        ),
        MetricDeclaration(
            "pushes_per_live_hour",
            unit: "1/h",
            "Pushes sent over the time with an activity on the screen; holds for any part of a run. Neither way is better: "
                + "cards whose end was lost stay for hours without a push, and lower it.",
            parts: [
                Part(reading: .rate(sentCount, over: { $0[.populationTime] }, perUnit: 3.6e9))
                    .dominated { (0, $0.life) }
            ]
        ),
        MetricDeclaration(
            "apns_response_count",
            unit: "count",
            "What the sender heard of its requests, by status.",
            parts: [Part.sum(responses.map(\.counter))] + Part.each("status", responses).map(\.clustered)
        ),
        MetricDeclaration(
            "push_fate_count",
            unit: "count",
            "What became of the pushes that were sent; each has one fate.",
            parts: [Part.sum(fates.map(\.counter))] + Part.each("fate", fates).map(\.clustered)
        ),
        MetricDeclaration(
            "pushes_not_sent_count",
            unit: "count",
            "Pushes that were offered to the sender and not sent, by the reason.",
            parts: Part.each("reason", unsent).map(\.clustered)
        ),
        MetricDeclaration(
            "photos_count",
            unit: "count",
            "Drivers' photos, by the size in which they were sent.",
            parts: Part.each("size", photos)
        ),
        MetricDeclaration(
            "tokens_posted_count",
            unit: "count",
            "Update tokens that reached the server.",
            parts: [Part.total(.tokensPosted)]
        ),
        MetricDeclaration(
            "token_posts_failed_count",
            unit: "count",
            better: .lower,
            "Attempts to post a token that failed.",
            parts: [Part.total(.tokenPostsFailed).clustered]
        ),
        MetricDeclaration(
            "tokens_rotated_count",
            unit: "count",
            "Tokens that iOS replaced during an activity.",
            parts: [Part.total(.tokensRotated).clustered]
        ),
        MetricDeclaration(
            "token_invalidated_count",
            unit: "count",
            "Tokens that the server invalidated: an end was confirmed, or the phone reported its own.",
            parts: [Part.total(.tokensInvalidated)]
        ),
        MetricDeclaration(
            "token_discarded_count",
            unit: "count",
            "Tokens that the server discarded because APNs no longer takes them.",
            parts: [Part.total(.tokensDiscarded)]
        ),
    ]

    /// Whether so few lives go over the warm-up's end or the run's that those which do not stand for all.
    private static func cutsFewLives(_ run: Measurements) -> Bool {
        5 * (run[.liveAtWarmUp] + run[.livesOpenAtHorizon]) <= run[.wholeLives]
    }

    /// All that was offered, whatever became of it.
    private static let offeredCount: Part.Read = { $0[.pushesOffered] }
    private static let neverSent: Part.Read = { counts in
        unsent.reduce(0) { $1.counter == .pushesWithoutContent ? $0 : $0 + counts[$1.counter] }
    }

    /// The sender: what is offered to it, how long it takes, what it holds.
    static let sender: [MetricDeclaration] = [
        MetricDeclaration(
            "pushes_offered_count",
            unit: "count",
            "Pushes offered to the sender: each is sent, not sent for a reason, or still waiting.",
            parts: [Part.total(.pushesOffered), .total(.repeatsOffered, scope: "attempt:repeat").clustered]
        ),
        MetricDeclaration(
            "not_sent_ratio",
            unit: "1",
            better: .lower,
            "Of the pushes offered to the sender: the share that was never sent, by the reason. What was coalesced or came "
                + "within the minimum interval is among them, though its content went, or will go, with another push.",
            parts: [Part.ratio(neverSent, of: offeredCount, unit: "count")]
                + unsent.filter { $0.counter != .pushesWithoutContent }
                .map { reason in
                    var part = Part.ratio(
                        scope: "reason:\(reason.name)",
                        { $0[reason.counter] },
                        of: offeredCount,
                        unit: "count"
                    )
                    part.words = reason.words
                    return part.clustered
                }
        ),
        MetricDeclaration(
            "push_rate_peak_per_second",
            unit: "1/s",
            "The most requests within so long, per second, over all cells at the same time; windows begin at whole seconds.",
            parts: [(1, "over:1s"), (10, "over:10s"), (60, "over:1m")]
                .map { seconds, scope in
                    .largest(scope: scope, per: Double(seconds)) { $0.senderCourse.mostRequests(inSeconds: seconds) }
                }
        ),
        MetricDeclaration(
            "streams_in_use_peak_count",
            unit: "count",
            "The most streams in use at a time, over all cells: of each, the most within the same second.",
            parts: [Part.largest { $0.senderCourse.mostStreams }]
        ),
        MetricDeclaration(
            "repeats_sent_count",
            unit: "count",
            "Requests sent again because nothing was heard of the one before.",
            parts: [Part.total(.repeatsSent).clustered]
        ),
        MetricDeclaration(
            "repeats_withheld_count",
            unit: "count",
            "Repeats not made because sender.retry_budget was spent.",
            parts: [Part.total(.repeatsWithheld).clustered]
        ),
        MetricDeclaration(
            "requests_cancelled_count",
            unit: "count",
            "Requests cancelled for a newer push to the same activity.",
            parts: [Part.total(.requestsCancelled).clustered]
        ),
        MetricDeclaration(
            "requests_interrupted_count",
            unit: "count",
            "Requests interrupted by a more urgent push.",
            parts: [Part.total(.requestsInterrupted).clustered]
        ),
        MetricDeclaration(
            "send_wait_us",
            unit: "us",
            better: .lower,
            "From a push's offer to the start of its request; where it was never sent, to when it was given up or the run "
                + "ended. Pushes that another one took over (coalesced, within_minimum_interval) have no wait of their own.",
            partsOf: { scenario in
                var parts = tallies(of: scenario, [.sendWait, .unsentWait])
                parts[0].tallyOfWindows = { $0.waits(in: $1) }
                return parts
            }
        ),
        MetricDeclaration(
            "send_time_us",
            unit: "us",
            better: .lower,
            "From a push's offer to APNs' answer; what has no answer by the end of the run is left out.",
            partsOf: { tallies(of: $0, [.sendTime]) }
        ),
        MetricDeclaration(
            "send_queue_mean_count",
            unit: "count",
            better: .lower,
            "Pushes waiting in a cell's sender, on average over time.",
            parts: [Part.meanOverTime { $0[.queuedTime] }]
        ),
        MetricDeclaration(
            "send_busy_mean_count",
            unit: "count",
            "Requests under way in a cell's sender, on average over time.",
            parts: [Part.meanOverTime { $0[.busyTime] }]
        ),
        MetricDeclaration(
            "send_orbit_mean_count",
            unit: "count",
            "Pushes sent away from a full queue to come again, per cell, on average over time.",
            parts: [Part.meanOverTime { $0[.orbitTime] }]
        ),
        MetricDeclaration(
            "send_saturated_time_ratio",
            unit: "1",
            better: .lower,
            "The share of time in which a cell's sender has no free stream.",
            parts: [Part.ratio({ $0[.saturatedTime] }, of: { $0[.measuredTime] })]
        ),
        MetricDeclaration(
            "send_queue_peak_count",
            unit: "count",
            better: .lower,
            "The most pushes waiting at a time; the sum of the cells' peaks, so an upper bound.",
            parts: [Part.largest { $0[.queue] }]
        ),
        MetricDeclaration(
            "send_wait_over_ratio",
            unit: "1",
            better: .lower,
            "Of the first requests: the share that waited longer than a threshold of measure.wait_over."
        ) { scenario in
            scenario.measure.waitOver.enumerated()
                .map { index, threshold in
                    .ratio(
                        scope: Summary.scope(over: threshold),
                        { $0[.waitsOver, index] },
                        of: { sentCount($0) - $0[.repeatsSent] },
                        unit: "count"
                    )
                }
        },
    ]

    /// The values of some observations together, over all ranks and for each rank that the scenario uses.
    private static func tallies(of scenario: Scenario, _ observations: [Observation]) -> [Part] {
        [Part.tally { values in Tally.sum(observations.map { values[$0] }) }]
            + scenario.senderRanks.map { rank in
                .tally(scope: "rank:\(rank)") { values in Tally.sum(observations.map { values[$0, rank] }) }
            }
    }
}
