import Evaluation
import LiveActivityModel
import Quantities
import Traces

/// The pushes and their outcomes.
extension Report {
    var endings: [Block] {
        let live = count("activities_live_at_end_count")
        let remark = "\(Format.count(mean: live)) were live at the end of \(perRun.isEmpty ? "the" : "a") run."
        let reasons = table(of: "activities_ended_count", by: "reason", title: "reason")
        return .section("Why activities ended", reasons ?? "No activity ended.", live > 0 ? remark : nil)
    }

    /// Pushes by kind, answer and fate.
    var pushes: [Block] {
        let photos = parts(of: "photos_count", by: "size")
            .map { "\(Format.count(mean: $0.count)) \(Wording.plain($0.name))" }
        return .section(
            "Pushes",
            Chart.pushes(result),
            table(of: "pushes_sent_count", by: "kind", title: "sent") ?? "No pushes were sent.",
            table(of: "apns_response_count", by: "status", title: "APNs' answer"),
            table(of: "push_fate_count", by: "fate", title: "fate"),
            table(of: "pushes_not_sent_count", by: "reason", title: "reason not sent"),
            photos.isEmpty ? nil : "Photos\(perRun): \(photos.joined(separator: ", "))."
        )
    }

    /// The way of contents to groups; empty without groups.
    var groups: [Block] {
        guard let groups = scenario.groups else { return [] }
        let way =
            groups.by == .tokens
            ? "The server reaches each member of a group by its update token."
            : "The server publishes to the channel of a group, and APNs sends each push on to the phones that follow it. The monitor "
                + "watches the channel as one instance."
        let refused = count("channels_refused_count")
        return .section(
            "Groups",
            way,
            "A content took \(value("pushes_per_group_content", "ratio")) pushes on average.",
            refused > 0
                ? "APNs refused \(Format.count(mean: refused)) channels\(perRun); tokens reach those groups." : nil,
            percentiles([
                ("From the first to the last screen of a group with a content", "group_fan_out_us"),
                ("From a content to the last screen of its group", "group_last_phone_us"),
            ])
        )
    }

    /// Episodes of staleness and the attempts to end them.
    var retries: [Block] {
        let funnel = Chart.funnel(result)
        guard hasMonitor else { return .section("Retries", "This scenario has no monitor.", funnel) }
        guard count("stale_episodes_count") > 0 else { return .section("Retries", "No instance became stale.", funnel) }
        let outcomes = TextTable(
            ["", ":", "95 % interval:"],
            rows: [
                ["Recovered, of all episodes"] + valueAndInterval("recovered_ratio", "ratio"),
                ["Activities given up as severely stale"] + valueAndInterval("ended_severe_count", "total"),
                ["Of these with fresh content on the phone"] + valueAndInterval("false_kill_count", "total"),
            ]
        )
        let episodes = table(of: "stale_episodes_count", by: "outcome", title: "episodes of staleness")
        let recovered = value("recovered_ratio", "ratio")
        let recovery = percentiles([("Time to recovery, of the \(recovered) that recovered", "recovery_time_us")])
        return .section("Retries", funnel, episodes, outcomes, attempts, repeats, recovery)
    }

    /// The outcomes of the monitor's attempts.
    ///
    /// An attempt counts once, however often the sender repeats its request.
    private var attempts: TextTable {
        let stages = RetryAttempts(total)
        let intervals = [
            "retry_attempts_count", "retries_withheld_count", nil, "retries_accepted_count",
            "recovered_by_retry_count",
        ]
        return TextTable(
            ["attempts to make an instance fresh", "count\(perRun):", "share:", "95 % interval:"],
            rows: zip(stages.stages, intervals)
                .map { stage, metric in
                    let row = metric.flatMap { summary.row($0, "total") }
                    let count = Format.count(mean: result.perReplication(stage.count))
                    return [
                        stage.name, row?.unmet == nil ? count : Format.value(row),
                        Format.percent(stage.count, of: stages.decided), Format.interval(row),
                    ]
                }
        )
    }

