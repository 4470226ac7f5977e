import LiveActivityModel

extension MetricDeclaration {
    private static let sent = Counter.parts(of: "pushes_sent_count").map(\.counter)

    /// The number of pushes of all kinds that were sent, including retries.
    private static let sentCount: Metric.Read = { parts in sent.reduce(0) { $0 + parts[$1] } }

    /// Pushes, APNs' answers, their fates, and the tokens that they need.
    static let pushes: [MetricDeclaration] =
        declared(in: .pushes) + [
            MetricDeclaration("pushes_sent_count", better: .lower)
                .means("Requests to APNs, including repeated requests, by kind of push.")
                .measured { scenario in
                    Metric.sumAndParts(of: "pushes_sent_count")
                        + Metric.totals(SegmentColumn.requests, byPartOf: scenario)
                },
            MetricDeclaration("pushes_per_activity", better: .lower)
                .means(
                    "Pushes sent per activity, over activities that were requested after the warm-up and over before the end "
                        + "of the run. This favours short lives, so there is no value if the others are more than a fifth as "
                        + "many; use pushes_per_live_hour then."
                )
                .measured { scenario in
                    scenario.wholeAndCohorts { part, scope in
                        .ratio(
                            scope: scope,
                            { $0.all(.requestsOfWholeLives, in: part) },
                            of: { $0.all(.wholeLives, in: part) },
                            unit: "count",
                            isShare: false
                        )
                        .with(\.isDefined) {
                            cutsFewLives($0.all(.cutLives, in: part), of: $0.all(.wholeLives, in: part))
                        }
                    }
                },
            MetricDeclaration("pushes_per_live_hour")
                .means(
                    "Pushes sent per hour with an activity on the screen; valid for any part of a run. Neutral: a card "
                        + "whose end was lost lowers it, because it stays for hours without a push."
                )
                .measured { scenario in
                    [
                        Metric(reading: .rate(sentCount, over: { $0[.populationTime] }, perUnit: 3.6e9))
                            .dominated { (0, $0.life) }
                    ]
                        + scenario.perCohort { part, scope in
                            Metric(
                                scope: scope,
                                reading: .rate(
                                    { measured in SegmentColumn.requests.reduce(0) { $0 + measured.total($1, in: part) }
                                    },
                                    over: { $0.all(.displayedTime, in: part) },
                                    perUnit: 3.6e9
                                )
                            )
                            .dominated { (0, $0.life) }
                        }
                },
            MetricDeclaration("apns_response_count")
                .means("Requests by APNs' answer: its status, a lost connection or a timeout.")
                .measured(Metric.sumAndParts(of: "apns_response_count"))
                .alsoOfLoads(MetricDeclaration.phases),
            MetricDeclaration("push_fate_count")
                .means(
                    "Pushes sent, by fate; each has exactly one. A push to a channel is sent on, and each copy has a fate as well."
                )
                .measured(Metric.sumAndParts(of: "push_fate_count"))
                .alsoOfLoads(["fate:unreadable": "sent by a monitor in a form that cannot be read (loads)"]),
            MetricDeclaration("pushes_per_group_content", better: .lower)
                .means(
                    "Requests with regular content to APNs, over the contents that were sent to groups: about the number of live "
                        + "members by tokens, 1 by channel. Repeated requests count, and so does content that is sent again to a "
                        + "token that came later."
                )
                .measured([
                    Metric.ratio({ $0[.updatesSent] }, of: { $0[.groupContents] }, unit: "count", isShare: false)
                        .needs(.groups)
                ]),
            MetricDeclaration("group_fan_out_us", better: .lower)
                .means(
                    "Time from the first to the last screen of a group that shows a content, for contents that two or more showed. A "
                        + "push that no screen showed does not count, so losses and newer content shorten it."
                )
                .measured([Metric.tally { $0[.fanOut] }.needs(.groups)]),
            MetricDeclaration("group_last_phone_us", better: .lower)
                .means(
                    "Time from the generation of a group's content to the last screen that shows it. A push that no screen showed "
                        + "does not count."
                )
                .measured([Metric.tally { $0[.lastPhone] }.needs(.groups)]),
            MetricDeclaration("pushes_not_sent_count")
                .means("Pushes offered to the sender and not sent, by reason."),
            MetricDeclaration("alerts_per_ride")
                .means("Alerts that lit up a screen, over all rides.")
                .measured([
                    Metric.ratio({ $0[.alertsShown] }, of: { $0[.ridesRequested] }, unit: "count", isShare: false)
                        .needs(.alerts)
                ]),
            MetricDeclaration("car_photos_count")
                .means("Photos of cars in pushes: sent, or dropped because they did not fit."),
            MetricDeclaration("photos_count")
                .means("Drivers' photos, by the size sent."),
        ]

    /// Returns true if few lives are cut by the warm-up's end or the run's end, so that whole lives represent all of
    /// them.
    private static func cutsFewLives(_ cut: Int64, of whole: Int64) -> Bool { 5 * cut <= whole }

