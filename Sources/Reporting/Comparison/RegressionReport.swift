public import Evaluation
import InputFiles
import LiveActivityModel
import Results
import TextFormats

/// The verdict on a run: whether it is worse than its baseline, and whether its own checks hold.
public struct RegressionReport: Sendable {
    private let checks: [CheckOutcome]
    private let isStrict: Bool
    private let report: ComparisonReport

    /// Creates the report of a comparison with the baseline as the first run.
    ///
    /// - Parameter isStrict: `true` if a metric must certainly be no worse than before, or else fails.
    public init(_ report: ComparisonReport, checks: [CheckOutcome], isStrict: Bool = false) {
        self.report = report
        self.checks = checks
        self.isStrict = isStrict
    }

    private var comparison: ResultComparison { report.comparison }

    /// `true` if a metric is worse than in the baseline beyond the noise, or is lost.
    public var isRegression: Bool { comparison.metrics.contains { $0.verdict == .worse } }

    /// `true` if the report is strict and a metric is not certain.
    public var isInconclusive: Bool { isStrict && comparison.metrics.contains(where: \.isOpen) }

    /// `true` if no metric could be judged.
    ///
    /// A run about which nothing is known does not pass.
    public var hasNothingJudged: Bool { comparison.verdict == .nothingJudged }

    private func fails(_ metric: MetricComparison) -> Bool {
        metric.verdict == .worse || isStrict && metric.isOpen || hasNothingJudged && metric.isUnjudged
    }

    /// `true` if a check of the run's own scenario does not hold, or was not measured.
    public var hasFailedChecks: Bool { !failedChecks.isEmpty }

    private var failedChecks: [CheckOutcome] { checks.filter { !$0.holds } }

    /// The verdict in sentences, after a note on different versions of the program.
    public var verdict: String {
        let worse = comparison.metrics.filter { $0.verdict == .worse }
        let unsure = comparison.metrics
            .filter { ![.otherBasis, .notMeasured].contains($0.verdict) }
            .filter { isStrict ? $0.isOpen && $0.verdict != .worse : $0.verdict == .unsure && $0.direction != .neutral }
        let strictly = isStrict ? ", which fails with --strict" : ""
        var sentences: [String] = []
        if hasNothingJudged {
            sentences.append("\(report.nothingJudged).")
        } else if worse.isEmpty, comparison.isOfSingleWorlds {
            sentences.append("\(ComparisonReport.ofSingleWorlds)\(isStrict ? " (fails with --strict)" : "").")
        } else {
            if !worse.isEmpty {
                sentences.append("Regression: worse than the baseline in \(ComparisonReport.names(of: worse)).")
            } else if report.withoutVerdict.isEmpty {
                sentences.append("No regression beyond the noise\(isInconclusive ? " is certain" : "").")
            } else {
                let count = comparison.judged.count
                sentences.append(
                    "\(count == 1 ? "The metric" : "Of the \(count) metrics") that could be judged\(count == 1 ? "" : ",") "
                        + "\(count == 1 ? "is not" : "none is") \(isStrict ? "certainly " : "")worse beyond the noise."
                )
            }
            if !unsure.isEmpty { sentences.append("Not sure about \(ComparisonReport.list(of: unsure))\(strictly).") }
            if !report.withoutVerdict.isEmpty {
                let reason = report.withoutVerdict
                sentences.append(reason.prefix(1).uppercased() + reason.dropFirst() + "\(strictly).")
            }
        }
        if hasFailedChecks { sentences.append("\(failures.joined(separator: ", ")).") }
        let note = comparison.noteOnVersions
        return ((note.isEmpty ? [] : [note]) + sentences).joined(separator: " ")
    }

    /// The numbers of checks that did not pass: `2 of 8 checks failed`.
    private var failures: [String] {
        let all = checks.count.counted("check", "checks")
        return checks.countsWithoutPassing.map { "\($0.count) of \(all) \($0.words)" }
    }

    /// The report for a terminal; ends with a newline.
    public var text: String {
        let failures = failedChecks.map { "check \($0.namedSentence)" }
        return [Block](report.body, failures.isEmpty ? nil : Block.list(failures), verdict).plain
    }

    /// The counts behind the verdict: `4 of 13 metrics worse, 1 not judged, 2 of 8 checks failed`, with those that can be
    /// better or worse as the whole.
    var headline: String {
        let worse = comparison.metrics.count { $0.verdict == .worse }
        let metrics = comparison.directed.count.counted("metric", "metrics")
        let unjudged = comparison.unjudged.count
        let judgement =
            if hasNothingJudged {
                "no verdict on any of \(metrics)"
            } else if worse > 0 {
                "\(worse) of \(metrics) worse"
            } else if isInconclusive {
                "not certain with these replications that none of \(metrics) is worse"
            } else {
                "none of \(metrics) worse"
            }
        let passed =
            checks.isEmpty || hasFailedChecks
            ? [] : [checks.count == 1 ? "the check passed" : "all \(checks.count) checks passed"]
        let rest = unjudged > 0 && !hasNothingJudged ? ["\(unjudged) not judged"] : []
        return ([judgement] + rest + failures + passed).joined(separator: ", ")
    }

