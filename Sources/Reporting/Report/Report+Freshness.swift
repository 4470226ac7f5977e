import Evaluation
import LiveActivityModel
import Quantities
import ScenarioLanguage
import TextFormats

/// Freshness, in total and over time.
extension Report {
    var freshness: [Block] {
        var table = TextTable(["", "share of time:", "95 % interval:"])
        func add(_ title: String, _ metric: String, scope: String = "all") {
            table.add([title] + valueAndInterval(metric, "ratio", scope: scope))
        }
        for number in Headline.rideTime + [Headline.rightStage] { table.add([number.row] + share(number.response)) }
        add("of screen time during rides: wrong stage", "wrong_stage_time_ratio")
        table.add([Headline.shown.row] + share(Headline.shown.response))
        add("of screen time after rides: fresh", "displayed_fresh_time_ratio", scope: "after_ride")
        add("of screen time: fresh", "displayed_fresh_time_ratio")
        add("of screen time: stale", "displayed_stale_time_ratio")
        for source in StoryLine.ContentSource.allCases {
            let words = Wording.part("source", "\(source)")
            add("of screen time: \(words)", "displayed_source_time_ratio", scope: "source:\(source)")
        }
        if hasMonitor {
            table.add([Headline.belief.row] + share(Headline.belief.response))
            add("of screen time: lapsed while believed fresh", "silently_stale_time_ratio")
        }
        let limit = Format.span(scenario.monitor.freshLimit.microseconds)
        let (lapse, watched) =
            hasMonitor
            ? (
                "; for the monitor, until \(limit) after it",
                " *Watched time* is the time of the instances that the monitor watches, so it leaves out rides without a card."
            ) : ("", "")
        let explanation =
            "On phones, content is fresh until its stale date\(lapse). *Ride time* is the time of all rides, with or without "
            + "a card. *Screen time* is the time of cards on screens, leftover cards included.\(watched)"
        return .section("Freshness", table, explanation)
    }

    /// Returns a share with its interval as cells of a table; shares of ride time add up as printed.
    func share(_ response: Response) -> [String] {
        var cells = valueAndInterval(response.metric, "ratio", scope: response.scope)
        if let index = Headline.rideTime.firstIndex(where: { $0.response == response }) {
            cells[0] = numbers.rideShares[index]
        }
        return cells
    }

    // MARK: - Over time

    /// Row lengths that are convenient for people.
    private static let rowLengths: [TimeSpan] = [
        .seconds(1), .seconds(5), .seconds(15), .minutes(1), .minutes(5), .minutes(15), .minutes(30), .hours(1),
        .hours(2), .hours(6), .hours(12), .hours(24), .hours(7 * 24),
    ]
    /// The largest number of rows: a day, and the hours in which its last rides end.
    private static let largestRowCount: Int64 = 36

    /// A table with a row per hour, or per another interval that suits the length of the run, and sparklines.
    var freshnessOverTime: [Block] {
        let rows = rowsOverDay.whileRidesArrive
        guard !rows.isEmpty else { return [] }
        let table = TextTable(
            ["time of day", "live activities:"] + stepColumns,
            rows: rows.map { [clock.stretch(from: $0.from, until: $0.until), meanLive($0)] + cells($0) }
        )
        return .section("Freshness over the day", sparklines, table, remarkOnRows(rows))
    }

    /// The steps of tables over the day.
    var rowsOverDay: TimeSteps {
        let windows = TimeSteps(result, windowsPerStep: 1).whileRidesArrive
        let length = windows.first.flatMap { first in windows.last.map { $0.until - first.from } } ?? .zero
        let rowLength = Report.rowLengths.first {
            $0 >= scenario.clock.window && length.microseconds <= $0.microseconds * Report.largestRowCount
        }
        return TimeSteps(result, near: rowLength ?? TimeSpan(microseconds: length.microseconds / 24))
    }

    /// Returns a remark that rows are means, which hide the depth of shorter dips.
    private func remarkOnRows(_ rows: [TimeSteps.Step]) -> String? {
        guard let length = rows.map(\.length).max(), length > scenario.clock.window else { return nil }
        let windows = "the run's windows of \(Format.span(scenario.clock.window.microseconds)) (`timeseries.csv`)"
        return "Each row is a mean over \(Format.span(length.microseconds)). For shorter dips, see \(windows)."
    }

    private var stepColumns: [TextTable.Column] {
        ["fresh on phones:"] + (hasMonitor ? ["believed fresh:", "silently stale:"] : [])
            + (scenario.faults.isEmpty ? [] : ["faults"])
    }

