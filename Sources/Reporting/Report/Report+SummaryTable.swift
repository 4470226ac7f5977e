import Evaluation
import LiveActivityModel
import ScenarioLanguage

/// The results of a run for a terminal: at most 80 columns, with the numbers of the report.
extension Report {
    /// The table as plain text, ending with a newline.
    var summaryTable: String {
        let head = "\(Chart.subtitle(result)), run \(RunID(scenario))"
        return [Block](
            "\(head)\n\(headlineText)",
            shares,
            times,
            counts,
            Format.wrapped(shortCapacityLine),
            Format.wrapped(intervalGaps)
        )
        .plain
    }

    /// The first numbers of a run: its identity, its result in a sentence, and the shares of time; ends with a newline.
    var firstNumbers: String {
        [Block]("\(Chart.subtitle(result))\n\(headlineText)", shares).plain
    }

    /// The parts of the headline that the table does not hold: the sum of ride time, and the gap of the belief.
    private var headlineText: String {
        let lines = [numbers.rideTime, hasMonitor ? numbers.beliefText : ""] + remarks
        return lines.filter { !$0.isEmpty }.map(Format.wrapped).joined(separator: "\n")
    }

    private var shares: TextTable {
        let shown = (Headline.rideTime + [Headline.rightStage, Headline.belief])
            .filter { hasMonitor || !Self.metricsOfMonitor.contains($0.response.metric) }
        var table = TextTable(["share", ":", "95 % interval:"])
        for number in shown { table.add([number.row] + share(number.response)) }
        if let share = numbers.afterRides {
            table.add("of screen time: leftover cards", Format.percent(share), Format.undefined)
        }
        return table
    }

    private var times: TextTable {
        table(
            ["time", "mean:", "p50:", "p95:", "p99:"],
            [
                ("age of information", "age_of_information_us"), ("peak age", "peak_age_us"),
                ("recovery" + recovered, "recovery_time_us"), ("wait in the sender", "send_wait_us"),
            ]
        ) { title, metric in [title] + ["mean", "p50", "p95", "p99"].map { value(metric, $0) } }
    }

    /// The share of episodes that have a recovery time; empty without episodes.
    private var recovered: String {
        let share = value("recovered_ratio", "ratio")
        return share == Format.undefined ? "" : " (\(share) of episodes)"
    }

    private var counts: TextTable {
        table(
            ["count\(perRun)", ":", "95 % interval:"],
            [
                ("rides", "rides_requested_count"), ("activities started", "activities_started_count"),
                ("ended as severely stale", "ended_severe_count"),
                ("ended while fresh on the phone", "false_kill_count"),
                ("pushes sent", "pushes_sent_count"), ("episodes of staleness", "stale_episodes_count"),
                ("episodes that recovered", "recovered_count"), ("events", "events_count"),
            ]
        ) { [$0] + valueAndInterval($1, "total") }
    }

    private func table(
        _ columns: [TextTable.Column],
        _ metrics: [(title: String, metric: String)],
        cells: (String, String) -> [String]
    ) -> TextTable {
        let shown = metrics.filter { hasMonitor || !Self.metricsOfMonitor.contains($0.metric) }
        return TextTable(columns, rows: shown.map { cells($0.title, $0.metric) })
    }

    /// The metrics of first tables that are left out while the monitor is off: what it believes, and what it repairs.
    static let metricsOfMonitor: Set<String> = [
        "ended_severe_count", "false_kill_count", "fresh_time_ratio", "recovered_count", "recovered_ratio",
        "recovery_time_us", "silently_stale_time_ratio", "stale_episodes_count",
    ]
}
