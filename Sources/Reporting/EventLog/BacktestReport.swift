import Foundation
import InputFiles
import LiveActivityModel
import Quantities
import Shell
public import Studies
public import TextFormats
public import Traces

/// The report of a backtest: one verdict with its size, the largest disagreement first.
public struct BacktestReport {
    private let backtest: Backtest
    private let cleaning: LogCleaning
    private let name: String

    /// Creates the report of a backtest.
    ///
    /// - Parameter name: The name of the scenario.
    public init(_ backtest: Backtest, cleaning: LogCleaning, name: String) {
        (self.backtest, self.cleaning, self.name) = (backtest, cleaning, name)
    }

    private typealias Measure = Backtest.Measure

    /// The verdict, without Markdown: one sentence, and one for each reason to doubt the comparison.
    public var verdict: String { ([judgement] + doubts).joined(separator: " ") }

    /// The windows, faults and properties of the log that qualify the judgement.
    private var doubts: [String] {
        var doubts = windowDoubts + faultDoubts
        if backtest.leftOut > 0 {
            doubts.append(
                "Only the log from \(time(backtest.span.lowerBound)) on is compared, \(backtest.windows.count) of "
                    + "\(backtest.windows.count + backtest.leftOut) windows: before, more than 2 % of the rides in progress had begun before "
                    + "the log, and the model lacks them. An incident there is not compared."
            )
        }
        if backtest.leftOutInGaps > 0 {
            let gaps = backtest.gaps.map { $0.upperBound - $0.lowerBound }
            let spans = backtest.gaps.prefix(3).map { "\(time($0.lowerBound)) to \(time($0.upperBound))" }
            let others = gaps.count > 3 ? " and \((gaps.count - 3).counted("other gap", "other gaps"))" : ""
            doubts.append(
                "The log has no row for \(Self.span(gaps.reduce(0, +))) (\(spans.joined(separator: ", "))\(others)): "
                    + "\(backtest.leftOutInGaps) of \(backtest.windows.count + backtest.leftOutInGaps) windows are not compared, those with a "
                    + "part of a gap and those after it in which more than 2 % of the rides in progress had begun in it."
            )
        }
        if cleaning.count(.fileGap) > 0 {
            doubts.append(
                "A file of the log has no row for up to \(Self.span(cleaning.longestFileGap)) while the others go on; if rows are missing, "
                    + "they count as not sent."
            )
        }
        if let ttl = backtest.assumedTTL {
            doubts.append(
                "The log has no stale dates: content counts as stale \(DurationText.text(TimeSpan(microseconds: ttl))) after it was "
                    + "generated, which is the scenario's content.ttl and an assumption about the log."
            )
        }
        if !backtest.countsInitialContent {
            doubts.append(
                "The time before the first accepted push counts as not fresh on both sides: the log states no stale date of initial content."
            )
        }
        let (pairs, repeats) = (cleaning.count(.answerUncertain), cleaning.count(.duplicateWithoutID))
        if pairs + repeats > 0 {
            doubts.append(
                "The log has requests without ids: \(pairs) answers may belong to another request of their ride, and \(repeats) "
                    + "rows count as repeated but may be further requests."
            )
        }
        return doubts
    }

    private var judgement: String {
        guard let total = backtest.believedFresh else {
            return "The log has no time in which the server watched an activity, so freshness cannot be compared."
        }
        let points = abs(total.difference) * 100
        let size = "\(Self.number(points)) points"
        let values =
            "log \(Self.text(total.log, .believedFresh)), model \(Self.text(total.model, .believedFresh)), "
            + "95 % of runs within \(Self.text(total.interval, .believedFresh))"
        let head =
            switch backtest.judgement {
            case .unknown, .misses: "The scenario \(name) misses the log's believed freshness by \(size) (\(values))"
            case .missesQuantities:
                "The scenario \(name) misses the log, although its believed freshness is within \(size) of the log's (\(values))"
            case .missesWindows:
                "The scenario \(name) misses the log's course, although its believed freshness is within \(size) of the log's over all windows "
                    + "(\(values))"
            case .cannotDecide:
                "The backtest cannot decide if the scenario \(name) reproduces the log's believed freshness: they differ by \(size), but the "
                    + "interval of the model's runs reaches further than 1 point to each side (\(values)); "
                    + (total.canNarrow(to: Backtest.tolerance)
                        ? "raise --replications" : "more replications hardly narrow it, a log with more rides does")
            case .reproduces:
                "The scenario \(name) reproduces the log's believed freshness within \(size) (\(values))"
            }
        guard let worst = backtest.disagreements.first else {
            return head + "; no quantity is outside of the model's interval."
        }
        // There, windows decide, which the next sentence names.
        let scope = backtest.judgement == .missesWindows ? "over all windows, " : ""
        return head + "; \(scope)the largest disagreement: \(sentence(worst))."
    }

