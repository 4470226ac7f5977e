import LiveActivityModel

extension MetricDeclaration {
    private static let sent = Counter.parts(of: "pushes_sent_count").map(\.counter)

    /// How many pushes of all kinds were sent, repeats included.
    private static let sentCount: Metric.Read = { parts in sent.reduce(0) { $0 + parts[$1] } }

    /// Pushes, what APNs says to them, what becomes of them, and the tokens that they need.
    static let pushes: [MetricDeclaration] =
        declared(in: .pushes) + [
            MetricDeclaration("pushes_sent_count", better: .lower)
                .means("Requests to APNs, repeats included, by the kind of push.")
                .measured { scenario in
                    Metric.sumAndParts(of: "pushes_sent_count") + Metric.totals(CityColumn.requests, byCityOf: scenario)
                },
            MetricDeclaration("pushes_per_activity", better: .lower)
                .means(
                    "Pushes sent over activities, of those whose whole life was measured: requested after the warm-up, and over "
                        + "before the end of the run. Short lives are more often whole, so there is no value where the two ends cut "
                        + "more than one life in five; pushes_per_live_hour has one."
                )
                .measured([
                    Metric.ratio({ $0[.requestsOfWholeLives] }, of: { $0[.wholeLives] }, unit: "count", isShare: false)
                        .with(\.isDefined, cutsFewLives)
                ]),
            MetricDeclaration("pushes_per_live_hour")
                .means(
                    "Pushes sent over the time with an activity on the screen; holds for any part of a run. Neither way is better: "
                        + "cards whose end was lost stay for hours without a push, and lower it."
                )
                .measured([
                    Metric(reading: .rate(sentCount, over: { $0[.populationTime] }, perUnit: 3.6e9))
                        .dominated { (0, $0.life) }
                ]),
            MetricDeclaration("apns_response_count")
                .means("What the sender heard of its requests, by status.")
                .measured(Metric.sumAndParts(of: "apns_response_count")),
            MetricDeclaration("push_fate_count")
                .means("What became of the pushes that were sent; each has one fate.")
                .measured(Metric.sumAndParts(of: "push_fate_count")),
            MetricDeclaration("pushes_not_sent_count")
                .means("Pushes that were offered to the sender and not sent, by the reason."),
            MetricDeclaration("photos_count")
                .means("Drivers' photos, by the size in which they were sent."),
        ]

    /// Whether so few lives go over the warm-up's end or the run's that those which do not stand for all.
    private static func cutsFewLives(_ run: Measurements) -> Bool {
        5 * (run[.liveAtWarmUp] + run[.livesOpenAtHorizon]) <= run[.wholeLives]
    }

    /// All that was offered, whatever became of it.
    private static let offeredCount: Metric.Read = { $0[.pushesOffered] }
    /// What was offered and not sent; without content nothing is offered.
    private static let unsent = Counter.parts(of: "pushes_not_sent_count")
        .filter { $0.counter != .pushesWithoutContent }
    private static let neverSent: Metric.Read = { counts in unsent.reduce(0) { $0 + counts[$1.counter] } }

    /// The sender: what is offered to it, how long it takes, what it holds.
    static let sender: [MetricDeclaration] =
        declared(in: .sender) + [
            MetricDeclaration("pushes_offered_count")
                .means("Pushes offered to the sender: each is sent, not sent for a reason, or still waiting."),
            MetricDeclaration("not_sent_ratio", better: .lower)
                .means(
                    "Of the pushes offered to the sender: the share that was never sent, by the reason. What was coalesced or came "
                        + "within the minimum interval is among them, though its content went, or will go, with another push."
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
                    "The most requests within so long, per second, over all cells at the same time; windows begin at whole seconds."
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
                .means("The most streams in use at a time, over all cells: of each, the most within the same second.")
                .measured([Metric.largest { $0.senderCourse.mostStreams }]),
            MetricDeclaration("send_wait_us", better: .lower)
                .means(
                    "From a push's offer to the start of its request; where it was never sent, to when it was given up or the run "
                        + "ended. Pushes that another one took over (coalesced, within_minimum_interval) have no wait of their own."
                )
                .measured { scenario in
                    var parts = Metric.observed([.sendWait, .unsentWait], in: scenario)
                    parts[0].tallyOfWindows = { $0.waits(in: $1) }
                    return parts
                },
            MetricDeclaration("send_queue_mean_count", better: .lower)
                .means("Pushes waiting in a cell's sender, on average over the time in which rides arrive.")
                .measured([Metric.meanOfSender(.queuedTime)]),
            MetricDeclaration("send_busy_mean_count")
                .means(
                    "Requests in flight from a cell's sender, on average over the time in which rides arrive. Neither way is better; "
                        + "its worst window is the busiest."
                )
                .measured([Metric.meanOfSender(.busyTime).with(\.isWorstAtItsHighest, true)]),
            MetricDeclaration("send_orbit_mean_count")
                .means(
                    "Pushes that a full queue has sent away to be offered again, per cell, on average over the time in which rides "
                        + "arrive. Neither way is better; its worst window is that with the most."
                )
                .measured([Metric.meanOfSender(.orbitTime).with(\.isWorstAtItsHighest, true).needs(.orbit)]),
            MetricDeclaration("send_saturated_time_ratio", better: .lower)
                .means("Of the time in which rides arrive: the share in which a cell's sender has no free stream.")
                .measured([Metric.meanOfSender(.saturatedTime, isShare: true)]),
            MetricDeclaration("send_queue_peak_count", better: .lower)
                .means("The most pushes waiting at a time; the sum of the cells' peaks, so an upper bound.")
                .measured([Metric.largest { $0[.queue] }]),
            MetricDeclaration("send_wait_over_ratio", better: .lower)
                .means("Of the first requests: the share that waited longer than a threshold of measure.wait_over.")
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