    private var repeats: String? {
        let repeats = RetryAttempts(total).repeats
        guard repeats > 0 else { return nil }
        return
            "The sender itself repeated \(Format.count(mean: result.perReplication(repeats))) requests of retries\(perRun), "
            + "because no answer came. Under *Pushes* each repeat counts as a retry sent; here it does not."
    }

    var ages: [Block] {
        let table = percentiles([
            ("Age of the content on screens, over time", "age_of_information_us"), ("Peak age", "peak_age_us"),
            ("Mean age of an activity", "activity_age_mean_us"), ("Largest age of an activity", "activity_peak_age_us"),
        ])
        let explanation =
            "The first row is an average over time, the second over replacements, the others over activities. The peak "
            + "age is the age of content when newer content replaces it."
        return .section("Age of information", table, explanation, Chart.age(result), agesOver)
    }

    /// The share of time, and of an activity's own time, in which the age exceeded each threshold.
    private var agesOver: TextTable? {
        let thresholds = scenario.measure.ageOver
        guard !thresholds.isEmpty else { return nil }
        return TextTable(
            [
                "age above", "of the time on screens:", "95 % interval:", "of an activity's time, on average:",
                "95 % interval:",
            ],
            rows: thresholds.map { threshold in
                let scope = Summary.scope(over: threshold)
                return [Format.span(threshold.microseconds)]
                    + valueAndInterval("age_violation_time_ratio", "ratio", scope: scope)
                    + valueAndInterval("activity_age_violation_ratio", "mean", scope: scope)
            }
        )
    }

    var waits: [Block] {
        let peak =
            value("send_queue_peak_count", "max") == "0"
            ? "No push waited."
            : "No more than \(value("send_queue_peak_count", "max")) pushes waited at a time: the sum of the peaks of all cells"
                + "\(perRun.isEmpty ? "" : ", in the replication with the most")."
        return .section(
            "Waits in the sender",
            percentiles([("Wait of a push before its request", "send_wait_us")]),
            peak
        )
    }

    /// The endpoint of content: its time and its failures.
    var contentRequests: [Block] {
        guard scenario.content.endpoint != nil else { return [] }
        let requests = Format.count(mean: count("content_requests_count"))
        let failed = Format.count(mean: count("content_requests_failed_count"))
        let unsent = Format.count(mean: count("pushes_not_sent_count", scope: "reason:no_content"))
        return .section(
            "The endpoint of content",
            percentiles([("From the need of content to the content", "content_time_us")]),
            "\(requests) requests\(perRun); \(failed) returned no content. \(unsent) pushes\(perRun) were not sent because the server had "
                + "none. Content that never came has no time."
        )
    }

    /// The cards of earlier rides that riders saw during a later one.
    private var oldCards: String? {
        guard count("rides_with_old_card_count") > 0 else { return nil }
        let start = scenario.devices.start
        let misled =
            start.mostCards != nil
            ? "The app started the next card beside it."
            : start.comparesRides
                ? "The app ended it when it started the next card."
                : "The app took it for the card of the ride and started none; each failed attempt counts above. Such a ride counts "
                    + "as one without a card, although its rider sees the old one."
        return "An old card stayed for \(value("old_card_time_us", "mean")) (mean), in all for "
            + "\(value("ride_old_card_time_ratio", "ratio")) of the time of rides. \(misled)"
    }

