public import Experiments
import LiveActivityModel
import TextFormats

/// A comparison of two runs, two tests in real time or two sweeps, for people, for pull requests and for scripts.
public struct ComparisonReport: Sendable {
    /// GitHub refuses a comment that is longer [characters].
    public static let longestComment = 65_536
    /// More changes of the scenario than this are not listed.
    static let mostChanges = 40

    let comparison: any ComparedResults
    /// What was held against what.
    let sides: (first: Side, second: Side)
    /// What the two were made from: `scenarios`.
    private let origins: String
    /// How differences came about, as the beginning of a sentence that goes on with the noise.
    private let differences: String
    /// The metrics in the order of the table's rows.
    var listed: [MetricComparison]
    /// `true` if verdicts bear marks: ❌ for worse, ✅ for better.
    var hasMarks = false

    /// One of the two.
    struct Side: Sendable {
        /// Where it is and what, on a line.
        let title: String
        /// The scenario's name, or the command's.
        let name: String
        /// The hash of what made it.
        let id: String
        /// For scripts.
        let json: JSONValue
    }

    private init(
        _ comparison: any ComparedResults,
        _ first: Side,
        _ second: Side,
        origins: String,
        differences: String
    ) {
        self.comparison = comparison
        sides = (first, second)
        self.origins = origins
        self.differences = differences
        listed = comparison.metrics
    }

    /// The report of a comparison of whatever kind.
    public init(_ comparison: ResultComparison) {
        switch comparison {
        case .runs(let runs): self.init(runs)
        case .loads(let loads): self.init(loads)
        case .sweeps(let sweeps): self.init(sweeps)
        }
    }

    /// The report of a comparison of two runs.
    public init(_ comparison: RunComparison) {
        self.init(
            comparison,
            Side(comparison.first),
            Side(comparison.second),
            origins: "scenarios",
            differences: Self.intervals(of: comparison) + ", B minus A; A and B are means over replications"
        )
    }

    /// The report of a comparison of two tests in real time.
    public init(_ comparison: LoadComparison) {
        self.init(
            comparison,
            Side(comparison.first),
            Side(comparison.second),
            origins: "settings",
            differences: "Live runs: B minus A, without intervals"
        )
    }

    /// The report of a comparison of two sweeps.
    public init(_ comparison: SweepComparison) {
        self.init(
            comparison,
            Side(comparison.first),
            Side(comparison.second),
            origins: "scenarios",
            differences: "Point by point of \(comparison.points.count). " + Self.intervals(of: comparison)
                + ", B minus A; A and B are means over replications"
        )
    }

    private static func intervals(of comparison: any ComparedResults) -> String {
        let count = comparison.judgedCount
        let each = Format.percent(RunComparison.Options.level(forJudged: count))
        let level =
            count > 1
            ? "95 % together for the \(count) metrics that can be better or worse (Bonferroni: \(each) each)" : "95 %"
        let how =
            comparison.options.isUnpaired
            ? "Independent runs: differences of means with Welch's intervals"
            : "Replications paired on the same seeds: mean differences with Student's intervals"
        return "\(how), \(level)"
    }

    // MARK: - For people

    /// The comparison for a terminal; ends with a newline.
    public var text: String {
        let lines =
            ["A: \(sides.first.title)", "B: \(sides.second.title)"] + changeLines.map { "   \($0)" }
            + [""] + ([method.joined(separator: " ")] + comparison.notes).map(Format.wrapped)
            + ["", table.plain, "", Format.wrapped(verdict)]
        return lines.joined(separator: "\n") + "\n"
    }

    /// What changed, and which metrics it changed by more than the noise, for a terminal; ends with a newline.
    public var changesText: String {
        var shown = self
        shown.listed = listed.filter {
            ![.same, .withinNoise, .undefined, .otherBasis, .notMeasured].contains($0.verdict)
        }
        let table = shown.listed.isEmpty ? [] : [shown.table.plain, ""]
        return (changeLines + [""] + table + [Format.wrapped(verdict)]).joined(separator: "\n") + "\n"
    }

