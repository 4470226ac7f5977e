import Experiments
import LiveActivityModel
import Quantities

/// What was sent and what came of it.
extension Report {
    /// Why activities ended.
    var endings: String {
        let live = count("activities_live_at_end_count")
        return section(
            "Why activities ended",
            [
                table(of: "activities_ended_count", by: "reason:", title: "reason", words: Wording.reason)
                    ?? "No activity ended.",
                live > 0 ? "\(Prose.count(live)) were live at the end of the run." : nil,
            ]
        )
    }

    /// Pushes by kind, answer and fate.
    var pushes: String {
        let photos = parts(of: "photos_count", by: "size:")
        return section(
            "Pushes",
            [
                Chart.pushes(result).markdown,
                table(of: "pushes_sent_count", by: "kind:", title: "sent", words: Wording.kind) ?? "None was sent.",
                table(of: "apns_response_count", by: "status:", title: "APNs' answer", words: Wording.status),
                table(of: "push_fate_count", by: "fate:", title: "what became of them", words: Wording.fate),
                table(of: "pushes_not_sent_count", by: "reason:", title: "not sent, because", words: Wording.reason),
                photos.isEmpty
                    ? nil
                    : "Photos: "
                        + photos.map { "\(Prose.count($0.count)) \(Wording.plain($0.name))" }.joined(separator: ", ")
                        + ".",
            ]
        )
    }

    /// Episodes of staleness and the attempts to end them.
    var retries: String {
        let funnel = Chart.funnel(result).markdown
        guard scenario.monitor.enabled else { return section("Retries", ["This scenario has no monitor.", funnel]) }
        guard count("stale_episodes_count") > 0 else {
            return section("Retries", ["No instance became stale.", funnel])
        }
        var table = TextTable([("", .left), ("", .right), ("95 % interval", .right)])
        for (title, metric, stat, scope) in [
            ("Recovered, of all episodes", "recovered_ratio", "ratio", "all"),
            ("Retries sent", "pushes_sent_count", "total", "kind:retry"),
            ("Retries withheld by the budget", "retries_withheld_count", "total", "all"),
            ("Activities given up as severely stale", "ended_severe_count", "total", "all"),
            ("Of these with fresh content on the phone", "false_kill_count", "total", "all"),
        ] {
            table.add(title, value(metric, stat, scope: scope), interval(metric, stat, scope: scope))
        }
        return section(
            "Retries",
            [
                funnel,
                self.table(
                    of: "stale_episodes_count",
                    by: "outcome:",
                    title: "episodes of staleness",
                    words: Wording.outcome
                ),
                table.markdown,
                percentiles([("Recovery time", "recovery_time_us")]),
            ]
        )
    }

    /// Age of information.
    var ages: String {
        section(
            "Age of information",
            [
                percentiles(
                    [
                        ("Age of the content on screens, over time", "age_of_information_us"),
                        ("Peak age", "peak_age_us"),
                        ("Mean age of an activity", "activity_age_mean_us"),
                        ("Largest age of an activity", "activity_peak_age_us"),
                    ]
                ),
                "The first row weighs time, the second replacements, the others activities. The peak age is the age that "
                    + "content had reached when newer content took its place.",
                Chart.age(result).markdown,
                agesOver,
            ]
        )
    }

    /// The share of time, and of an activity's own time, in which the age exceeded each threshold.
    private var agesOver: String? {
        let thresholds = scenario.measure.ageOver
        guard !thresholds.isEmpty else { return nil }
        var table = TextTable(
            [
                ("age above", .left), ("of the time on screens", .right), ("95 % interval", .right),
                ("of an activity's time, on average", .right), ("95 % interval", .right),
            ]
        )
        for threshold in thresholds {
            let scope = Summary.scope(over: threshold)
            table.add(
                Prose.span(threshold.microseconds),
                value("age_violation_time_ratio", "ratio", scope: scope),
                interval("age_violation_time_ratio", "ratio", scope: scope),
                value("activity_age_violation_ratio", "mean", scope: scope),
                interval("activity_age_violation_ratio", "mean", scope: scope)
            )
        }
        return table.markdown
    }

    /// The queue of the sender.
    var waits: String {
        section(
            "Waits in the sender",
            [
                percentiles([("From the queue's end to the request", "send_wait_us")]),
                "At most \(value("send_queue_peak_count", "max")) pushes waited at a time "
                    + "(the peaks of all cells and replications added up, an upper bound).",
            ]
        )
    }

