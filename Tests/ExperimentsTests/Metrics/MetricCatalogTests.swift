import Quantities
import Testing

@testable import Experiments
@testable import LiveActivityModel

@Suite("The catalog of metrics")
struct MetricCatalogTests {
    /// Every row of the summary that a counter affects: metric and scope, and the statistic unless it is a total.
    private static let unsentReasons = [
        "abandoned", "coalesced", "displaced", "expired", "in_orbit_at_end", "queue_full", "queued_at_end",
        "rate_limited",
        "within_minimum_interval",
    ]

    private static func unsent(_ reason: String) -> [String] {
        [
            "not_sent_ratio all numerator", "not_sent_ratio reason:\(reason) numerator",
            "pushes_not_sent_count reason:\(reason)",
        ]
    }

    static let rows: [Counter: [String]] = [
        .ridesRequested: ["rides_requested_count all"], .ridesCompleted: ["rides_completed_count all"],
        .ridesCancelled: ["rides_cancelled_count all"], .ridesRematched: ["rides_rematched_count all"],

        .startsNotAllowed: ["start_failed_count reason:not_allowed"],
        .startsFailedInBackground: ["start_failed_count reason:background"],
        .startsFailedAtSystemLimit: ["start_failed_count reason:system_limit"],
        .startsFailedTooLarge: ["start_failed_count reason:too_large"],
        .startsFailedWithoutContent: ["start_failed_count reason:no_content"],
        .ridesWithoutActivity: ["rides_without_activity_count all"],
        .activitiesStarted: ["activities_started_count all"],
        .activitiesStartedByPush: ["activities_started_count by:push"],
        .activitiesRecreated: ["activities_started_count by:recreation"],
        .duplicatesStarted: ["duplicates_started_count all"],

        .endedRideOver: ended("ride_over"), .endedCancelled: ended("cancelled"), .endedSevere: ended("severe"),
        .endedNoToken: ended("no_token"), .endedTokenNotPosted: ended("token_not_posted"),
        .endedNoUpdate: ended("no_update"), .endedSwiped: ended("swiped"),
        .endedContentExpired: ended("content_expired"), .endedSystemLimit: ended("system_limit"),
        .liveAtWarmUp: ["activities_live_at_start_count all"], .liveAtHorizon: ["activities_live_at_end_count all"],
        .wholeLives: ["pushes_per_activity all denominator"],
        .requestsOfWholeLives: ["pushes_per_activity all numerator"],
        // This counter only indicates whether the two before cover all lives.
        .livesOpenAtHorizon: [],

        .tokensPosted: ["tokens_posted_count all"], .tokenPostsFailed: ["token_posts_failed_count all"],
        .tokensRotated: ["tokens_rotated_count all"], .tokensInvalidated: ["token_invalidated_count all"],
        .tokensDiscarded: ["token_discarded_count all"],

        .updatesSent: sent("update"), .retriesSent: sent("retry"), .endsSent: sent("end"),
        .startsSent: sent("start"),

        .fateShown: fate("shown"), .fateEnded: fate("ended"), .fateStarted: fate("started"),
        .fateOlder: fate("older"), .fateThrottled: fate("throttled"), .fateUndecodable: fate("undecodable"),
        .fateLost: fate("lost"), .fateDeadToken: fate("dead_token"), .fateAfterEnd: fate("after_end"),
        .fateReplacedInStore: fate("replaced_in_store"), .fateExpired: fate("expired"),
        .fateNotStored: fate("not_stored"), .fateStartIgnored: fate("start_ignored"), .fateRefused: fate("refused"),
        .fateNotAccepted: fate("not_accepted"), .fateCancelled: fate("cancelled"),
        .inFlightAtHorizon: fate("in_flight_at_end"),

        .responsesAccepted: response("200"), .responsesTimedOut: response("timeout"),
        .responsesConnectionLost: response("connection_lost"), .responses400: response("400"),
        .responses403: response("403"), .responses410: response("410"), .responses413: response("413"),
        .responses429: response("429"), .responses500: response("500"), .responses503: response("503"),

        .pushesOffered:
            (["pushes_offered_count all", "not_sent_ratio all denominator"]
            + unsentReasons.map { "not_sent_ratio reason:\($0) denominator" })
            .sorted(),
        .repeatsOffered: ["pushes_offered_count attempt:repeat"], .repeatsSent: ["repeats_sent_count all"],
        .repeatsWithheld: ["repeats_withheld_count all"], .requestsCancelled: ["requests_cancelled_count all"],
        .requestsInterrupted: ["requests_interrupted_count all"], .pushesDisplaced: unsent("displaced"),
        .pushesRateLimited: unsent("rate_limited"), .pushesOutOfPatience: unsent("expired"),
        .inOrbitAtHorizon: unsent("in_orbit_at_end"), .pushesCoalesced: unsent("coalesced"),
        .pushesOverQueueLimit: unsent("queue_full"),
        .pushesWithinMinimumInterval: unsent("within_minimum_interval"),
        .pushesWithoutContent: ["pushes_not_sent_count reason:no_content"],
        .pushesAbandonedUnsent: unsent("abandoned"), .queuedAtHorizon: unsent("queued_at_end"),

        .photosSent: ["photos_count size:full"], .photosShrunk: ["photos_count size:small"],
        .photosDropped: ["photos_count size:dropped"],

        .localUpdates: ["local_updates_count all"],

        .episodesBegun: ["recovered_ratio all denominator", "stale_episodes_count all"],
        .episodesRecovered: [
            "recovered_count all", "recovered_ratio all numerator", "stale_episodes_count outcome:recovered",
        ],
        .episodesEndedSevere: ["ended_severe_count all", "stale_episodes_count outcome:severe"],
        .episodesCutShort: ["stale_episodes_count outcome:cut_short"],
        .episodesAtHorizon: ["stale_episodes_count outcome:open_at_end"],
        .retriesDecided: ["retry_attempts_count all"], .retryRepeatsSent: ["retry_repeats_sent_count all"],
        .retriesAccepted: ["retries_accepted_count all"], .retriesRecovering: ["recovered_by_retry_count all"],
        .retriesWithheld: ["retries_withheld_count all"], .falseKills: ["false_kill_count all"],
    ]