    /// The windows that disagree, which may cancel out over the whole log.
    private var windowDoubts: [String] {
        let far = backtest.farWindows
        guard let (at, worst) = far.max(by: { abs($0.comparison.difference) < abs($1.comparison.difference) }) else {
            return []
        }
        return [
            "\(far.count.counted("window differs", "windows differ")) far beyond noise, by \(Self.number(backtest.windowDisagreement * 100)) points "
                + "of all watched time; believed freshness differs most at \(time(at)) (log \(Self.text(worst.log, .believedFresh)), model "
                + "\(Self.text(worst.model, .believedFresh)))."
        ]
    }

    /// Faults and incidents that do not match.
    private var faultDoubts: [String] {
        let (faults, incidents) = (backtest.faultsNotInLog, backtest.incidentsNotInScenario)
        var doubts: [String] = []
        if !faults.isEmpty {
            doubts.append("The scenario has faults where the log shows no incident: \(list(faults)).")
        }
        if !incidents.isEmpty {
            doubts.append("The log shows incidents where the scenario has no fault: \(list(incidents)).")
        }
        if backtest.hasFaultsOfAnotherDay {
            doubts.append("The scenario seems to have the faults of another day; give it those of this log, or none.")
        }
        return doubts
    }

    private func list(_ all: [Backtest.Disturbance]) -> String {
        let words = all.prefix(3)
            .map { one in
                let length = one.time.upperBound - one.time.lowerBound
                return "\(one.kind.rawValue) at \(time(one.time.lowerBound))"
                    + (length > 0 ? " for \(Self.span(length))" : "")
            }
        return words.joined(separator: ", ") + (all.count > 3 ? " and \(all.count - 3) more" : "")
    }

    private func sentence(_ comparison: Backtest.Comparison) -> String {
        let measure = comparison.measure
        var text =
            "\(Self.name(measure)): log \(Self.text(comparison.log, measure)), model \(Self.text(comparison.model, measure))"
        if let (at, worst) = backtest.worstWindow(measure) {
            text +=
                ", most at \(time(at)) (log \(Self.text(worst.log, measure)), model \(Self.text(worst.model, measure)))"
        }
        return text
    }

