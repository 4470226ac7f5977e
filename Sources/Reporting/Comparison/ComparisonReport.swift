import LiveActivityModel
public import Results
import TextFormats

/// The report of a comparison of two runs, loads or sweeps: for people, for pull requests and for scripts.
public struct ComparisonReport: Sendable {
    /// The largest length of a comment on GitHub [characters].
    public static let longestComment = 65_536
    /// The largest number of changes that are listed.
    static let mostChanges = 40

    let comparison: ResultComparison
    /// The two results.
    let sides: (first: Side, second: Side)
    /// The metrics in the order of the table's rows.
    var listed: [MetricComparison]

    /// One of the two results.
    struct Side: Sendable {
        /// The path with a description, on one line.
        let title: String
        /// The name of the scenario or of the command.
        let name: String
        /// The hash of its inputs.
        let id: String
        /// The description for scripts.
        let json: JSONValue
    }

    /// Creates the report of a comparison.
    public init(_ comparison: ResultComparison) {
        self.comparison = comparison
        let cohorts = comparison.options.cohorts
        sides = (Side(comparison.first, cohort: cohorts?.first), Side(comparison.second, cohort: cohorts?.second))
        listed = comparison.metrics
    }

    /// The inputs of the two, in words: `scenarios`.
    private var origins: String { comparison.first.isLoad || isOfCohorts ? "settings" : "scenarios" }

    /// `true` if two cohorts of one result are compared.
    var isOfCohorts: Bool { comparison.options.cohorts != nil }

    /// The method of the comparison, as the start of a sentence.
    private var differences: String {
        let minus = "\(names.second) minus \(names.first)"
        guard hasIntervals else { return "Live runs: \(minus), without intervals" }
        return (comparison.first.isSweep ? "Point by point of \(comparison.points.count). " : "")
            + Self.intervals(of: comparison) + ", \(minus); both are "
            + (isOfCohorts && !comparison.first.isSweep
                ? "of all replications together, or means over them" : "means over replications")
    }

    private static func intervals(of comparison: ResultComparison) -> String {
        let count = comparison.judgedCount
        let each = Format.percent(ResultComparison.Options.level(forJudged: count))
        let level =
            count > 1
            ? "95 % together for all metrics that can be better or worse (Bonferroni: \(each) each)" : "95 %"
        let how =
            comparison.options.cohorts != nil
            ? "Both cohorts in each replication: mean differences with Student's intervals"
            : comparison.options.isUnpaired
                ? "Independent runs: differences of means with Welch's intervals"
                : "Replications paired on the same seeds: mean differences with Student's intervals"
        return "\(how), \(level)"
    }

    // MARK: - For people

    /// The comparison for a terminal; ends with a newline.
    public var text: String {
        [Block](body, Format.wrapped(verdict)).plain
    }

    /// The comparison for a terminal without its verdict.
    var body: [Block] {
        let lines = sideLines + changeLines.map { "   \($0)" }
        let notes = ([method.joined(separator: " ")] + comparison.notes).map(Format.wrapped)
        let headline = Headline.sentences(of: comparison)
        return [Block](
            Format.wrapped(comparison.noteOnVersions),
            Block.list(lines),
            headline.isEmpty ? nil : Block.list(headline.map(Format.wrapped)),
            Block.list(notes),
            table
        )
    }

    private var names: ResultComparison.Names { comparison.options.names }

    /// The two results, each after its name.
    var sideLines: [String] {
        ["\(names.titles.first): \(sides.first.title)", "\(names.titles.second): \(sides.second.title)"]
    }

    /// The changes, and the metrics that they moved beyond the noise, for a terminal; ends with a newline.
    public var changesText: String {
        var shown = self
        shown.listed = listed.filter {
            ![.same, .withinNoise, .undefined, .otherBasis, .notMeasured].contains($0.verdict)
        }
        let table = shown.listed.isEmpty ? nil : shown.table
        return [Block](Block.list(changeLines), table, Format.wrapped(verdict)).plain
    }

    /// The comparison in Markdown, short enough for a comment on a pull request; ends with a newline.
    public var markdown: String {
        Excerpt.lines(
            of: [Block](comparison.noteOnVersions, "**\(verdict)**", subject, headline, details).markdown,
            within: Self.longestComment
        ) {
            // GitHub counts as JavaScript does.
            $0.utf16.count
        }
    }

    /// The two results, and the changes between them.
    var subject: [Block] { [Block](Block.list(sideLines), changes) }

    /// The changes between the two.
    var changes: [Block] {
        guard !comparison.changes.isEmpty else { return "The \(origins) are the same.".blocks }
        let title = "Changes in the \(origins == "scenarios" ? "scenario" : origins):"
        // A code block disables all markup in values. No value holds a line break.
        return [Block](title, Block.code(changeLines.joined(separator: "\n")))
    }