    /// The report for a pull request, short enough for a comment; ends with a newline.
    ///
    /// It begins with the counts. The changes, the failed checks, the metrics that differ, the worst first, and a picture
    /// follow. All metrics with their intervals, and the method, are folded in below.
    public var markdown: String {
        let fails = isRegression || isInconclusive || hasNothingJudged || hasFailedChecks
        let isWhole = report.withoutVerdict.isEmpty && !comparison.isOfSingleWorlds
        let mark = fails ? "❌" : isWhole ? "✅" : "⚠️"
        let note = comparison.noteOnVersions
        let version = comparison.versions.common.map { "Both were made by \($0)." } ?? ""
        let failed = checks.failures(name: \.check.name).map { "❌ \(MarkdownText.code($0))" }
        let blocks = [Block](
            Block.heading(3, "\(mark) Freshness: \(headline)"),
            note.isEmpty ? nil : "⚠️ **\(note)**",
            report.headline,
            report.changes,
            hasFailedChecks ? Block.list(failed) : nil,
            differing,
            unjudged,
            doubts,
            FreshCourse.drawing(comparison),
            "<details><summary>All metrics, their intervals and the method</summary>",
            Block.list(report.sideLines),
            version,
            neutral,
            report.details,
            "</details>"
        )
        return Excerpt.lines(of: blocks.markdown, within: ComparisonReport.longestComment) {
            $0.utf16.count
        }
    }

    /// A sentence on the metrics that could not be judged, with the reasons; empty if there are none, or if no metric was
    /// judged.
    private var unjudged: String {
        let count = comparison.unjudged.count
        return count == 0 || hasNothingJudged ? "" : "\(count) not judged: \(report.reasonsForNoVerdict)."
    }

    /// A sentence on the metrics besides those that can be better or worse; empty if there are none.
    private var neutral: String {
        let neutral = comparison.metrics.filter { $0.direction == .neutral && !$0.isLost }
        guard !neutral.isEmpty else { return "" }
        return "\(neutral.count) more \(neutral.count == 1 ? "has" : "have") no better direction and cannot fail: "
            + "\(ComparisonReport.list(of: neutral))."
    }

    /// The metrics that differ or have no verdict, in words, the worst first; nil if there are none.
    private var differing: TextTable? {
        let order: [MetricComparison.Verdict] = [.worse, .unsure, .better]
        let rows = comparison.metrics
            .filter { metric in
                ![.same, .withinNoise, .undefined].contains(metric.verdict) && metric.unmet?.isInBoth != true
            }
            .enumerated()
            .sorted { one, other in
                let places = [one, other].map { order.firstIndex(of: $0.element.verdict) ?? order.count }
                return (places[0], one.offset) < (places[1], other.offset)
            }
        guard !rows.isEmpty else { return nil }
        let names = comparison.options.names
        return TextTable(
            ["", "metric", .number(names.titles.first), .number(names.titles.second), "difference:"],
            rows: rows.map { _, metric in
                [
                    metric.mark + metric.words(names.second),
                    MetricWords.name(of: metric.response) + (metric.point.map { " at \(MarkdownText.code($0))" } ?? ""),
                    metric.text(metric.first), metric.text(metric.second), metric.changeText,
                ]
            }
        )
    }

    /// A sentence on a missing verdict or on differences that may be chance; empty without either.
    private var doubts: String {
        if hasNothingJudged { return "\(report.nothingJudged)." }
        if comparison.isOfSingleWorlds { return "\(ComparisonReport.ofSingleWorlds)." }
        return comparison.metrics.contains(where: \.isOfOneReplication)
            ? "One replication each: differences may be chance. `--replications 5` or more shows." : ""
    }

    /// The test cases: one for each metric and one for each check.
    public var testSuites: [TestSuite] {
        let name = report.sides.second.name
        let metrics = comparison.metrics.map { metric in
            let hasNoVerdict = [.otherBasis, .notMeasured].contains(metric.verdict)
            return TestCase(
                name: metric.response + (metric.point.map { " at \($0)" } ?? ""),
                group: "freshet.regression.\(name)",
                output: fails(metric) || hasNoVerdict ? "" : metric.sentence,
                failure: fails(metric) ? metric.sentence : nil,
                skipped: !fails(metric) && hasNoVerdict ? metric.sentence : nil
            )
        }
        let regression = TestSuite(name: "\(name) against the baseline", cases: metrics)
        guard !checks.isEmpty else { return [regression] }
        let cases = checks.map { check in
            TestCase(
                name: check.check.name,
                group: "freshet.checks.\(name)",
                sentence: check.namedSentence,
                holds: check.holds
            )
        }
        return [regression, TestSuite(name: "checks of \(name)", cases: cases)]
    }
}

extension CheckOutcome {
    /// A sentence with the name, all numbers and the verdict.
    fileprivate var namedSentence: String {
        let comparison = check.comparison
        let demand =
            "\(comparison.response.text)\(basis) \(comparison.relation.rawValue) \(text(limit))"
            + (comparison.confidenceText.map { " with \($0)" } ?? "")
        let words =
            switch verdict {
            case .holds: "passed"
            case .notSure: "is not sure"
            case .notMeasured: "is not measured"
            case .fails, .undefined: "failed"
            }
        let start = "\(OneLine.text(check.name)): \(demand) \(words)"
        return verdict == .notMeasured ? start : "\(start), it is \(value == nil ? "undefined" : text(value?.double))"
    }
}

extension MetricComparison {
    /// The mark before the verdict, with a space after it; empty if the metric is neither better nor worse.
    fileprivate var mark: String {
        switch verdict {
        case .worse: "❌ "
        case .better: "✅ "
        case .unsure: "❔ "
        default: ""
        }
    }
}
