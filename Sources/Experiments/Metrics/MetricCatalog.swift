import LiveActivityModel
public import Quantities

/// The summary of a run: every metric, its parts and its intervals, in the order of their names.
public struct Summary: Sendable {
    /// Sorted by metric, then scope (`all` first), then the order in which a metric states its statistics.
    public let rows: [SummaryRow]

    /// Reads the summary off a result.
    public init(_ result: RunResult) {
        self.init(SummarySource(result), of: result.scenario)
    }

    /// Reads the metrics off one replication of a result; there are no intervals then.
    ///
    /// - Precondition: `replication` is one of the result's, counted from 0.
    public init(_ result: RunResult, replication: Int) {
        self.init(SummarySource(result, replication: replication), of: result.scenario)
    }

    private init(_ source: SummarySource, of scenario: Scenario) {
        rows = MetricCatalog.metrics(of: scenario)
            .sorted { ($0.name, $0.scope == "all" ? "" : $0.scope) < ($1.name, $1.scope == "all" ? "" : $1.scope) }
            .flatMap { $0.rows(source) }
    }

    /// The scope of what exceeds a threshold: `over:15s`.
    public static func scope(over threshold: TimeSpan) -> String {
        "over:\(DurationText.text(threshold))"
    }

    /// The row of a metric; nil when there is no such metric, scope or statistic.
    public func row(_ metric: String, _ stat: String, scope: String = "all") -> SummaryRow? {
        rows.first { $0.metric == metric && $0.stat == stat && $0.scope == scope }
    }
}

/// All metrics by name.
///
/// Names that the contract with scripts fixes never change. Who looks up several metrics, or those of many scenarios, makes
/// one catalog and keeps it with ``reused(for:)``: there are some hundreds of metrics, and design points seldom differ in them.
struct MetricCatalog: Sendable {
    /// All metrics of the scenario.
    let metrics: [Metric]
    private let shape: Shape

    /// What of a scenario says which metrics there are.
    private struct Shape: Hashable {
        let stages: [String]
        let measure: Scenario.Measure
        let ranks: [Int]

        init(_ scenario: Scenario) {
            stages = scenario.rides.stages.map(\.name)
            measure = scenario.measure
            ranks = scenario.senderRanks
        }
    }

    /// The catalog of a scenario.
    init(of scenario: Scenario) {
        metrics = MetricCatalog.metrics(of: scenario)
        shape = Shape(scenario)
    }

    /// The catalog of another scenario: this one where that has the same metrics.
    func reused(for scenario: Scenario) -> MetricCatalog {
        shape == Shape(scenario) ? self : MetricCatalog(of: scenario)
    }

    static func metrics(of scenario: Scenario) -> [Metric] {
        let stages = scenario.rides.stages.map(\.name) + ["after_ride"]
        return counts + freshness(stages: stages) + ages(stages: stages, over: scenario.measure.ageOver) + pushes
            + sender(scenario) + episodes
    }

    /// The names of metrics over all from whose interval one can tell how well they are known.
    static func namesWithIntervals(of scenario: Scenario) -> [String] {
        metrics(of: scenario)
            .filter { metric in
                if case .largest = metric.reading { return false }
                return metric.scope == "all"
            }
            .map(\.name)
    }

    private static func total(
        _ name: String,
        _ counter: Counter,
        scope: String = "all",
        in column: SeriesColumn? = nil
    ) -> Metric {
        var metric = Metric(scope: scope, name: name, unit: "count", reading: .total { $0[counter] })
        metric.totalColumns = column.map { [$0] } ?? []
        return metric
    }

    private static func sum(
        _ name: String,
        _ counters: [Counter],
        scope: String = "all",
        in columns: [SeriesColumn] = []
    ) -> Metric {
        var metric = Metric(
            scope: scope,
            name: name,
            unit: "count",
            reading: .total { parts in counters.reduce(0) { $0 + parts[$1] } }
        )
        metric.totalColumns = columns
        return metric
    }

    private static func share(
        _ name: String,
        scope: String = "all",
        _ part: @escaping @Sendable (Measurements) -> Int64,
        of whole: @escaping @Sendable (Measurements) -> Int64
    ) -> Metric {
        Metric(scope: scope, name: name, unit: "1", reading: .ratio(part, whole, unit: "us", isShare: true))
    }

