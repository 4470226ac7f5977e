import FreshnessCore
import LiveActivityModel
import TextFormats
import Wire

/// What the monitor has counted since it was started; ``MonitorReport/text`` says what each count means.
struct MonitorCounts: Hashable, Sendable {
    /// By what they were for; repeated ones apart.
    var pushes: [StoryLine.PushKind: Int] = [:]
    var accepted = 0
    /// In the order of `APNsReason.allCases`.
    var refused = [Int](repeating: 0, count: APNsReason.allCases.count)
    var unanswered = 0
    var repeated = 0
    var repeatsWithheld = 0
    /// Pushes that were not sent, by why.
    var notSent: [StoryLine.Unsent: Int] = [:]
    var episodes = 0
    var recovered = 0
    var endedSevere = 0
    var retriesWithheld = 0
    var retriesWithoutContent = 0
    var ridesOver = 0
    var published = 0
    var invalidated = 0
    var discarded = 0
    var refusalsOutdated = 0
    var announced = 0
    var forgotten = 0
    var scans = 0
}

/// What metrics tell of a monitor.
struct MonitorReport: Sendable {
    let counts: MonitorCounts
    /// Instances by class at the last scan.
    let classes: FreshnessTable.Counts
    let instances: Int
    let inFlight: Int
    /// Pushes that wait for a stream.
    let waiting: Int
    let isConnected: Bool
    let writes: Registry.Writes
    let waitingWrites: Int
    /// Instances that are given up, and whose end waits until that is durable.
    let waitingDecisions: Int
    /// Pushes without an answer that keep withdrawals waiting.
    let waitingWithdrawals: Int
    let lastScan: Duration
    let slowestScan: Duration

    /// Why a monitor's sender may not send a push.
    private static let reasonsNotSent: [StoryLine.Unsent] = [
        .coalesced, .queueFull, .displaced, .rateLimited, .outOfPatience, .tokenGone,
    ]

    /// As OpenMetrics text.
    var text: String {
        var text = OpenMetricsText()
        text.gauge(
            "freshet_monitor_instances",
            "Instances by class, as the last scan saw them.",
            [
                ([("class", "fresh")], classes.fresh), ([("class", "recoverable")], classes.recoverable),
                ([("class", "severe")], classes.severe),
            ]
        )
        text.gauge("freshet_monitor_known_instances", "Instances in memory, closed ones among them.", [([], instances)])
        text.counter(
            "freshet_monitor_pushes_sent",
            "Pushes handed to the connections.",
            [StoryLine.PushKind.update, .retry, .end].map { ([("kind", "\($0)")], counts.pushes[$0] ?? 0) }
        )
        text.counter(
            "freshet_monitor_apns_responses",
            "Answers of APNs.",
            [([("status", "200"), ("reason", "")], counts.accepted)]
                + zip(APNsReason.allCases, counts.refused)
                .map { ([("status", "\($0.status)"), ("reason", $0.rawValue)], $1) }
        )
        text.counter(
            "freshet_monitor_pushes_not_sent",
            "Pushes that were not sent.",
            MonitorReport.reasonsNotSent.map { ([("reason", $0.rawValue)], counts.notSent[$0] ?? 0) }
        )
        let counters: [(String, String, Int)] = [
            ("pushes_unanswered", "Pushes that were not answered.", counts.unanswered),
            ("pushes_repeated", "Requests that repeat one without an answer.", counts.repeated),
            ("repeats_withheld", "Repeats for which the budget had nothing left.", counts.repeatsWithheld),
            ("stale_episodes", "Instances that became stale.", counts.episodes),
            ("recovered", "Stale instances that came back.", counts.recovered),
            ("ended_severe", "Stale instances that were given up.", counts.endedSevere),
            ("rides_over", "Ends that were asked for.", counts.ridesOver),
            ("retries_withheld", "Retries for which the budget had nothing left.", counts.retriesWithheld),
            ("retries_without_content", "Retries that had nothing to send.", counts.retriesWithoutContent),
            ("tokens_published", "Tokens published or rotated.", counts.published),
            ("tokens_invalidated", "Tokens withdrawn, or closed by an end event.", counts.invalidated),
            ("tokens_discarded", "Tokens that APNs has called dead.", counts.discarded),
            ("refusals_outdated", "Tokens called dead, but published since.", counts.refusalsOutdated),
            ("contents_announced", "Contents announced.", counts.announced),
            ("instances_forgotten", "Instances over for so long that they were forgotten.", counts.forgotten),
            ("scans", "Scans of all instances.", counts.scans),
            ("registry_changes", "Changes made durable.", writes.changes),
            ("registry_commits", "Transactions in which they were.", writes.commits),
            ("registry_failures", "Changes that could not be made durable.", writes.failures),
        ]
        for (name, help, value) in counters { text.counter("freshet_monitor_\(name)", help, [([], value)]) }
        let gauges: [(String, String, Int)] = [
            ("apns_connected", "1 while there is a connection to APNs, else 0.", isConnected ? 1 : 0),
            ("pushes_in_flight", "Pushes without an answer.", inFlight),
            ("pushes_waiting", "Pushes that wait for a connection, a stream or the rate limit.", waiting),
            ("registry_waiting", "Changes that are not durable yet.", waitingWrites),
            ("decisions_waiting", "Ends that wait until the decision for them is durable.", waitingDecisions),
            (
                "withdrawal_pushes_waiting", "Pushes without an answer that keep withdrawals waiting.",
                waitingWithdrawals
            ),
        ]
        for (name, help, value) in gauges { text.gauge("freshet_monitor_\(name)", help, [([], value)]) }
        for (which, time) in [("last", lastScan), ("slowest", slowestScan)] {
            text.add(
                "freshet_monitor_scan_seconds",
                kind: .gauge,
                help: "Time that a scan took, with what it led to.",
                labels: [("which", which)],
                value: FixedPoint.seconds(microseconds: Int64(time / .microseconds(1)))
            )
        }
        return text.text
    }
}
