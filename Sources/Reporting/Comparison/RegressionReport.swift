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

    /// The verdict in sentences.
    public var verdict: String { verdict(withChecks: true) }

    private func verdict(withChecks: Bool) -> String {
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
        if withChecks, hasFailedChecks {
            let count = failedChecks.count
            let unmeasured = failedChecks.count { $0.verdict == .notMeasured }
            let all = "\(Format.counted(checks.count, "check", "checks")) of the scenario"
            if count > unmeasured {
                let isOne = count - unmeasured == 1
                let isDoubtful = failedChecks.contains { $0.verdict == .notSure }
                sentences.append(
                    "\(count - unmeasured) of \(all) "
                        + (isDoubtful
                            ? "\(isOne ? "is" : "are") not certain to hold." : "\(isOne ? "does" : "do") not hold.")
                )
            }
            if unmeasured > 0 {
                sentences.append("\(unmeasured) of \(all) \(unmeasured == 1 ? "is" : "are") not measured.")
            }
        }
        if let difference = comparison.versions.difference("Baseline", "run") { sentences.append("\(difference).") }
        return sentences.joined(separator: " ")
    }

    /// The report for a terminal, with the baseline as A and a newline at its end.
    public var text: String {
        let failures = failedChecks.map { "check \($0.namedSentence)" }
        return ([report.text] + (failures.isEmpty ? [] : [failures.joined(separator: "\n") + "\n"]))
            .joined(separator: "\n") + "\n\(verdict)\n"
    }

    /// The counts behind the verdict: `4 of 15 metrics worse, 2 of 8 checks fail`.
    var headline: String {
        let worse = comparison.metrics.count { $0.verdict == .worse }
        let metrics = comparison.metrics.count == 1 ? "1 metric" : "\(comparison.metrics.count) metrics"
        var parts: [String] = []
        if hasNothingJudged {
            parts.append("no verdict on any of \(metrics)")
        } else if worse > 0 {
            parts.append("\(worse) of \(metrics) worse")
        } else if isInconclusive {
            parts.append("not certain that none of \(metrics) is worse")
        } else {
            parts.append("none of \(metrics) worse")
        }
        let unmeasured = checks.count { $0.verdict == .notMeasured }
        let failing = failedChecks.count - unmeasured
        let all = checks.count == 1 ? "1 check" : "\(checks.count) checks"
        if failing > 0 { parts.append("\(failing) of \(all) \(failing == 1 ? "fails" : "fail")") }
        if unmeasured > 0 { parts.append("\(unmeasured) of \(all) not measured") }
        if failedChecks.isEmpty, !checks.isEmpty {
            parts.append(checks.count == 1 ? "the check holds" : "all \(all) hold")
        }
        return parts.joined(separator: ", ")
    }

    /// The report for a pull request, short enough for a comment; ends with a newline.
    ///
    /// The headline only has counts. The failed checks, the changes and the metrics follow, the worst first.
    public var markdown: String {
        let fails = isRegression || isInconclusive || hasNothingJudged || hasFailedChecks
        let isWhole = report.withoutVerdict.isEmpty && !comparison.isOfSingleWorlds
        let mark = fails ? "❌" : isWhole ? "✅" : "⚠️"
        let failures = Block.list(failedChecks.map { "❌ \(MarkdownText.code($0.namedSentence))" })
        let blocks = [Block](
            Block.heading(3, "\(mark) Freshness: \(headline)"),
            hasFailedChecks ? failures : nil,
            verdict(withChecks: false),
            report.subject,
            report.forPullRequest.details
        )
        return Excerpt.lines(of: blocks.markdown, within: ComparisonReport.longestComment) {
            $0.utf16.count
        }
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
            case .holds: "holds"
            case .notSure: "is not sure"
            case .notMeasured: "is not measured"
            case .fails, .undefined: "does not hold"
            }
        let start = "\(OneLine.text(check.name)): \(demand) \(words)"
        return verdict == .notMeasured ? start : "\(start), it is \(value == nil ? "undefined" : text(value?.double))"
    }
}