    /// Returns a step in the columns that all tables of steps share.
    private func cells(_ step: TimeSteps.Step) -> [String] {
        let shown = Format.percent(step.share(.displayedFreshTime, of: .displayedTime))
        let believed = [
            Format.percent(step.share(.freshTime, of: .monitoredTime)),
            Format.percent(step.share(.silentlyStaleTime, of: .displayedTime)),
        ]
        let faults = step.faults(of: scenario).map { Wording.fault($0.kind) }.joined(separator: ", ")
        return [shown] + (hasMonitor ? believed : []) + (scenario.faults.isEmpty ? [] : [faults])
    }

    /// Returns the mean number of activities on screens at a time, over the step and the replications.
    private func meanLive(_ step: TimeSteps.Step) -> String {
        let time = Double(step.length.microseconds) * Double(result.replications)
        guard time > 0, let text = FixedPoint.text(Double(step[.displayedTime]) / time, places: 1) else {
            return Format.undefined
        }
        return text.count > 5 ? Format.count(Int64((Double(step[.displayedTime]) / time).rounded())) : text
    }

    /// A sparkline for each quantity, on one scale, and a line that marks faults.
    private var sparklines: Block {
        let steps = TimeSteps(result, atMost: 80).whileRidesArrive
        let shown = steps.map { $0.share(.displayedFreshTime, of: .displayedTime) }
        let believed = steps.map { $0.share(.freshTime, of: .monitoredTime) }
        let scale = Sparkline.ShareScale(shown + (hasMonitor ? believed : []))
        var lines = ["fresh on phones  \(Sparkline.text(shown, scale: scale.range))"]
        if hasMonitor { lines.append("believed fresh   \(Sparkline.text(believed, scale: scale.range))") }
        if !scenario.faults.isEmpty {
            lines.append("faults           " + steps.map { $0.faults(of: scenario).isEmpty ? "·" : "x" }.joined())
        }
        let stepLength = Format.span(steps.map(\.length.microseconds).max() ?? 0)
        let range = "The bars range from \(scale.bottom) % to 100 %. Each covers \(stepLength)"
        let from = steps.first.map { clock.short($0.from) } ?? ""
        // On a page, the chart at the top shows the same in more detail.
        let bars = lines.joined(separator: "\n")
        return .code("\(range); the first begins at \(from).\n\n\(bars)", language: Block.drawing)
    }

    // MARK: - Classes and the worst interval

    var buckets: [Block] {
        guard hasMonitor, total.time(.monitoredTime) > 0 else { return [] }
        let table = TextTable(
            ["class", "share of time:", "95 % interval:", "time:"],
            rows: [
                ("fresh", "fresh_time_ratio"), ("stale but recoverable", "recoverable_time_ratio"),
                ("severely stale", "severe_time_ratio"),
            ]
            .map { title, metric in [title] + valueAndInterval(metric, "ratio") + [value(metric, "numerator")] }
        )
        return .section("Classes, in the monitor's belief", Chart.classes(result), table)
    }

    /// The quarter hours in which screens, and the monitor's belief, were least fresh.
    var worstStretch: [Block] {
        let steps = TimeSteps(result, near: .minutes(15)).whileRidesArrive
        let length = steps.map(\.length).max() ?? .zero
        let name = length == .minutes(15) ? "quarter hour" : "interval of \(Format.span(length.microseconds))"
        var table = TextTable(["", "time of day"] + stepColumns)
        let rows = [
            ("On phones", SeriesColumn.displayedFreshTime, SeriesColumn.displayedTime),
            ("In the monitor's belief", .freshTime, .monitoredTime),
        ]
        for (title, part, whole) in rows.prefix(hasMonitor ? 2 : 1) {
            guard let worst = Report.worst(of: steps, part, whole) else { continue }
            table.add([title, clock.stretch(from: worst.from, until: worst.until)] + cells(worst))
        }
        guard !table.rows.isEmpty else { return [] }
        let explanation =
            "Only while rides arrive, in intervals from the run's start. Intervals with less than 1 % of the mean live "
            + "time are left out."
        return .section("Worst \(name)", table, explanation)
    }

    /// Returns the step with the smallest share; the first of equal ones.
    ///
    /// Steps with less than 1 % of the mean time of a step are ignored, because so little time is not representative.
    static func worst(of steps: [TimeSteps.Step], _ part: SeriesColumn, _ whole: SeriesColumn) -> TimeSteps.Step? {
        TimeSteps.worthTelling(steps, by: whole)
            .min { $0.share(part, of: whole) ?? 1 < $1.share(part, of: whole) ?? 1 }
    }
}
