public import Experiments
import LiveActivityModel
import TextFormats

/// A comparison of two runs, for people, for pull requests and for scripts.
public struct ComparisonReport: Sendable {
    /// GitHub refuses a comment that is longer [characters].
    public static let longestComment = 65_536
    /// More changes of the scenario than this are not listed.
    static let mostChanges = 40

    let comparison: RunComparison

    /// The report of a comparison.
    public init(_ comparison: RunComparison) {
        self.comparison = comparison
    }

    // MARK: - For people

    /// The comparison for a terminal; ends with a newline.
    public var text: String {
        let lines =
            ["A: \(title(comparison.first))", "B: \(title(comparison.second))"] + changeLines.map { "   \($0)" }
            + ["", method] + comparison.notes + ["", table.plain, "", verdict]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The comparison in Markdown, short enough for a comment on a pull request; ends with a newline.
    public var markdown: String {
        let parts = [
            "**\(verdict)**",
            "A: \(title(comparison.first))  \nB: \(title(comparison.second))",
            table.markdown, changesMarkdown, ([method] + comparison.notes).joined(separator: " "),
        ]
        return Excerpt.lines(of: parts.joined(separator: "\n\n") + "\n", within: Self.longestComment) {
            // GitHub counts as JavaScript does.
            $0.utf16.count
        }
    }

    /// What it comes to, in a sentence.
    public var verdict: String {
        if comparison.verdict == .nothingJudged { return nothingJudged }
        return withoutVerdict.isEmpty ? judgedVerdict : "\(judgedVerdict); \(withoutVerdict)"
    }

    /// Which metrics have no verdict and why, as the second half of a sentence; empty where all have one.
    var withoutVerdict: String {
        let metrics = comparison.metricsByOtherRulers
        guard !metrics.isEmpty else { return "" }
        let rulers = RunComparison.rulers(of: metrics)
        return "no verdict on \(metrics.map(\.response).joined(separator: ", ")): "
            + "\(rulers.joined(separator: " and ")) \(rulers.count == 1 ? "differs" : "differ")"
    }

    var nothingJudged: String {
        let empty = comparison.metrics.filter { $0.isUnjudged && $0.verdict == .undefined }.map(\.response)
        let reasons =
            [withoutVerdict] + (empty.isEmpty ? [] : ["no values of \(empty.joined(separator: ", "))"])
        return "Nothing could be judged: \(reasons.filter { !$0.isEmpty }.joined(separator: "; "))"
    }

    private var judgedVerdict: String {
        let directed = comparison.metrics.filter { $0.direction != .neutral || $0.isLost }
        func names(_ verdict: MetricComparison.Verdict) -> String {
            Self.names(of: directed.filter { $0.verdict == verdict })
        }
        switch comparison.verdict {
        case .better: return "B is better: \(names(.better))"
        case .worse: return "B is worse: \(names(.worse))"
        case .trade: return "B is better in \(names(.better)), and worse in \(names(.worse))"
        case .unsure: return "Not sure about \(names(.unsure)): more replications may tell"
        case .noDifference:
            let place = comparison.metricsByOtherRulers.isEmpty ? "" : " in what could be judged"
            return directed.filter { $0.verdict != .otherRuler }
                .allSatisfy { $0.verdict == .same || $0.verdict == .undefined }
                ? "No difference\(place)" : "No difference beyond the noise\(place)"
        case .nothingJudged: return nothingJudged
        }
    }

    /// Metrics of one verdict: those that differ, whether that may be chance, and those that have no value any more.
    static func names(of metrics: [MetricComparison]) -> String {
        let lost = metrics.filter(\.isLost).map(\.response).joined(separator: ", ")
        let rest = metrics.filter { !$0.isLost }
        guard !rest.isEmpty else { return "\(lost) (no data)" }
        return rest.map(\.response).joined(separator: ", ")
            + (rest.contains { $0.isOfOneReplication } ? " (one replication each: may be chance)" : "")
            + (lost.isEmpty ? "" : "; no data: \(lost)")
    }

    private func title(_ run: RecordedRun) -> String {
        "\(OneLine.text(run.path)) (\(run.scenario.name), seed \(run.scenario.seed), "
            + "\(Format.replications(run.replications)), run \(run.id))"
    }

    /// How differences and intervals came about.
    private var method: String {
        let noise = (FixedPoint.text(comparison.options.noise * 100, places: 2) ?? Format.undefined) + " %"
        let how =
            comparison.options.isUnpaired
            ? "Independent runs: differences of means with Welch's intervals"
            : "Replications paired on the same seeds: mean differences with Student's intervals"
        return """
            \(how), 95 % each, B minus A; A and B are means \
            over replications. Noise: \(noise) of A's value. Detectable: half of the interval's width, the smallest \
            difference that could have been told from none.
            """
    }

    private var changeLines: [String] {
        let changes = comparison.changes
        guard !changes.isEmpty else { return ["the scenarios are the same"] }
        let lines = changes.prefix(Self.mostChanges).map { OneLine.excerpt("\($0)", longest: 300) }
        return lines + (changes.count > lines.count ? ["and \(changes.count - lines.count) more"] : [])
    }

    private var changesMarkdown: String {
        guard !comparison.changes.isEmpty else { return "The scenarios are the same." }
        // In a block of code nothing in a value is markup; no value holds a line break.
        return "What changed in the scenario:\n\n```\n\(changeLines.joined(separator: "\n"))\n```"
    }

    /// A row a metric; how many values it rests on where that is not all.
    var table: TextTable {
        let hasCounts = comparison.metrics.contains(where: \.isPartial)
        return TextTable(
            [
                ("metric", .left), ("A", .right), ("B", .right), ("B − A", .right), ("95 % interval", .right),
                ("detectable", .right), ("", .right),
            ] + (hasCounts ? [("n", .right)] : []) + [("verdict", .left)],
            rows: comparison.metrics.map { metric in
                [
                    metric.response, metric.text(metric.first), metric.text(metric.second),
                    metric.text(difference: metric.difference), metric.intervalText, metric.detectableText,
                    metric.relativeText,
                ] + (hasCounts ? [metric.isPartial ? metric.countText : ""] : []) + [metric.words]
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
        case .otherRuler: "no verdict: another \(otherRulers.joined(separator: " and "))"
        case .undefined: "undefined: no data"
        }
    }

    /// Everything about it in a sentence.
    var sentence: String {
        if isLost { return "\(response) was \(text(first)) and has no value now: worse, as nothing was measured" }
        var sentence = "\(response) went from \(text(first)) to \(text(second))"
        if let difference { sentence += ", by \(text(difference: difference))" }
        if !relativeText.isEmpty { sentence += " (\(relativeText))" }
        if interval != nil { sentence += ", 95 % interval \(intervalText), detectable \(detectableText)" }
        return sentence + ", noise ±\(Format.distance(noise, unit: unit, isShare: isShare)): \(words)"
    }
}
