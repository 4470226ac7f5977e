package import FreshnessCore
import LiveActivityModel
import TextFormats
import Wire

/// The counts of a monitor since its start; ``MonitorReport/text`` documents each of them.
package struct MonitorCounts: Hashable, Sendable {
    /// Pushes by kind; repeated ones are counted separately.
    var pushes: [StoryLine.PushKind: Int] = [:]
    package var accepted = 0
    /// Rejections, in the order of `APNsReason.allCases`.
    package var refused = [Int](repeating: 0, count: APNsReason.allCases.count)
    package var unanswered = 0
    var repeated = 0
    var repeatsWithheld = 0
    /// Pushes that were not sent, by reason.
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

/// The state of a monitor for metrics.
package struct MonitorReport: Sendable {
    package let counts: MonitorCounts
    /// Instances by class at the last scan.
    package let classes: FreshnessTable.Counts
    let instances: Int
    package let inFlight: Int
    /// Pushes that wait for a stream.
    package let waiting: Int
    let isConnected: Bool
    let writes: Registry.Writes
    let waitingWrites: Int
    /// Given-up instances whose end waits until the decision is durable.
    let waitingDecisions: Int
    /// Pushes in flight for which withdrawals wait.
    let waitingWithdrawals: Int
    let lastScan: Duration
    let slowestScan: Duration

    /// The reasons for which a monitor's sender may not send a push.
    private static let reasonsNotSent: [StoryLine.Unsent] = [
        .coalesced, .queueFull, .displaced, .rateLimited, .outOfPatience, .tokenGone,
    ]

    /// The state as OpenMetrics text.
    var text: String {
        var text = OpenMetricsText()
        text.gauge(
            "freshet_monitor_instances",
            "Instances by class at the last scan.",
            [
                ([("class", "fresh")], classes.fresh), ([("class", "recoverable")], classes.recoverable),
                ([("class", "severe")], classes.severe),
            ]
        )
        text.gauge("freshet_monitor_known_instances", "Instances in memory, including closed ones.", [([], instances)])
        text.counter(
            "freshet_monitor_pushes_sent",
            "Pushes handed to the connections.",
            [StoryLine.PushKind.update, .retry, .end].map { ([("kind", "\($0)")], counts.pushes[$0] ?? 0) }
        )
        text.counter(
            "freshet_monitor_apns_responses",
            "APNs' answers by status and reason.",
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
            ("pushes_unanswered", "Pushes without an answer.", counts.unanswered),
            ("pushes_repeated", "Requests that repeat one without an answer.", counts.repeated),
            ("repeats_withheld", "Repeats withheld because the budget was spent.", counts.repeatsWithheld),
            ("stale_episodes", "Instances that became stale.", counts.episodes),
            ("recovered", "Stale instances that became fresh again.", counts.recovered),
            ("ended_severe", "Stale instances that were given up.", counts.endedSevere),
            ("rides_over", "Ends that were requested.", counts.ridesOver),
            ("retries_withheld", "Retries withheld because the budget was spent.", counts.retriesWithheld),
            ("retries_without_content", "Retries without content to send.", counts.retriesWithoutContent),
            ("tokens_published", "Tokens published or rotated.", counts.published),
            ("tokens_invalidated", "Tokens withdrawn, or closed by an end event.", counts.invalidated),
            ("tokens_discarded", "Tokens that APNs has reported as invalid.", counts.discarded),
            ("refusals_outdated", "Tokens reported as invalid, but published since.", counts.refusalsOutdated),
            ("contents_announced", "Contents announced.", counts.announced),
            ("instances_forgotten", "Finished instances that were deleted.", counts.forgotten),
            ("scans", "Scans of all instances.", counts.scans),
            ("registry_changes", "Changes made durable.", writes.changes),
            ("registry_commits", "Transactions of these changes.", writes.commits),
            ("registry_failures", "Changes that could not be made durable.", writes.failures),
        ]
        for (name, help, value) in counters { text.counter("freshet_monitor_\(name)", help, [([], value)]) }
        let gauges: [(String, String, Int)] = [
            ("apns_connected", "1 while a connection to APNs exists, else 0.", isConnected ? 1 : 0),
            ("pushes_in_flight", "Pushes in flight.", inFlight),
            ("pushes_waiting", "Pushes that wait for a connection, a stream or the rate limit.", waiting),
            ("registry_waiting", "Changes that are not durable yet.", waitingWrites),
            ("decisions_waiting", "Ends that wait until the decision for them is durable.", waitingDecisions),
            (
                "withdrawal_pushes_waiting", "Pushes in flight for which withdrawals wait.",
                waitingWithdrawals
            ),
        ]
        for (name, help, value) in gauges { text.gauge("freshet_monitor_\(name)", help, [([], value)]) }
        for (which, time) in [("last", lastScan), ("slowest", slowestScan)] {
            text.add(
                "freshet_monitor_scan_seconds",
                kind: .gauge,
                help: "Duration of a scan, including the resulting actions.",
                labels: [("which", which)],
                value: FixedPoint.seconds(microseconds: Int64(time / .microseconds(1)))
            )
        }
        return text.text
    }
}