    /// A share of two columns of the time series.
    private static func share(_ name: String, _ part: SeriesColumn, of whole: SeriesColumn) -> Metric {
        var metric = share(name, { $0.series.total(part) }, of: { $0.series.total(whole) })
        metric.columns = (part, whole)
        return metric
    }

    // MARK: - Rides and activities

    /// How activities end, by the name of the reason.
    static let endReasons: [(name: String, counter: Counter)] = [
        ("cancelled", .endedCancelled), ("content_expired", .endedContentExpired), ("no_token", .endedNoToken),
        ("no_update", .endedNoUpdate), ("ride_over", .endedRideOver), ("severe", .endedSevere),
        ("swiped", .endedSwiped), ("system_limit", .endedSystemLimit), ("token_not_posted", .endedTokenNotPosted),
    ]

    private static var counts: [Metric] {
        [
            total("rides_requested_count", .ridesRequested),
            total("rides_completed_count", .ridesCompleted),
            total("rides_cancelled_count", .ridesCancelled),
            total("rides_without_activity_count", .ridesWithoutActivity),
            total("start_failed_count", .startsFailedInBackground, scope: "reason:background"),
            total("start_failed_count", .startsFailedAtSystemLimit, scope: "reason:system_limit"),
            total("start_failed_count", .startsFailedTooLarge, scope: "reason:too_large"),
            total("start_failed_count", .startsFailedWithoutContent, scope: "reason:no_content"),
            total("start_failed_count", .startsNotAllowed, scope: "reason:not_allowed"),
            total("activities_started_count", .activitiesStarted, in: .activitiesStarted),
            total("activities_started_count", .activitiesStartedByPush, scope: "by:push"),
            total("activities_started_count", .activitiesRecreated, scope: "by:recreation"),
            total("duplicates_started_count", .duplicatesStarted),
            sum("activities_ended_count", endReasons.map(\.counter), in: [.activitiesEnded]),
            total("activities_live_at_start_count", .liveAtWarmUp),
            total("activities_live_at_end_count", .liveAtHorizon),
            total("local_updates_count", .localUpdates),
            Metric(scope: "all", name: "activity_lifetime_us", unit: "us", reading: .tally { $0.lifetime }),
            Metric(
                scope: "all",
                name: "live_activities_peak_count",
                unit: "count",
                reading: .largest { $0.times.peakPopulation }
            ),
            Metric(
                scope: "all",
                name: "live_activity_time_us",
                unit: "us",
                reading: .total { $0.times.population }
            ),
            Metric(
                scope: "all",
                name: "events_count",
                unit: "count",
                reading: .total { Int64($0.eventCount) },
                isOfHistory: true
            ),
        ] + endReasons.map { total("activities_ended_count", $0.counter, scope: "reason:\($0.name)") }
    }

    // MARK: - Freshness

    private static func freshness(stages: [String]) -> [Metric] {
        var metrics = [
            share("fresh_time_ratio", .freshTime, of: .monitoredTime),
            share("recoverable_time_ratio", .recoverableTime, of: .monitoredTime),
            share("severe_time_ratio", .severeTime, of: .monitoredTime),
            share("displayed_fresh_time_ratio", .displayedFreshTime, of: .displayedTime),
            share("displayed_stale_time_ratio", .displayedStaleTime, of: .displayedTime),
            share("silently_stale_time_ratio", .silentlyStaleTime, of: .displayedTime),
        ]
        for (index, stage) in stages.enumerated() {
            metrics.append(
                share(
                    "displayed_fresh_time_ratio",
                    scope: "stage:\(stage)",
                    { $0.stages[index].displayedFresh },
                    of: { $0.stages[index].displayed }
                )
            )
            metrics.append(
                share(
                    "silently_stale_time_ratio",
                    scope: "stage:\(stage)",
                    { $0.stages[index].silentlyStale },
                    of: { $0.stages[index].displayed }
                )
            )
        }
        return metrics
    }

    // MARK: - Ages