    /// The headline of both, in sentences.
    var headline: String { Headline.sentences(of: comparison).joined(separator: " ") }

    /// The table and the method.
    var details: [Block] { [.table(table), .list(method + comparison.notes)] }

    /// The verdict, in a sentence.
    public var verdict: String { verdict() }

    /// Returns the verdict including other metrics that are better or worse.
    func verdict(besides better: [String] = [], worse: [String] = [], mayBeChance: Bool = false) -> String {
        if comparison.verdict == .nothingJudged, better.isEmpty, worse.isEmpty { return nothingJudged }
        let judged = judgedVerdict(better, worse, mayBeChance)
        return withoutVerdict.isEmpty ? judged : "\(judged); \(withoutVerdict)"
    }

    /// The metrics without a verdict and the reasons, as the second half of a sentence; empty if all have one.
    var withoutVerdict: String {
        let metrics = comparison.metricsOnOtherBases
        let bases = ResultComparison.differingBases(of: metrics).map(ResultComparison.called)
        let notComparable =
            metrics.isEmpty
            ? ""
            : "no verdict on \(Self.list(of: metrics)): "
                + "\(bases.joined(separator: " and ")) \(bases.count == 1 ? "differs" : "differ")"
        return ([notComparable] + Self.reasons(of: comparison.metricsUnmetInOne))
            .filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// Returns a sentence, without its full stop, for each reason why metrics are not measured.
    static func reasons(of metrics: [MetricComparison]) -> [String] {
        metrics.compactMap(\.unmet?.reason).unique
            .map { reason in
                "no verdict on \(list(of: metrics.filter { $0.unmet?.reason == reason })): \(reason)"
            }
    }

    var nothingJudged: String { "Nothing could be judged: \(reasonsForNoVerdict)" }

    /// The metrics without a verdict and all reasons, also that neither run has a value.
    var reasonsForNoVerdict: String {
        let empty = comparison.metrics.filter { $0.isUnjudged && $0.verdict == .undefined }
        let unmet = Self.reasons(of: comparison.metrics.filter { $0.unmet?.isInBoth == true })
        let reasons = [withoutVerdict] + unmet + (empty.isEmpty ? [] : ["no values of \(Self.list(of: empty))"])
        return reasons.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// The verdict on independent runs of one replication each, with the remedy.
    static let ofSingleWorlds =
        "No verdict: one replication each of independent runs cannot separate a difference from chance; run both with "
        + "--replications 5 or more"

    private func judgedVerdict(_ better: [String], _ worse: [String], _ mayBeChance: Bool) -> String {
        let directed = comparison.metrics.filter { $0.direction != .neutral || $0.isLost }
        func names(_ verdict: MetricComparison.Verdict, and others: [String] = []) -> String {
            let others =
                others.isEmpty ? [] : [others.joined(separator: ", ") + (mayBeChance ? " (may be chance)" : "")]
            let metrics = directed.filter { $0.verdict == verdict }
            return ((metrics.isEmpty ? [] : [Self.names(of: metrics)]) + others).joined(separator: ", ")
        }
        let second = comparison.options.names.atStart.second
        let (inBetter, inWorse) = (names(.better, and: better), names(.worse, and: worse))
        switch (inBetter.isEmpty, inWorse.isEmpty) {
        case (false, true): return "\(second) is better: \(inBetter)"
        case (true, false): return "\(second) is worse: \(inWorse)"
        case (false, false): return "\(second) is better in \(inBetter), and worse in \(inWorse)"
        case (true, true): break
        }
        switch comparison.verdict {
        case .unsure where comparison.isOfSingleWorlds: return Self.ofSingleWorlds
        case .unsure: return "Not sure about \(names(.unsure)): more replications may decide"
        case .nothingJudged: return nothingJudged
        case .noDifference, .better, .worse, .trade:
            let place = withoutVerdict.isEmpty ? "" : " in the metrics that could be judged"
            return directed.filter { ![.otherBasis, .notMeasured].contains($0.verdict) }
                .allSatisfy { $0.verdict == .same || $0.verdict == .undefined }
                ? "No difference\(place)" : "No difference beyond the noise\(place)"
        }
    }

    /// Lists metrics of one verdict, with a remark if the differences may be chance; lost metrics come last.
    ///
    /// For sweeps, each metric is named once, with the number of its points.
    static func names(of metrics: [MetricComparison]) -> String {
        let lost = list(of: metrics.filter(\.isLost))
        let rest = metrics.filter { !$0.isLost }
        guard !rest.isEmpty else { return "\(lost) (no data)" }
        let chance = rest.first(where: \.isOfOneReplication)
            .map { " (one \($0.counts == .liveRuns ? "live run" : "replication") each: may be chance)" }
        return list(of: rest) + (chance ?? "") + (lost.isEmpty ? "" : "; no data: \(lost)")
    }

    /// Lists metrics by name, each once.
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
        return counts.map { "\($0.name) at \($0.points.counted("point", "points"))" }
            .joined(separator: ", ")
    }

    /// The method of the comparison, sentence by sentence.
    private var method: [String] {
        let noise = (FixedPoint.text(comparison.options.noise * 100, places: 2) ?? Format.undefined) + " %"
        let detectable =
            "Detectable: the smallest difference that chance does not explain: the interval's half-width, if there is one."
        return ["\(differences).", "Noise: \(noise) of the value of \(names.first)."]
            + (hasIntervals ? [detectable] : [])
    }

    /// `true` if differences can have intervals.
    private var hasIntervals: Bool { !comparison.first.isLoad }

    private var changeLines: [String] {
        let changes = comparison.changes
        guard !changes.isEmpty else { return ["the \(origins) are the same"] }
        let lines = changes.prefix(Self.mostChanges).map { OneLine.excerpt("\($0)", longest: 300) }
        return lines + (changes.count > lines.count ? ["and \(changes.count - lines.count) more"] : [])
    }

    /// One row per metric, with the number of values if some are left out, and the design point for sweeps.
    var table: TextTable {
        let hasCounts = listed.contains(where: \.isPartial)
        let hasPoints = listed.contains { $0.point != nil }
        let hasIntervals = hasIntervals
        return TextTable(
            // The decisive columns come first, where even a narrow window shows them.
            (hasPoints ? ["point"] : []) + ["metric", "verdict"]
                + [.number(names.titles.first), .number(names.titles.second)]
                + [.number(names == .letters ? "B − A" : "difference"), ":"]
                + (hasIntervals ? ["interval:", "detectable:"] : []) + (hasCounts ? ["n:"] : []),
            rows: listed.map { metric in
                (hasPoints ? [metric.point ?? ""] : []) + [
                    metric.response, metric.words(names.second),
                    metric.text(metric.first), metric.text(metric.second),
                    metric.text(difference: metric.difference), metric.relativeText,
                ] + (hasIntervals ? [metric.intervalText, metric.detectableText] : [])
                    + (hasCounts ? [metric.isPartial ? metric.countText : ""] : [])
            }
        )
    }
}

extension MetricComparison {
    func text(_ value: Double?) -> String { Format.value(value, unit: unit, isShare: isShare) }