    private func blocks(with chart: Chart? = nil) -> [Block] {
        var blocks: [Block] = [
            .heading(1, "Backtest of \(MarkdownText.escaped(name))"),
            .paragraph("**\(MarkdownText.escaped(verdict))**"),
        ]
        blocks += chart?.blocks ?? []
        blocks.append(.list(cleaning.lines.map(MarkdownText.escaped)))
        let rides =
            backtest.tracedRides > 0
            ? "The model has the log's own \(backtest.tracedRides) rides, with their times."
            : "The scenario has more stages than a trace can have, so the model drew its own rides."
        blocks.append(
            .paragraph(
                "\(rides) It ran \(backtest.replications) times. Both sides are measured by the same code from what a server can log. An interval "
                    + "holds the value of one more run with 95 %; of many windows, one in twenty is outside by chance. A `!` marks values of the log outside of it. It does not include the "
                    + "uncertainty of the scenario's values. A scenario reproduces the log if the log is within the interval, the interval reaches at most 1 point "
                    + "to each side, windows far beyond noise differ by at most 1 point of the watched time, and no other quantity is further than two "
                    + "half-widths and a tenth of its value (a wait: 100 ms) from the model's mean. Content counts as fresh until "
                    + "\(DurationText.text(TimeSpan(microseconds: backtest.freshLimit))) after its stale date (`monitor.fresh_limit`)."
            )
        )
        blocks.append(
            .paragraph(
                "If the scenario is calibrated to this log, agreement shows that the model can reproduce the log. It does not show that the model "
                    + "predicts another day: backtest the scenario on the log of another day. Believed freshness is the server's belief; no log shows "
                    + "the freshness on phones. It covers the time from the first token to the end of the ride, or to an earlier end of the token or the "
                    + "activity. The `fresh_time_ratio` of a run also counts cards that stay after their ride, because their ends failed, so it "
                    + "can be much lower."
            )
        )
        if !backtest.disagreements.isEmpty {
            blocks.append(.heading(2, "Disagreements, the largest first"))
            blocks.append(
                .list(
                    backtest.disagreements.map { comparison in
                        MarkdownText.escaped(sentence(comparison)) + ". "
                            + (pauseCause(comparison) ?? Self.cause(comparison))
                    }
                )
            )
        }
        blocks.append(
            .heading(2, backtest.leftOut > 0 ? "From \(time(backtest.span.lowerBound)) on" : "The whole log")
        )
        var table = TextTable(["quantity", "log:", "model:", "95 % of runs:", "difference:", "windows inside:"])
        for comparison in backtest.totals {
            let measure = comparison.measure
            table.add(
                Self.name(measure),
                Self.text(comparison.log, measure),
                Self.text(comparison.model, measure),
                Self.text(comparison.interval, measure),
                Self.difference(comparison) + (comparison.isWithin ? "" : " !"),
                backtest.shareWithin(measure).map { "\(Self.number($0 * 100)) %" } ?? "–"
            )
        }
        blocks.append(.table(table))
        blocks.append(.heading(2, "Believed freshness by window"))
        var course = TextTable(["window", "log:", "model:", "95 % of runs:", "pushes, log:", "pushes, model:"])
        for window in backtest.windows {
            guard let fresh = window.believedFresh else { continue }
            let pushes = window.comparisons.first { $0.measure == .pushes }
            course.add(
                time(window.at) + (fresh.isWithin ? "" : " !"),
                Self.text(fresh.log, .believedFresh),
                Self.text(fresh.model, .believedFresh),
                Self.text(fresh.interval, .believedFresh),
                pushes.map { Self.text($0.log, .pushes) } ?? "–",
                pushes.map { Self.text($0.model, .pushes) } ?? "–"
            )
        }
        blocks.append(.table(course))
        return blocks
    }

    /// The report in Markdown.
    public var markdown: String { blocks().markdown }

    /// Writes `report.md` with its chart, `report.html` and `windows.csv` to a directory.
    ///
    /// - Parameter notify: Called with a line of text if something will take a while, or if the page lacks its chart.
    public func write(to directory: String, notify: @escaping (String) -> Void) throws {
        let chart = Chart.backtest(backtest, name: name, local: local)
        try writeOrExit(blocks(with: chart).markdown, to: "\(directory)/report.md")
        try writeOrExit(csv, to: "\(directory)/windows.csv")
        try writeOrExit(chart.text, to: "\(directory)/\(chart.path)")
        let page = try orExit { try RenderedReport.write(directory, isStatic: true, notify: notify) }
        if let problem = page.problem {
            notify("\(directory)/\(RenderedReport.fileName): charts are missing: \(problem)")
        }
    }

    /// The verdict and the totals as JSON.
    public var json: JSONValue {
        [
            "verdict": .string(verdict),
            "judgement": .string(backtest.judgement.rawValue),
            "replications": .integer(Int64(backtest.replications)),
            "rides_of_the_log": .integer(Int64(backtest.tracedRides)),
            "totals": .array(
                backtest.totals.map { total in
                    [
                        "measure": .string(total.measure.rawValue), "log": .number(total.log),
                        "model": .number(total.model),
                        "low": .number(total.interval.lowerBound), "high": .number(total.interval.upperBound),
                        "windows_inside": backtest.shareWithin(total.measure).map { .number($0) } ?? .null,
                    ]
                }
            ),
        ]
    }