    /// The comparison in Markdown, short enough for a comment on a pull request; ends with a newline.
    public var markdown: String {
        Excerpt.lines(of: "**\(verdict)**\n\n\(subject)\n\n\(details)\n", within: Self.longestComment) {
            // GitHub counts as JavaScript does.
            $0.utf16.count
        }
    }

    /// The report with the rows that decide first, each with a mark before its verdict.
    var forPullRequest: ComparisonReport {
        var report = self
        report.hasMarks = true
        let order: [MetricComparison.Verdict] = [.worse, .unsure, .better]
        report.listed = listed.enumerated()
            .sorted { one, other in
                let places = [one, other].map { order.firstIndex(of: $0.element.verdict) ?? order.count }
                return (places[0], one.offset) < (places[1], other.offset)
            }
            .map(\.element)
        return report
    }

    /// What is compared, in Markdown: the two results, and what changed between them.
    var subject: String {
        "- A: \(sides.first.title)\n- B: \(sides.second.title)\n\n\(changesMarkdown)"
    }

    /// The table, and how it was made, in Markdown.
    var details: String {
        [table.markdown, (method + comparison.notes).map { "- \($0)" }.joined(separator: "\n")]
            .joined(separator: "\n\n")
    }

    /// What it comes to, in a sentence.
    public var verdict: String { verdict() }

    /// The same together with other metrics that are better or worse.
    func verdict(besides better: [String] = [], worse: [String] = [], mayBeChance: Bool = false) -> String {
        if comparison.verdict == .nothingJudged, better.isEmpty, worse.isEmpty { return nothingJudged }
        let judged = judgedVerdict(better, worse, mayBeChance)
        return withoutVerdict.isEmpty ? judged : "\(judged); \(withoutVerdict)"
    }