    /// Over time, at replacements, and for each activity by itself: three weights, three types.
    private static func ages(stages: [String], over thresholds: [TimeSpan]) -> [Metric] {
        var metrics = [
            Metric(scope: "all", name: "age_of_information_us", unit: "us", reading: .ramp { $0.age }),
            Metric(scope: "all", name: "peak_age_us", unit: "us", reading: .tally { $0.peakAge }),
            Metric(scope: "all", name: "activity_age_mean_us", unit: "us", reading: .tally { $0.activityAgeMean }),
            Metric(scope: "all", name: "activity_peak_age_us", unit: "us", reading: .tally { $0.activityPeakAge }),
        ]
        for (index, stage) in stages.enumerated() {
            let scope = "stage:\(stage)"
            metrics += [
                Metric(
                    scope: scope,
                    name: "age_of_information_us",
                    unit: "us",
                    reading: .ramp { $0.ageByStage[index] }
                ),
                Metric(scope: scope, name: "peak_age_us", unit: "us", reading: .tally { $0.peakAgeByStage[index] }),
            ]
        }
        for (index, threshold) in thresholds.enumerated() {
            let scope = Summary.scope(over: threshold)
            metrics += [
                share(
                    "age_violation_time_ratio",
                    scope: scope,
                    { $0.timeOverAge[index] },
                    of: { $0.series.total(.displayedTime) }
                ),
                Metric(
                    scope: scope,
                    name: "activity_age_violation_ratio",
                    unit: "1",
                    reading: .shares { $0.activityAgeShares[index] }
                ),
            ]
        }
        return metrics
    }

    // MARK: - Pushes

    static let sentCounters: [Counter] = [.updatesSent, .retriesSent, .endsSent, .startsSent]

    /// What becomes of pushes, by the name of the fate.
    static let fates: [(name: String, counter: Counter)] = [
        ("after_end", .fateAfterEnd), ("cancelled", .fateCancelled), ("dead_token", .fateDeadToken),
        ("ended", .fateEnded),
        ("expired", .fateExpired), ("in_flight_at_end", .inFlightAtHorizon), ("lost", .fateLost),
        ("not_accepted", .fateNotAccepted), ("not_stored", .fateNotStored), ("older", .fateOlder),
        ("refused", .fateRefused), ("replaced_in_store", .fateReplacedInStore), ("shown", .fateShown),
        ("start_ignored", .fateStartIgnored), ("started", .fateStarted), ("throttled", .fateThrottled),
        ("undecodable", .fateUndecodable),
    ]

    private static var pushes: [Metric] {
        let unsent: [(String, Counter)] = [
            ("abandoned", .pushesAbandonedUnsent), ("coalesced", .pushesCoalesced),
            ("displaced", .pushesDisplaced), ("expired", .pushesOutOfPatience), ("in_orbit_at_end", .inOrbitAtHorizon),
            ("no_content", .pushesWithoutContent), ("queue_full", .pushesOverQueueLimit),
            ("queued_at_end", .queuedAtHorizon), ("rate_limited", .pushesRateLimited),
            ("within_minimum_interval", .pushesWithinMinimumInterval),
        ]
        let responses: [(String, Counter)] = [
            ("200", .responsesAccepted), ("400", .responses400), ("403", .responses403), ("410", .responses410),
            ("413", .responses413), ("429", .responses429), ("500", .responses500), ("503", .responses503),
            ("connection_lost", .responsesConnectionLost), ("timeout", .responsesTimedOut),
        ]
        let photos: [(String, Counter)] = [
            ("dropped", .photosDropped), ("full", .photosSent), ("small", .photosShrunk),
        ]
        return [
            sum("pushes_sent_count", sentCounters, in: [.updatesSent, .retriesSent, .endsSent, .startsSent]),
            total("pushes_sent_count", .updatesSent, scope: "kind:update", in: .updatesSent),
            total("pushes_sent_count", .retriesSent, scope: "kind:retry", in: .retriesSent),
            total("pushes_sent_count", .endsSent, scope: "kind:end", in: .endsSent),
            total("pushes_sent_count", .startsSent, scope: "kind:start", in: .startsSent),
            Metric(
                scope: "all",
                name: "pushes_per_activity",
                unit: "1",
                reading: .ratio(
                    { parts in sentCounters.reduce(0) { $0 + parts[$1] } },
                    { $0[.activitiesStarted] + $0[.liveAtWarmUp] },
                    unit: "count",
                    isShare: false
                )
            ),
            sum("apns_response_count", responses.map(\.1)),
            sum("push_fate_count", fates.map(\.counter)),
            total("tokens_posted_count", .tokensPosted),
            total("token_posts_failed_count", .tokenPostsFailed),
            total("tokens_rotated_count", .tokensRotated),
            total("token_invalidated_count", .tokensInvalidated),
            total("token_discarded_count", .tokensDiscarded),
        ]
            + responses.map { total("apns_response_count", $0.1, scope: "status:\($0.0)") }
            + fates.map { total("push_fate_count", $0.counter, scope: "fate:\($0.name)") }
            + unsent.map { total("pushes_not_sent_count", $0.1, scope: "reason:\($0.0)") }
            + photos.map { total("photos_count", $0.1, scope: "size:\($0.0)") }
    }