    private static func ended(_ reason: String) -> [String] {
        ["activities_ended_count all", "activities_ended_count reason:\(reason)"]
    }

    private static func sent(_ kind: String) -> [String] {
        ["pushes_per_live_hour all numerator", "pushes_sent_count all", "pushes_sent_count kind:\(kind)"]
    }

    private static func fate(_ name: String) -> [String] {
        ["push_fate_count all", "push_fate_count fate:\(name)"]
    }

    private static func response(_ status: String) -> [String] {
        ["apns_response_count all", "apns_response_count status:\(status)"]
    }

    @Test("A counter affects exactly the rows that it should, with its value")
    func counters() async throws {
        let run = try await RunResult.running(.smallPoisson)
        for counter in Counter.allCases {
            var measurements = try Measurements(emptyFor: ScenarioLoader.world(.smallPoisson))
            measurements.counters[counter.rawValue] = 7
            let touched = Summary(run.replacing(measurements: [measurements])).rows
                .filter { ($0.value?.double ?? 0) != 0 }
            let names = touched.map { row in
                "\(row.metric) \(row.scope)" + (row.stat == "total" ? "" : " \(row.stat)")
            }
            #expect(try names.sorted() == #require(Self.rows[counter], "\(counter)"), "\(counter)")
            #expect(touched.allSatisfy { $0.value == .integer(7) && $0.unit == "count" }, "\(counter)")
        }
    }

    @Test(
        "Names that scripts rely on exist, over all",
        arguments: [
            "activities_started_count total", "activities_ended_count total", "fresh_time_ratio ratio",
            "recoverable_time_ratio ratio", "severe_time_ratio ratio", "displayed_fresh_time_ratio ratio",
            "displayed_stale_time_ratio ratio", "silently_stale_time_ratio ratio", "age_of_information_us mean",
            "age_of_information_us p50", "age_of_information_us p95", "age_of_information_us p99",
            "peak_age_us mean", "pushes_sent_count total", "pushes_per_activity ratio", "apns_response_count total",
            "stale_episodes_count total", "recovered_count total", "recovered_ratio ratio", "recovery_time_us mean",
            "ended_severe_count total", "false_kill_count total", "token_invalidated_count total",
            "send_wait_us mean", "events_count total",
        ]
    )
    func contract(name: String) async throws {
        var scenario = Scenario.smallPoisson
        scenario.rides.arrivals.ratesPerHour = [1]
        scenario.cells = 1
        let rows = Summary(try await RunResult.running(scenario)).rows
        #expect(rows.filter { "\($0.metric) \($0.stat)" == name && $0.scope == "all" }.count == 1)
    }

    @Test("All rows have different names and are sorted by metric and scope, `all` first")
    func order() async throws {
        let rows = Summary(try await RunResult.running(.smallPoisson)).rows
        #expect(Set(rows.map { "\($0.metric) \($0.scope) \($0.stat)" }).count == rows.count)
        let keys = rows.map { [$0.metric, $0.scope == "all" ? "" : $0.scope] }
        #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) })
    }

    // MARK: - What is said of them

