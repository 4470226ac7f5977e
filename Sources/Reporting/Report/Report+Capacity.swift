import Evaluation
import LiveActivityModel
import Quantities
import ScenarioLanguage
import TextFormats

/// The use of the senders' limits over time, and the recovery from a surge.
extension Report {
    var capacity: [Block] {
        guard total.pushesSent > 0 else { return [] }
        let congestions = Congestion.all(in: result)
        let charts = Chart.capacity(result, congestions)
        let (isBusy, hasQueue) = (!charts.isEmpty || hasWithheld, !congestions.isEmpty)
        return .section(
            "Capacity",
            "**\(capacityLine(congestions))**",
            limitsTable,
            charts,
            congestions.count > 1 ? Congestion.table(of: congestions, in: result) : nil,
            congestions.count > 20 ? "The table has the 20 worst of \(Format.count(Int64(congestions.count)))." : nil,
            hasQueue ? congestionBasis(congestions.count) : nil,
            isBusy ? capacityTable(until: congestions.map(\.until).max()) : nil,
            isBusy ? capacityBasis : nil,
            scenario.apns.capacity == nil
                ? nil
                : "These are the limits of the sender. `apns.capacity` also limits APNs: its queue shows only in longer "
                    + "requests, and so in more streams in use."
        )
    }

    /// The answer in a sentence or a few: the limits that made pushes wait, or the highest use.
    func capacityLine(_ congestions: [Congestion]) -> String {
        ((congestions.isEmpty ? [highestUse] : Congestion.sentences(of: congestions, in: result)) + withheld)
            .joined(separator: " ")
    }

    /// The streams of all connections of all cells.
    private var streamLimit: Int64 { Chart.streamLimit(scenario) }

    private var hasWithheld: Bool { total[.retriesWithheld] + total[.repeatsWithheld] > 0 }

    /// The line of a terminal.
    var shortCapacityLine: String {
        guard total.pushesSent > 0 else { return "" }
        let congestion = Congestion.line(of: Congestion.all(in: result), in: result)
        let queue = hasWaited ? "no lasting queue" : "pushes never waited"
        return "capacity: \(congestion ?? "at most \(mostStreams) in use, \(queue)")"
    }

    /// `true` if a push waited in a queue of the sender.
    private var hasWaited: Bool { total.senderCourse.mostQueued > 0 || total.time(.waitingTime) > 0 }

    private var mostStreams: String {
        let streams = streamLimit == 1 ? "stream" : "streams"
        return "\(Format.count(total.senderCourse.mostStreams)) of \(Format.count(streamLimit)) \(streams)"
    }

    var highestUse: String {
        let most = total.senderCourse.mostStreams
        let use =
            "at most \(mostStreams) \(most == 1 ? "was" : "were") in use at a time (\(Format.percent(most, of: streamLimit)))."
        guard hasWaited else {
            let dropped = total[.pushesRateLimited]
            let drops = dropped > 0 ? " The sender's rate limit dropped \(Congestion.pushes(dropped))." : ""
            let isLimited = hasWithheld || dropped > 0 || most >= streamLimit
            return "\(isLimited ? "Pushes never waited" : "Nothing saturated"): \(use)\(drops)"
        }
        let windows = TimeSteps(result, windowsPerStep: 1).steps.map { SenderStep($0, of: result) }
        guard let worst = windows.max(by: { $0.waitingShare < $1.waitingShare }) else { return "" }
        return "No lasting queue: \(use) In the worst window, "
            + "\(clock.stretch(from: worst.step.from, until: worst.step.until)), a push waited during "
            + "\(Format.percent(worst.waitingShare)) of the time, and the p99 wait was "
            + "\(Format.span(worst.waitP99.map(Double.init)))."
    }

    /// Sentences on retries that a budget withheld.
    private var withheld: [String] { withholdings.map(\.sentence) }

    /// Retries that a budget withheld.
    struct Withholding {
        /// The first window with one.
        let from: Instant
        /// The budget: `the monitor's retry budget`.
        let name: String
        /// The effect: `withheld 4 retries, …`.
        let words: String
        /// `true` if none of the retries could have arrived at the time, so that the budget changed nothing.
        let isIdle: Bool

        var sentence: String { "\(name.prefix(1).uppercased())\(name.dropFirst()) \(words)." }
    }

    /// The budgets that withheld retries.
    var withholdings: [Withholding] {
        let steps = TimeSteps(result, windowsPerStep: 1).steps
        let budgets: [(name: String, withheld: SeriesColumn, made: String)] = [
            ("the monitor's retry budget", .retriesWithheld, "retries"),
            ("the sender's retry budget", .repeatsWithheld, "repeats"),
        ]
        return budgets.compactMap { name, column, made in
            let those = steps.filter { $0[column] > 0 }
            guard let first = those.first, let most = steps.max(by: { $0[column] < $1[column] }) else { return nil }
            let count = result.perReplication(total.series.total(column))
            // Only whole windows within a silence prove that nothing could arrive.
            let silences = those.map { step in
                scenario.faults.first { $0.silence != nil && .start + $0.at <= step.from && step.until <= $0.end }
            }
            let silent = zip(those, silences).reduce(0) { $0 + ($1.1 == nil ? 0 : $1.0[column]) }
            let isIdle = !silences.contains(nil)
            let faults = silences.compactMap(\.self).unique
            let causes = faults.map { "\($0.silence ?? "") (\($0.time(by: clock)))" }.joined(separator: " or ")
            let share = isIdle ? "all" : "\(Format.count(mean: result.perReplication(silent)))"
            let remark =
                faults.isEmpty
                ? "" : "; \(share) of them while \(causes): sent then, none would have arrived"
            let words =
                "withheld \(Format.count(mean: count)) \(made)\(perRun), the first from \(clock.short(first.from)), "
                + "most from \(clock.stretch(from: most.from, until: most.until))\(remark)"
            return Withholding(from: first.from, name: name, words: words, isIdle: isIdle)
        }
    }