    /// Which metrics have no verdict and why, as the second half of a sentence; empty where all have one.
    var withoutVerdict: String {
        let metrics = comparison.metricsOnOtherBases
        let bases = RunComparison.differingBases(of: metrics).map(RunComparison.called)
        let notComparable =
            metrics.isEmpty
            ? ""
            : "no verdict on \(Self.list(of: metrics)): "
                + "\(bases.joined(separator: " and ")) \(bases.count == 1 ? "differs" : "differ")"
        return ([notComparable] + Self.reasons(of: comparison.metricsUnmetInOne))
            .filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// For each reason why metrics are not measured, a sentence without its full stop.
    static func reasons(of metrics: [MetricComparison]) -> [String] {
        var reasons: [String] = []
        for reason in metrics.compactMap(\.unmet?.reason) where !reasons.contains(reason) { reasons.append(reason) }
        return reasons.map { reason in
            "no verdict on \(list(of: metrics.filter { $0.unmet?.reason == reason })): \(reason)"
        }
    }

    var nothingJudged: String {
        let empty = comparison.metrics.filter { $0.isUnjudged && $0.verdict == .undefined }
        let unmet = Self.reasons(of: comparison.metrics.filter { $0.unmet?.isInBoth == true })
        let reasons = [withoutVerdict] + unmet + (empty.isEmpty ? [] : ["no values of \(Self.list(of: empty))"])
        return "Nothing could be judged: \(reasons.filter { !$0.isEmpty }.joined(separator: "; "))"
    }

    /// That independent runs of one replication each have no verdict, and what to do.
    static let ofSingleWorlds =
        "No verdict: one replication each of independent runs does not distinguish a difference from chance; run both with "
        + "--replications 5 or more"

    private func judgedVerdict(_ better: [String], _ worse: [String], _ mayBeChance: Bool) -> String {
        let directed = comparison.metrics.filter { $0.direction != .neutral || $0.isLost }
        func names(_ verdict: MetricComparison.Verdict, and others: [String] = []) -> String {
            let others =
                others.isEmpty ? [] : [others.joined(separator: ", ") + (mayBeChance ? " (may be chance)" : "")]
            let metrics = directed.filter { $0.verdict == verdict }
            return ((metrics.isEmpty ? [] : [Self.names(of: metrics)]) + others).joined(separator: ", ")
        }
        let (inBetter, inWorse) = (names(.better, and: better), names(.worse, and: worse))
        switch (inBetter.isEmpty, inWorse.isEmpty) {
        case (false, true): return "B is better: \(inBetter)"
        case (true, false): return "B is worse: \(inWorse)"
        case (false, false): return "B is better in \(inBetter), and worse in \(inWorse)"
        case (true, true): break
        }
        switch comparison.verdict {
        case .unsure where comparison.isOfSingleWorlds: return Self.ofSingleWorlds
        case .unsure: return "Not sure about \(names(.unsure)): more replications may tell"
        case .nothingJudged: return nothingJudged
        case .noDifference, .better, .worse, .trade:
            let place = withoutVerdict.isEmpty ? "" : " in what could be judged"
            return directed.filter { ![.otherBasis, .notMeasured].contains($0.verdict) }
                .allSatisfy { $0.verdict == .same || $0.verdict == .undefined }
                ? "No difference\(place)" : "No difference beyond the noise\(place)"
        }
    }

    /// Metrics of one verdict: those that differ, whether that may be chance, and those that have no value any more.
    ///
    /// Of sweeps each is named once, with the number of its points.
    static func names(of metrics: [MetricComparison]) -> String {
        let lost = list(of: metrics.filter(\.isLost))
        let rest = metrics.filter { !$0.isLost }
        guard !rest.isEmpty else { return "\(lost) (no data)" }
        let chance = rest.first(where: \.isOfOneReplication)
            .map { " (one \($0.counts == .liveRuns ? "live run" : "replication") each: may be chance)" }
        return list(of: rest) + (chance ?? "") + (lost.isEmpty ? "" : "; no data: \(lost)")
    }

    /// Metrics by name, each once.
    static func list(of metrics: [MetricComparison]) -> String {
        var counts: [(name: String, points: Int)] = []
        for metric in metrics {
            if let known = counts.firstIndex(where: { $0.name == metric.response }) {
                counts[known].points += 1
            } else {
                counts.append((metric.response, 1))
            }
        }
        guard metrics.contains(where: { $0.point != nil }) else { return counts.map(\.name).joined(separator: ", ") }
        return counts.map { "\($0.name) at \($0.points == 1 ? "1 point" : "\($0.points) points")" }
            .joined(separator: ", ")
    }

    /// How differences came about, sentence by sentence.
    private var method: [String] {
        let noise = (FixedPoint.text(comparison.options.noise * 100, places: 2) ?? Format.undefined) + " %"
        let detectable =
            "Detectable: the smallest difference that chance does not explain, half of the interval's width where there is one."
        return ["\(differences).", "Noise: \(noise) of A's value."] + (hasIntervals ? [detectable] : [])
    }

    /// Whether a difference may have an interval.
    private var hasIntervals: Bool { listed.contains { $0.counts != .liveRuns } }

    private var changeLines: [String] {
        let changes = comparison.changes
        guard !changes.isEmpty else { return ["the \(origins) are the same"] }
        let lines = changes.prefix(Self.mostChanges).map { OneLine.excerpt("\($0)", longest: 300) }
        return lines + (changes.count > lines.count ? ["and \(changes.count - lines.count) more"] : [])
    }

    private var changesMarkdown: String {
        guard !comparison.changes.isEmpty else { return "The \(origins) are the same." }
        // In a block of code nothing in a value is markup; no value holds a line break.
        return
            "What changed in the \(origins == "scenarios" ? "scenario" : origins):\n\n```\n\(changeLines.joined(separator: "\n"))\n```"
    }

    /// A row a metric; how many values it rests on where that is not all, and of sweeps of which point it is.
    var table: TextTable {
        let hasCounts = listed.contains(where: \.isPartial)
        let hasPoints = listed.contains { $0.point != nil }
        let hasIntervals = hasIntervals
        return TextTable(
            // What decides stands where no window is too narrow for it.
            (hasPoints ? [("point", .left)] : []) + [
                ("metric", .left), ("verdict", .left), ("A", .right), ("B", .right), ("B − A", .right), ("", .right),
            ] + (hasIntervals ? [("interval", .right), ("detectable", .right)] : [])
                + (hasCounts ? [("n", .right)] : []),
            rows: listed.map { metric in
                (hasPoints ? [metric.point ?? ""] : []) + [
                    metric.response, (hasMarks ? metric.mark : "") + metric.words, metric.text(metric.first),
                    metric.text(metric.second),
                    metric.text(difference: metric.difference), metric.relativeText,
                ] + (hasIntervals ? [metric.intervalText, metric.detectableText] : [])
                    + (hasCounts ? [metric.isPartial ? metric.countText : ""] : [])
            }
        )
    }
}

extension MetricComparison {
    fileprivate func text(_ value: Double?) -> String { Format.value(value, unit: unit, isShare: isShare) }