    var starts: [Block] {
        let failed = parts(of: "start_failed_count", by: "reason")
            .map { ("Failed starts: \(Wording.part("reason", $0.name))", $0.count) }
        let counts = [
            ("Rides dropped by their driver", count("rides_rematched_count")),
            ("Rides booked ahead", count("rides_booked_ahead_count")),
            ("Additional stops", count("stops_made_count")),
            ("Activities that the app had scheduled", count("activities_started_count", scope: "by:schedule")),
            ("Rides of riders who had one before", count("rides_booked_again_count")),
            ("Rides requested beside a live card of an earlier ride", count("rides_with_old_card_count")),
            ("Rides without an activity", count("rides_without_activity_count")),
            ("Activities started by push", count("activities_started_count", scope: "by:push")),
            ("Activities started again after a swipe", count("activities_started_count", scope: "by:recreation")),
            ("Duplicates started", count("duplicates_started_count")),
            ("Cards renewed before Apple's limit", count("card_renewals_count", scope: "outcome:renewed")),
            ("Cards lost at Apple's limit during rides", count("card_renewals_count", scope: "outcome:lost")),
            ("Tokens posted", count("tokens_posted_count")),
            ("Failed token posts", count("token_posts_failed_count")),
            ("Failed reports of ends", count("end_reports_failed_count")),
            ("Ends that no report announced", count("ends_unreported_count")),
            ("Tokens rotated", count("tokens_rotated_count")),
            ("Tokens invalidated by the monitor or the device", count("token_invalidated_count")),
            ("Tokens discarded after APNs' answer", count("token_discarded_count")),
            ("Updates by the app itself", count("local_updates_count")),
        ]
        let missed = parts(of: "starts_missed_count", by: "reason")
            .map { ("Starts by push in vain: \(Wording.part("reason", $0.name))", $0.count) }
        let rows = (failed + missed + counts).filter { $0.1 > 0 }.map { [$0.0, Format.count(mean: $0.1)] }
        let table = rows.isEmpty ? nil : TextTable(["", "count\(perRun):"], rows: rows)
        return .section("Starts and tokens", table, oldCards)
    }

    /// Examples of activities for `freshet explain`, one of each kind.
    var examples: [Block] {
        guard result.replications == 1 else { return [] }
        let kinds: [(title: String, counter: Counter)] = [
            ("fresh again after an episode", .episodesRecovered), ("given up as severely stale", .endedSevere),
            ("given up while its phone showed fresh content", .falseKills),
            ("the token did not reach the server", .endedTokenNotPosted), ("no update came", .endedNoUpdate),
            ("its driver dropped the ride", .ridesRematched), ("swiped away", .endedSwiped),
            ("content past its stale date for too long", .endedContentExpired),
            ("nothing ended it: Apple's limit", .endedSystemLimit),
            ("its phone's budget for starts was spent", .startsOverBudget),
            ("its start was stale on arrival", .startsStale),
            ("its start had no alert", .startsWithoutAlert),
            ("its start came to a phone with too many cards", .startsAtCardLimit),
            ("its start went to an old push-to-start token", .startsToOldToken),
            ("renewed before Apple's limit", .activitiesRenewed),
            ("lost its card at Apple's limit during the ride", .cardsLostAtLimit),
            ("booked by a rider who had a ride before", .ridesBookedAgain),
            ("requested beside a live card of an earlier ride", .ridesWithOldCard),
            ("its phone gave up reporting the end", .endsUnreported),
        ]
        let rows = kinds.compactMap { kind in total.example(of: kind.counter).map { [kind.title, "\($0)"] } }
        guard !rows.isEmpty else { return [] }
        let hint = "`freshet explain RUN_DIRECTORY --activity NUMBER` prints the history of one, event by event."
        return .section("Activities worth explaining", TextTable(["what happened", "activity:"], rows: rows), hint)
    }

    var stages: [Block] {
        guard scenario.rides.stages.count > 1 else { return [] }
        var table = TextTable(
            ["stage", "time on screens:", "fresh on phones:", "95 % interval:", "silently stale:"]
        )
        for stage in scenario.rides.stages.map(\.name) + ["after_ride"] {
            let scope = "stage:\(stage)"
            guard summary.row("displayed_fresh_time_ratio", "ratio", scope: scope)?.value != nil else { continue }
            table.add(
                [Wording.plain(stage), value("displayed_fresh_time_ratio", "denominator", scope: scope)]
                    + valueAndInterval("displayed_fresh_time_ratio", "ratio", scope: scope)
                    + [value("silently_stale_time_ratio", "ratio", scope: scope)]
            )
        }
        return .section("Freshness by stage", table)
    }