    func text(difference: Double?) -> String { Format.difference(difference, unit: unit, isShare: isShare) }

    /// The bounds of the difference, with their signs.
    var intervalText: String {
        interval.map { "\(text(difference: $0.lowerBound)) … \(text(difference: $0.upperBound))" } ?? ""
    }

    /// The smallest detectable difference.
    fileprivate var detectableText: String {
        detectable.map { "±" + Format.distance($0, unit: unit, isShare: isShare) } ?? ""
    }

    /// The difference as a share of the first run's value.
    fileprivate var relativeText: String {
        guard let relativeDifference, relativeDifference != 0,
            let text = FixedPoint.text(relativeDifference.magnitude * 100, places: 2)
        else { return "" }
        return (relativeDifference < 0 ? "−" : "+") + text + " %"
    }

    /// The number of pairs of values, or the numbers of values of the first and of the second run.
    fileprivate var countText: String {
        switch counts {
        case .pairs(let count): "\(count)"
        case .independent(let first, let second): "\(first), \(second)"
        case .liveRuns: "1, 1"
        }
    }

    /// Returns the verdict in words.
    ///
    /// - Parameter second: The name of the second result.
    func words(_ second: String) -> String {
        if isLost { return "worse: no data in \(second)" }
        return switch verdict {
        case .better: "better"
        case .worse: "worse"
        case .higher: "higher"
        case .lower: "lower"
        case .same: "the same"
        case .withinNoise: "within the noise"
        case .unsure: "not sure"
        case .otherBasis:
            "not comparable: \(differingBases.map(ResultComparison.called).joined(separator: " and ")) "
                + (differingBases.count == 1 ? "differs" : "differ")
        case .undefined: "undefined: no data"
        case .notMeasured: "no verdict: \(unmet?.reason ?? "")"
        }
    }

    /// A sentence with all numbers and the verdict.
    var sentence: String {
        let response = response + (point.map { " at \($0)" } ?? "")
        if isLost { return "\(response) was \(text(first)) and has no value now: worse, because nothing was measured" }
        var sentence = "\(response) went from \(text(first)) to \(text(second))"
        if let difference { sentence += ", by \(text(difference: difference))" }
        if !relativeText.isEmpty { sentence += " (\(relativeText))" }
        if interval != nil { sentence += ", interval \(intervalText)" }
        if detectable != nil { sentence += ", detectable \(detectableText)" }
        return sentence + ", noise ±\(Format.distance(noise, unit: unit, isShare: isShare)): \(words(""))"
    }
}