    fileprivate func text(difference: Double?) -> String { Format.difference(difference, unit: unit, isShare: isShare) }

    /// The bounds of the difference, with their signs.
    fileprivate var intervalText: String {
        interval.map { "\(text(difference: $0.lowerBound)) … \(text(difference: $0.upperBound))" } ?? ""
    }

    /// The smallest difference that could have been seen.
    fileprivate var detectableText: String {
        detectable.map { "±" + Format.distance($0, unit: unit, isShare: isShare) } ?? ""
    }

    /// The difference as a part of the first run's value.
    fileprivate var relativeText: String {
        guard let relativeDifference, relativeDifference != 0,
            let text = FixedPoint.text(relativeDifference.magnitude * 100, places: 2)
        else { return "" }
        return (relativeDifference < 0 ? "−" : "+") + text + " %"
    }

    /// How many pairs of values it rests on, or values of the first and of the second run.
    fileprivate var countText: String {
        switch counts {
        case .pairs(let count): "\(count)"
        case .independent(let first, let second): "\(first), \(second)"
        case .liveRuns: "1, 1"
        }
    }

    /// The mark before the verdict, with a space after it; empty where it is neither better nor worse.
    fileprivate var mark: String {
        switch verdict {
        case .worse: "❌ "
        case .better: "✅ "
        case .unsure: "❔ "
        default: ""
        }
    }

    /// The verdict in words.
    fileprivate var words: String {
        if isLost { return "worse: no data in B" }
        return switch verdict {
        case .better: "better"
        case .worse: "worse"
        case .higher: "higher"
        case .lower: "lower"
        case .same: "the same"
        case .withinNoise: "within the noise"
        case .unsure: "not sure"
        case .otherBasis:
            "not comparable because \(differingBases.map(RunComparison.called).joined(separator: " and ")) "
                + (differingBases.count == 1 ? "differs" : "differ")
        case .undefined: "undefined: no data"
        case .notMeasured: "no verdict: \(unmet?.reason ?? "")"
        }
    }

    /// Everything about it in a sentence.
    var sentence: String {
        let response = response + (point.map { " at \($0)" } ?? "")
        if isLost { return "\(response) was \(text(first)) and has no value now: worse, as nothing was measured" }
        var sentence = "\(response) went from \(text(first)) to \(text(second))"
        if let difference { sentence += ", by \(text(difference: difference))" }
        if !relativeText.isEmpty { sentence += " (\(relativeText))" }
        if interval != nil { sentence += ", interval \(intervalText)" }
        if detectable != nil { sentence += ", detectable \(detectableText)" }
        return sentence + ", noise ±\(Format.distance(noise, unit: unit, isShare: isShare)): \(words)"
    }
}