    var cities: [Block] {
        guard !scenario.rides.arrivals.cities.isEmpty else { return [] }
        var table = TextTable(
            [
                "city", "rides:", "right stage, of ride time:", "95 % interval:", "fresh card, of ride time:",
                "95 % interval:", "pushes:",
            ]
        )
        for city in scenario.rides.arrivals.cities.map(\.name) {
            let scope = "city:\(city)"
            table.add(
                [Wording.plain(city), value("rides_requested_count", "total", scope: scope)]
                    + valueAndInterval("ride_stage_coverage_ratio", "ratio", scope: scope)
                    + valueAndInterval("ride_fresh_coverage_ratio", "ratio", scope: scope)
                    + [value("pushes_sent_count", "total", scope: scope)]
            )
        }
        let explanation =
            "Shares of the ride time of all rides in a city, including rides without an activity; by window in "
            + "`timeseries_by_city.csv`."
        return .section("Results by city", table, explanation, Chart.cities(result))
    }

    /// Rows of the trace that are not rides or were repaired, beside the numbers that they affect.
    var rowsOfTrace: [Block] {
        guard let trace = scenario.rides.trace else { return [] }
        return trace.cleaning.lines(of: trace.file).map { .paragraph($0.asMarkdownText) }
    }

    /// The rows of the trace that were kept and left out.
    var trace: [Block] {
        guard let trace = scenario.rides.trace else { return [] }
        let cleaning = trace.cleaning
        let others = cleaning.otherProvider > 0 ? [("Of other providers", cleaning.otherProvider)] : []
        let rows =
            [("Read", cleaning.read)] + others
            + cleaning.repaired.map { ("Repaired: rows \(TraceCleaning.words(ofReason: $0.reason))", $0.rows) }
            + cleaning.leftOut.map { ("Left out: rows \(TraceCleaning.words(ofReason: $0.reason))", $0.rows) } + [
                ("Kept", cleaning.kept)
            ]
        let table = TextTable(
            ["", "rows:", "share:"],
            rows: rows.map { [$0, Format.count(Int64($1)), Format.percent(Int64($1), of: Int64(cleaning.read))] }
        )
        return .section("Trace", "The rides are those of `\(trace.file)`.", table)
    }

    var limits: [Block] {
        .section(
            "Limits of the model",
            "The behaviour of APNs and iOS is taken from Apple's pages and from reports, not from their code. "
                + "Values without a source are marked `# assumption` in the scenario file.\n"
                + "Intervals show how much these numbers vary by chance within the model, not how far the model is "
                + "from reality."
        )
    }
}

/// The monitor's attempts to make an instance fresh, and their outcomes.
struct RetryAttempts {
    let decided: Int64
    private let withheld: Int64
    private let sent: Int64
    private let accepted: Int64
    private let recovering: Int64
    /// The requests that the sender repeated on its own, which are not attempts.
    let repeats: Int64

    init(_ total: Measurements) {
        decided = total[.retriesDecided]
        withheld = total[.retriesWithheld]
        repeats = total[.retryRepeatsSent]
        sent = total[.retriesSent] - repeats
        accepted = total[.retriesAccepted]
        recovering = total[.retriesRecovering]
    }

    /// The stages of attempts, from the decision on.
    ///
    /// Attempts that are neither withheld nor sent were obsolete when their turn came.
    var stages: [(name: String, count: Int64)] {
        [
            ("decided", decided), ("withheld by the budget", withheld), ("sent", sent), ("accepted by APNs", accepted),
            ("made it fresh", recovering),
        ]
    }
}