    @Test("A declaration has one sentence, under a name that ends with its unit")
    func declarations() {
        let declarations = MetricCatalog.declarations
        #expect(Set(declarations.map(\.name)).count == declarations.count)
        #expect(Set(declarations.map(\.meaning)).count == declarations.count)
        for declaration in declarations {
            let suffix = ["us": "_us", "count": "_count"][declaration.unit]
            #expect(suffix.map(declaration.name.hasSuffix) ?? true, "\(declaration.name)")
            #expect(declaration.meaning.hasSuffix(".") && declaration.meaning.count > 15, "\(declaration.name)")
        }
    }

    @Test("Every scope is described unless its name explains it; one name has one meaning")
    func words() {
        let speakingForThemselves = ["all", "stage", "over", "rank", "by", "attempt"]
        var words: [String: String] = [:]
        for declaration in MetricCatalog.declarations {
            let parts = declaration.parts(Scenario())
            for part in parts {
                let kind = part.scope.split(separator: ":").first.map(String.init) ?? ""
                #expect(
                    (part.words == nil) == speakingForThemselves.contains(kind),
                    "\(declaration.name) \(part.scope)"
                )
                guard let named = part.words else { continue }
                #expect(words[part.scope] ?? named == named, "\(part.scope)")
                words[part.scope] = named
            }
            let all = parts.compactMap(\.words)
            #expect(Set(all).count == all.count, "\(declaration.name)")
        }
        #expect(words == MetricDescription.scopeWords)
    }

    @Test("The example of every metric is a comparison that a scenario's check can use")
    func examples() throws {
        var scenario = Scenario()
        scenario.measure.ageOver = [.seconds(15)]
        scenario.measure.waitOver = [.seconds(1)]
        let metrics = MetricDescription.all(of: scenario)
        #expect(metrics.map(\.name) == MetricCatalog.declarations.map(\.name))
        for metric in metrics {
            #expect(throws: Never.self, "\(metric.example)") { try metric.example.resolve(in: scenario) }
            #expect(try Comparison(parsing: metric.example.text) == metric.example)
        }
    }

    @Test(
        "The example for a share has a lower limit if a check asks for much of it, and an upper limit otherwise",
        arguments: [
            ("fresh_time_ratio", "fresh_time_ratio >= 95%"),
            ("displayed_fresh_time_ratio", "displayed_fresh_time_ratio >= 95%"),
            ("severe_time_ratio", "severe_time_ratio <= 5%"),
        ]
    )
    func limits(_ name: String, _ example: String) {
        let metric = MetricDescription.all(of: Scenario()).first { $0.name == name }
        #expect(metric?.example.text == example)
    }

    @Test(
        "A pattern matches a part of a name or a scope, or all of it with * for anything",
        arguments: [
            ("fate:lost", ["push_fate_count"]), ("recovered", ["recovered_by_retry_count"]),
            ("recover*", ["recoverable_time_ratio", "recovered_by_retry_count"]),
            ("*_peak_count", ["live_activities_peak_count", "streams_in_use_peak_count"]),
            ("s*_busy_*t", ["send_busy_mean_count"]), ("peak*", ["peak_age_us"]), ("*", ["rides_requested_count"]),
            ("xyz", []), ("", ["rides_requested_count"]),
        ]
    )
    func patterns(pattern: String, first: [String]) {
        let names = MetricDescription.all(of: Scenario()).filter { $0.matches(pattern) }.map(\.name)
        #expect(Array(names.prefix(first.count)) == first)
        #expect(names.isEmpty == first.isEmpty)
    }

    /// A share over another time would still be between zero and one.
    @Test("Shares of time are computed from the times that their names state")
    func shares() async throws {
        let result = try await RunResult.running(.smallPoisson)
        let time = result.total.time(_:)
        let summary = Summary(result)
        let table: [(metric: String, part: Int64, whole: Int64)] = [
            ("fresh_time_ratio", time(.freshTime), time(.monitoredTime)),
            ("recoverable_time_ratio", time(.recoverableTime), time(.monitoredTime)),
            ("severe_time_ratio", time(.severeTime), time(.monitoredTime)),
            ("displayed_fresh_time_ratio", time(.displayedFreshTime), time(.displayedTime)),
            ("displayed_stale_time_ratio", time(.displayedStaleTime), time(.displayedTime)),
            ("silently_stale_time_ratio", time(.silentlyStaleTime), time(.displayedTime)),
        ]
        for (metric, part, whole) in table {
            #expect(summary.row(metric, "numerator")?.value == .integer(part), "\(metric)")
            #expect(summary.row(metric, "denominator")?.value == .integer(whole), "\(metric)")
        }
        #expect(summary.row("events_count", "total")?.value == .integer(Int64(result.total.eventCount)))
    }
}