    /// The windows as CSV; times are UTC if the log states its zone, and otherwise the log's own.
    public var csv: String {
        var lines = ["at_us,measure,log,model,low,high"]
        for window in backtest.windows {
            let at = cleaning.clock?.utc(window.at) ?? window.at
            for comparison in window.comparisons {
                let numbers = [
                    comparison.log, comparison.model, comparison.interval.lowerBound, comparison.interval.upperBound,
                ]
                let texts = numbers.map { FixedPoint.text($0, places: 6) ?? "" }
                lines.append("\(at),\(comparison.measure.rawValue),\(texts.joined(separator: ","))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: - Words

    private func local(_ at: Int64) -> Int64 { cleaning.clock?.local(at) ?? at }

    private func time(_ at: Int64) -> String {
        let minutes = (local(at) / 60_000_000) % 1440
        let clock = String(format: "%02d:%02d", minutes / 60, minutes % 60)
        let day = local(at) / 86_400_000_000 - local(backtest.span.lowerBound) / 86_400_000_000
        return day > 0 ? "\(clock) (day \(day + 1))" : clock
    }

    private static func name(_ measure: Measure) -> String {
        switch measure {
        case .believedFresh: "believed fresh, of watched time during rides"
        case .pushes: "requests to APNs"
        case .retries: "attempts to recover"
        case .ends: "end events"
        case .accepted: "accepted requests"
        case .unanswered: "requests without an answer"
        case .rejected: "rejected requests"
        case .wait: "mean wait in the sender"
        case .latency: "geometric mean of latency"
        case .tokens: "first tokens"
        case .reportedEnds: "ends that apps reported during rides"
        }
    }

    /// The sender's pauses of the scenario, if all that the model waits longer than the log is in their windows; otherwise nil.
    private func pauseCause(_ comparison: Backtest.Comparison) -> String? {
        guard comparison.measure == .wait, comparison.difference > 0, let outside = backtest.waitOutsidePauses,
            outside.isWithin
        else { return nil }
        let pauses = list(backtest.faults.filter { $0.kind == .senderPaused })
        return
            "All of it comes from the scenario's \(MarkdownText.escaped(pauses)): without these windows the mean waits are "
            + "\(Self.text(outside.log, .wait)) in the log and \(Self.text(outside.model, .wait)) in the model. The fault keeps the content "
            + "of the pause and sends all of it afterwards; a sender that then sends only current content, as after a deployment, has no such "
            + "waits. `sender.patience` drops what waits longer, and `sender.coalesce` keeps only the newest content of an activity; both hold for "
            + "the whole day."
    }

    /// The assumption that could explain a disagreement.
    private static func cause(_ comparison: Backtest.Comparison) -> String {
        switch comparison.measure {
        case .believedFresh, .retries:
            "Check the settings of the monitor and `monitor.retry.budget`, which a log does not show."
        case .pushes, .accepted:
            "Check `rides.stages[].refresh`. A log does not show the pushes that the sender drops."
        case .ends: "Check `monitor.end_schedule` and `devices.swipe`."
        case .unanswered: "Check `faults` and `sender.timeout`."
        case .rejected:
            "Check `apns.reasons`, and `devices.token.rotation` with `apns.expired_token_lag` for the answers 410."
        case .wait: "Check `sender.connections`, `sender.streams` and `cells`."
        case .latency: "Check `sender.request_time`, which the model has alike in all hours."
        case .tokens: "Check `devices.token` and `devices.activities_enabled`."
        case .reportedEnds: "Check `devices.swipe` and `devices.stale_content_limit`."
        }
    }

    private static func span(_ span: Int64) -> String {
        DurationText.text(TimeSpan(microseconds: (span + 500_000) / 1_000_000 * 1_000_000))
    }

    private static func number(_ number: Double) -> String { FixedPoint.text(number, places: 2) ?? "–" }

    private static func text(_ value: Double, _ measure: Measure) -> String {
        if measure.isShare { return "\(number(value * 100)) %" }
        // The value is the mean of logarithms.
        if measure == .latency { return "\(FixedPoint.text(exp(value) / 1000, places: 1) ?? "–") ms" }
        if measure.isTime { return "\(FixedPoint.text(value / 1000, places: 1) ?? "–") ms" }
        return FixedPoint.text(value, places: 0) ?? "–"
    }

    private static func text(_ range: ClosedRange<Double>, _ measure: Measure) -> String {
        let low = measure.isShare ? range.lowerBound : max(measure == .latency ? -.infinity : 0, range.lowerBound)
        let high = measure.isShare ? min(1, range.upperBound) : range.upperBound
        return "\(text(max(low, measure.isShare ? 0 : low), measure)) … \(text(high, measure))"
    }

    private static func difference(_ comparison: Backtest.Comparison) -> String {
        let measure = comparison.measure
        let sign = comparison.difference < 0 ? "−" : "+"
        let size = abs(comparison.difference)
        if measure.isShare { return "\(sign)\(number(size * 100)) points" }
        if measure == .latency { return "\(sign)\(number((exp(size) - 1) * 100)) %" }
        if measure.isTime || comparison.log == 0 { return sign + text(size, measure) }
        return "\(sign)\(number(size / comparison.log * 100)) %"
    }
}