    /// A row for each limit: the limit, and its use.
    var limitsTable: TextTable {
        let sender = scenario.sender
        let cells = Int64(scenario.cells)
        func value(_ metric: String, _ stat: String, scope: String = "all") -> Double {
            summary.row(metric, stat, scope: scope)?.value?.double ?? 0
        }
        func mean(_ metric: String) -> String { Format.number(value(metric, "ratio") * Double(cells)) }
        let rate = sender.rateLimit.map {
            Format.rate($0.perSecond * Double(cells)) + ($0.excess == .drop ? " (dropped above)" : "")
        }
        let arrivals = Double(total.time(.arrivalTime)) / Double(cells) / 1e6
        let whileArriving = TimeSteps(result, windowsPerStep: 1).whileRidesArrive
        func sum(_ value: (TimeSteps.Step) -> Int64) -> Int64 { whileArriving.reduce(0) { $0 + value($1) } }
        func perSecond(_ count: Int64) -> String { Format.number(arrivals > 0 ? Double(count) / arrivals : nil) }
        let requests = sum { step in SeriesColumn.requests.reduce(0) { $0 + step[$1] } }
        var table = TextTable(
            ["of all cells", "limit:", "mean while rides arrive:", "peak:"],
            rows: [
                [
                    "streams in use", Format.count(streamLimit), mean("send_busy_mean_count"),
                    Format.count(total.senderCourse.mostStreams),
                ],
                [
                    "pushes in the queue", sender.queueLimit.map { Format.count(Int64($0) * cells) } ?? "none",
                    mean("send_queue_mean_count"), Format.count(total.senderCourse.mostQueued),
                ],
                [
                    "requests a second", rate ?? "none",
                    perSecond(requests),
                    Format.rate(value("push_rate_peak_per_second", "max", scope: "over:1s")),
                ],
            ]
        )
        let budgets: [(name: String, budget: Scenario.Budget?, made: Int64)] = [
            (
                "retries a second, by the monitor's budget",
                scenario.monitor.enabled ? scenario.monitor.retry.budget : nil,
                sum { $0[.retriesDecided] - $0[.retriesWithheld] }
            ),
            ("repeats a second, by the sender's budget", sender.retryBudget, sum { $0[.repeatsSent] }),
        ]
        for (name, budget, made) in budgets {
            guard let budget else { continue }
            table.add(name, Self.text(budget, cells), perSecond(made), Format.undefined)
        }
        return table
    }

    /// A budget's refill and capacity in words.
    private static func text(_ budget: Scenario.Budget, _ cells: Int64) -> String {
        let refill = budget.perSecond > 0 || budget.perPush == 0 ? [Format.rate(budget.perSecond * Double(cells))] : []
        let perPush = budget.perPush > 0 ? ["\(Format.rate(budget.perPush)) per push"] : []
        return (refill + perPush).joined(separator: " + ") + ", burst \(Format.rate(budget.capacity * Double(cells)))"
    }

    /// The load in the rows of the day, and of the drain until the queue is empty.
    private func capacityTable(until end: Instant?) -> TextTable {
        let steps = rowsOverDay.steps
            .filter { $0.from < max(.start + scenario.clock.duration, end ?? .start) }
            .map { SenderStep($0, of: result) }
        let budget: [TextTable.Column] = hasWithheld ? ["retries withheld\(perRun):"] : []
        return TextTable(
            [
                "time of day", "requests a second:", "streams in use:", "at most:", "none free:", "queue:", "at most:",
                "p99 wait:",
            ] + budget,
            rows: steps.map { load in
                let step = load.step
                let withheld = step[.retriesWithheld] + step[.repeatsWithheld]
                return [
                    clock.stretch(from: step.from, until: step.until), Format.number(load.requestsPerSecond),
                    Format.number(load.meanStreams), Format.count(load.mostStreams), Format.percent(load.fullShare),
                    Format.number(load.meanQueued), Format.count(load.mostQueued),
                    Format.span(load.waitP99.map(Double.init)),
                ] + (budget.isEmpty ? [] : [Format.count(mean: result.perReplication(withheld))])
            }
        )
    }

    private func congestionBasis(_ count: Int) -> String {
        let window = Format.span(scenario.clock.window.microseconds)
        let cell = scenario.cells > 1 ? ", in the cell in which pushes waited longest" : ""
        return
            "By windows of \(window): a window counts as full if pushes waited during at least half of it\(cell). A shorter "
            + "`clock.window` makes the times more exact. *Fresh again* counts screens during rides\(result.replications > 1 ? " of one replication" : ""): "
            + "by the end of the first window after the lowest with a share less than a point below the half hour before."
            + (count > 1 ? " The sentences begin with the worst: the longest queue times its duration." : "")
    }

    private var capacityBasis: String {
        let cells =
            scenario.cells > 1
            ? "Streams, queue and requests are sums over the \(Format.count(Int64(scenario.cells))) cells, and *none free* is a mean "
                + "over them. Rides are assigned to cells at random, so cells are alike. " : ""
        let replications = result.replications > 1 ? ", of the replication with the most" : ""
        return cells
            + "*At most* is a peak\(replications)\(scenario.cells > 1 ? ", an upper bound" : ""). Limits are those of "
            + "`sender` without faults. `timeseries.csv` has the same numbers by window."
    }
}