    // MARK: - The sender

    private static func sender(_ scenario: Scenario) -> [Metric] {
        var metrics = [
            total("pushes_offered_count", .pushesOffered),
            total("pushes_offered_count", .repeatsOffered, scope: "attempt:repeat"),
            total("repeats_sent_count", .repeatsSent),
            total("repeats_withheld_count", .repeatsWithheld),
            total("requests_cancelled_count", .requestsCancelled),
            total("requests_interrupted_count", .requestsInterrupted),
            Metric(scope: "all", name: "send_wait_us", unit: "us", reading: .tally { $0.sendWait }),
            Metric(scope: "all", name: "send_time_us", unit: "us", reading: .tally { $0.sendTime }),
            meanCount("send_queue_mean_count") { $0.senderTimes.queued },
            meanCount("send_busy_mean_count") { $0.senderTimes.busy },
            meanCount("send_orbit_mean_count") { $0.senderTimes.inOrbit },
            Metric(
                scope: "all",
                name: "send_saturated_time_ratio",
                unit: "1",
                reading: .ratio({ $0.senderTimes.saturated }, { $0.measuredTime }, unit: "us", isShare: true)
            ),
            Metric(
                scope: "all",
                name: "send_queue_peak_count",
                unit: "count",
                reading: .largest { $0.times.peakQueue }
            ),
        ]
        for rank in scenario.senderRanks {
            let scope = "rank:\(rank)"
            metrics.append(
                Metric(scope: scope, name: "send_wait_us", unit: "us", reading: .tally { $0.sendWaits[rank] })
            )
            metrics.append(
                Metric(scope: scope, name: "send_time_us", unit: "us", reading: .tally { $0.sendTimes[rank] })
            )
        }
        for (index, threshold) in scenario.measure.waitOver.enumerated() {
            metrics.append(
                Metric(
                    scope: "over:\(DurationText.text(threshold))",
                    name: "send_wait_over_ratio",
                    unit: "1",
                    reading: .ratio(
                        { $0.waitsOver[index] },
                        { parts in sentCounters.reduce(-parts[.repeatsSent]) { $0 + parts[$1] } },
                        unit: "count",
                        isShare: true
                    )
                )
            )
        }
        return metrics
    }

    /// The mean over time of a number per cell.
    private static func meanCount(
        _ name: String,
        _ integral: @escaping @Sendable (Measurements) -> Int64
    ) -> Metric {
        Metric(
            scope: "all",
            name: name,
            unit: "count",
            reading: .ratio(integral, { $0.measuredTime }, unit: "us", isShare: false)
        )
    }

    // MARK: - Episodes

    private static var episodes: [Metric] {
        [
            total("stale_episodes_count", .episodesBegun, in: .episodesBegun),
            total("stale_episodes_count", .episodesRecovered, scope: "outcome:recovered", in: .episodesRecovered),
            total("stale_episodes_count", .episodesEndedSevere, scope: "outcome:severe", in: .endedSevere),
            total("stale_episodes_count", .episodesCutShort, scope: "outcome:cut_short"),
            total("stale_episodes_count", .episodesAtHorizon, scope: "outcome:open_at_end"),
            total("recovered_count", .episodesRecovered, in: .episodesRecovered),
            Metric(
                scope: "all",
                name: "recovered_ratio",
                unit: "1",
                reading: .ratio(
                    { $0[.episodesRecovered] },
                    { $0[.episodesBegun] },
                    unit: "count",
                    isShare: true
                )
            ),
            Metric(scope: "all", name: "recovery_time_us", unit: "us", reading: .tally { $0.recoveryTime }),
            total("ended_severe_count", .episodesEndedSevere, in: .endedSevere),
            total("false_kill_count", .falseKills),
            total("retries_withheld_count", .retriesWithheld),
        ]
    }
}