    /// Starts and tokens.
    var starts: String {
        var table = TextTable([("", .left), ("count", .right)])
        func add(_ title: String, _ count: Int64) {
            if count > 0 { table.add(title, Prose.count(count)) }
        }
        for part in parts(of: "start_failed_count", by: "reason:") {
            add("Starts that failed: \(Wording.reason(part.name))", part.count)
        }
        add("Times that a driver dropped a ride", count("rides_rematched_count"))
        add("Rides without an activity", count("rides_without_activity_count"))
        add("Activities started by push", count("activities_started_count", scope: "by:push"))
        add("Activities started again after a swipe", count("activities_started_count", scope: "by:recreation"))
        add("Duplicates started", count("duplicates_started_count"))
        add("Tokens posted", count("tokens_posted_count"))
        add("Token posts that failed", count("token_posts_failed_count"))
        add("Tokens rotated", count("tokens_rotated_count"))
        add("Tokens invalidated by the monitor or the device", count("token_invalidated_count"))
        add("Tokens discarded on APNs' word", count("token_discarded_count"))
        add("Updates by the app itself", count("local_updates_count"))
        return section("Starts and tokens", [table.rows.isEmpty ? nil : table.markdown])
    }

    /// Activities whose story is worth reading, one of each kind.
    var examples: String {
        guard result.replications == 1 else { return "" }
        let kinds: [(title: String, counter: Counter)] = [
            ("fresh again after an episode", .episodesRecovered), ("given up as severely stale", .endedSevere),
            ("given up while its phone showed fresh content", .falseKills),
            ("the token did not reach the server", .endedTokenNotPosted), ("no update came", .endedNoUpdate),
            ("its driver dropped the ride", .ridesRematched), ("swiped away", .endedSwiped),
            ("content past its stale date for too long", .endedContentExpired),
            ("nothing ended it: Apple's limit", .endedSystemLimit),
        ]
        var table = TextTable([("what happened", .left), ("activity", .right)])
        for kind in kinds {
            guard let ride = total.example(of: kind.counter) else { continue }
            table.add(kind.title, "\(ride)")
        }
        guard !table.rows.isEmpty else { return "" }
        return section(
            "Activities to look into",
            [
                table.markdown,
                "`freshet explain RUN_DIRECTORY --activity NUMBER` tells the story of one, line by line.",
            ]
        )
    }

    /// Freshness by stage of the ride.
    var stages: String {
        guard scenario.rides.stages.count > 1 else { return "" }
        var table = TextTable(
            [
                ("stage", .left), ("time on screens", .right), ("fresh on phones", .right), ("95 % interval", .right),
                ("silently stale", .right),
            ]
        )
        for stage in scenario.rides.stages.map(\.name) + ["after_ride"] {
            let scope = "stage:\(stage)"
            guard summary.row("displayed_fresh_time_ratio", "ratio", scope: scope)?.value != nil else { continue }
            table.add(
                Wording.plain(stage),
                value("displayed_fresh_time_ratio", "denominator", scope: scope),
                value("displayed_fresh_time_ratio", "ratio", scope: scope),
                interval("displayed_fresh_time_ratio", "ratio", scope: scope),
                value("silently_stale_time_ratio", "ratio", scope: scope)
            )
        }
        return section("Freshness by stage", [table.markdown])
    }

    /// What reading the trace kept and left out.
    var trace: String {
        guard let trace = scenario.rides.trace else { return "" }
        let cleaning = trace.cleaning
        var table = TextTable([("", .left), ("rows", .right), ("share", .right)])
        func add(_ title: String, _ rows: Int) {
            table.add(title, Prose.count(Int64(rows)), Prose.percent(Int64(rows), of: Int64(cleaning.read)))
        }
        add("Read", cleaning.read)
        if cleaning.otherProvider > 0 { add("Of other providers", cleaning.otherProvider) }
        for repair in cleaning.repaired { add("Repaired: \(Wording.plain(repair.reason))", repair.rows) }
        for fault in cleaning.leftOut { add("Left out: \(Wording.plain(fault.reason))", fault.rows) }
        add("Kept", cleaning.kept)
        return section("Trace", ["The rides are those of `\(trace.file)`.", table.markdown])
    }

    /// What not to conclude.
    var limits: String {
        section(
            "What the model does not know",
            [
                "What happens inside APNs and iOS is known from Apple's pages and from reports, not from their code; "
                    + "values that no source states are marked `# assumption` in the scenario file.\n"
                    + "Intervals tell how much chance moves these numbers within the model, not how far the model is "
                    + "from the world."
            ]
        )
    }
}