    /// All offered pushes, whatever their outcome.
    private static let offeredCount: Metric.Read = { $0[.pushesOffered] }
    /// Offered pushes that were not sent; without content nothing is offered.
    private static let unsent = Counter.parts(of: "pushes_not_sent_count")
        .filter { $0.counter != .pushesWithoutContent }
    private static let neverSent: Metric.Read = { counts in unsent.reduce(0) { $0 + counts[$1.counter] } }

    /// The sender: its load, its durations and its contents.
    static let sender: [MetricDeclaration] =
        declared(in: .sender) + [
            MetricDeclaration("pushes_offered_count")
                .means("Pushes offered to the sender. Each is sent, not sent for a reason, or still queued."),
            MetricDeclaration("not_sent_ratio", better: .lower)
                .means(
                    "Share of the pushes offered to the sender that were never sent, by reason. Includes coalesced "
                        + "pushes and pushes within the minimum interval, whose content another push carries."
                )
                .measured(
                    [Metric.ratio(neverSent, of: offeredCount, unit: "count").with(\.isClustered, true)]
                        + unsent.map { counter, declaration in
                            .ratio(
                                scope: declaration.scope,
                                words: declaration.words,
                                { $0[counter] },
                                of: offeredCount,
                                unit: "count"
                            )
                            .with(\.isClustered, true).with(\.requirements, declaration.requirements)
                        }
                ),
            MetricDeclaration("push_rate_peak_per_second")
                .means(
                    "Peak rate of requests over a window of this length, per second, over all cells; windows begin at "
                        + "whole seconds."
                )
                .measured(
                    zip(SenderCourse.peakWidths, ["over:1s", "over:10s", "over:1m"])
                        .map { seconds, scope in
                            .largest(scope: scope, per: Double(seconds)) {
                                $0.senderCourse.mostRequests(inSeconds: seconds)
                            }
                        }
                ),
            MetricDeclaration("streams_in_use_peak_count")
                .means(
                    "Peak number of streams in use, over all cells, as an upper bound: in each 20 ms the streams in "
                        + "use at their start and all that are taken within them; the sum of the cells' peaks within "
                        + "the same second."
                )
                .measured([
                    Metric.largest { $0.senderCourse.mostStreams }
                        .with(\.peakOfWindows) { $0.senderCourse.mostStreams(in: $1) }
                ]),
            MetricDeclaration("send_wait_us", better: .lower)
                .means(
                    "Time from the offer of a push to the start of its request; for a push never sent, until it was "
                        + "dropped or the run ended. Coalesced pushes and pushes within the minimum interval have no wait."
                )
                .measured { scenario in
                    var parts = Metric.observed([.sendWait, .unsentWait], in: scenario)
                    parts[0].tallyOfWindows = { $0.waits(in: $1) }
                    return parts
                },
            MetricDeclaration("content_time_us", better: .lower)
                .means(
                    "Time from the need of content, for a push or for an attempt of an app to start, to the endpoint's answer with it; "
                        + "content that never came has none."
                )
                .measured([Metric.tally { $0[.contentTime] }.needs(.endpoint)]),
            MetricDeclaration("send_queue_mean_count", better: .lower)
                .means("Mean number of pushes in a cell's queue, over the time in which rides arrive.")
                .measured([Metric.meanOfSender(.queuedTimeOfArrivals)]),
            MetricDeclaration("send_busy_mean_count")
                .means(
                    "Mean number of requests in flight from a cell's sender, over the time in which rides arrive. "
                        + "Neutral; the worst window has the largest value."
                )
                .measured([Metric.meanOfSender(.busyTimeOfArrivals).with(\.isWorstAtItsHighest, true)]),
            MetricDeclaration("send_orbit_mean_count")
                .means(
                    "Mean number of pushes per cell that wait to be offered again after the queue was full, over the "
                        + "time in which rides arrive. Neutral; the worst window has the largest value."
                )
                .measured([Metric.meanOfSender(.orbitTimeOfArrivals).with(\.isWorstAtItsHighest, true).needs(.orbit)]),
            MetricDeclaration("send_saturated_time_ratio", better: .lower)
                .means("Share of the time in which rides arrive during which a cell's sender has no free stream.")
                .measured([Metric.meanOfSender(.saturatedTimeOfArrivals, isShare: true)]),
            MetricDeclaration("send_queue_peak_count", better: .lower)
                .means(
                    "Peak length of the queue over all cells; the sum of the cells' peaks within the same second, so an "
                        + "upper bound."
                )
                .measured([
                    Metric.largest { $0.senderCourse.mostQueued }
                        .with(\.peakOfWindows) { $0.senderCourse.mostQueued(in: $1) }
                ]),
            MetricDeclaration("send_wait_over_ratio", better: .lower)
                .means("Share of first requests that waited longer than a threshold of measure.wait_over.")
                .measured { scenario in
                    scenario.measure.waitOver.enumerated()
                        .map { index, threshold in
                            .ratio(
                                scope: Summary.scope(over: threshold),
                                { $0[.waitsOver, index] },
                                of: { sentCount($0) - $0[.repeatsSent] },
                                unit: "count"
                            )
                            .needs(.longer(than: threshold))
                        }
                },
        ]
}
