import Evaluation
import LiveActivityModel
import TextFormats

/// The outcome of a check as people read it, in tables and sentences.
extension CheckOutcome {
    private var comparison: Comparison { check.comparison }

    /// The name in the table: the response, after the given name if there is one.
    var title: String {
        let response = comparison.response.text
        if response == Self.failedRequests { return "failed requests (--max-failures)" }
        return (check.givenName.isEmpty ? response : "\(OneLine.text(check.givenName)) (\(response))") + basis
    }

    /// The basis of a sum over several replications: ` (sum of 3 runs)`; empty for other values.
    var basis: String { isSum && replications > 1 ? " (sum of \(replications) runs)" : "" }

    /// `true` for a load, whose values have no intervals.
    var isOfLoad: Bool { replications == 0 }

    /// `true` if the replications cannot decide: the interval contains the limit.
    var isUndecided: Bool { verdict == .notSure || doubtfulEnd != nil }
    /// `true` if it holds and the interval does not contain the limit.
    var holdsSurely: Bool { holds && !isUndecided }
    /// `true` if it fails and the interval does not contain the limit.
    var failsSurely: Bool { !holds && verdict != .notMeasured && !isUndecided }

    func text(_ value: Double?) -> String { Format.value(value, unit: unit, isShare: isShare) }

    /// The value, with all decimal places if rounding would hide that it differs from the limit.
    var valueText: String {
        let text = text(value?.double)
        if let bound = unanswered?.bound { return "≥ \(self.text(bound))" }
        guard let value = value?.double, value != limit, text == self.text(limit),
            let exact = FixedPoint.text(value, places: 6)
        else { return text }
        return unit == "us" ? "\(exact) µs" : exact
    }

    /// The verdict, with the doubt that the interval or missing answers leave.
    var words: String {
        if let unmet { return unmet.text }
        if let unanswered {
            let (missing, all) = (Format.count(Int64(unanswered.missing)), Format.count(Int64(unanswered.all)))
            let fate = unanswered.isOfPushes ? "pushes never accepted" : "requests unanswered"
            return "\(verdict.words): \(missing) of \(all) \(fate)"
        }
        if undecidedBy > 0 { return "undecided: \(LoadReport.withoutAnswer(undecidedBy))" }
        let reach = doubtfulEnd.map { "the interval reaches \(text($0))" }
        switch verdict {
        case .undefined, .notMeasured: return verdict.words
        case .notSure: return "\(verdict.words): \(reach ?? "there is no interval"); \(advice)"
        case .holds where isOfNone:
            let isOfPushes = comparison.response.metric == Unanswered.waitOfPushes
            return "\(verdict.words): \(isOfPushes ? "each push was accepted" : "no request was unanswered")"
        case .holds, .fails: return verdict.words + (reach.map { ", but \($0)" } ?? "")
        }
    }

    /// The advice for a check that is not certain.
    private var advice: String {
        if let neededReplications {
            let needed = Format.count(Int64(neededReplications))
            return "about \(needed) replications may decide; there are \(replications)"
        }
        if interval == nil {
            return replications < 5 ? "run it with --replications 5 or more" : "more replications or rides may decide"
        }
        if isSum {
            return "counts add up over replications, so more of them do not help: use a rate, a share or another limit"
        }
        return "the value is too close to the limit for any number of replications"
    }

    /// The interval, with its level if that differs from the table's.
    fileprivate var intervalText: String {
        let text = Format.interval(interval, unit: unit, isShare: isShare)
        guard !text.isEmpty, let confidence = comparison.confidence, confidence != 0.95 else { return text }
        return "\(text) (at \(levelText))"
    }

    /// The level of the interval: `95 %`.
    private var levelText: String { (comparison.confidenceText ?? "95%").replacing("%", with: " %") }

    /// The value, or the reason why there is none, and the limit: `91.34 %, must be >= 90%`.
    fileprivate var valueAndDemand: String {
        "\(unmet?.text ?? valueText + basis), must be \(comparison.demand)"
    }

    /// A sentence for readers who do not know the metrics: the name, the response in words, the value, the limit and
    /// the verdict.
    var plainSentence: String {
        let given = check.givenName.isEmpty ? "" : MarkdownText.escaped("\(OneLine.text(check.givenName)): ")
        return "\(given)\(MetricWords.name(of: comparison.response.text)): \(valueAndDemand)"
            + (unmet == nil ? ": \(words)" : "")
    }

    /// A sentence with the numbers, the limit and the verdict.
    var sentence: String {
        if let unmet {
            return "\(comparison.response.text)\(basis) is \(unmet.text); it must be \(comparison.demand)"
        }
        var text = "\(comparison.response.text)\(basis) is \(verdict == .undefined ? "undefined" : valueText)"
        if value != nil, unanswered == nil, unit != "count", CSVText.field(value) != valueText {
            text += " (\(CSVText.field(value))\(unit == "us" ? " µs" : ""))"
        }
        if interval != nil {
            text += ", \(levelText) interval \(Format.interval(interval, unit: unit, isShare: isShare)) from \(n) parts"
        }
        return text + "; must be \(comparison.demand): \(words)"
    }

    fileprivate var fields: [String] {
        // Whole numbers are written as such, except for pure numbers.
        let whole = unit == "1" ? nil : Int64(exactly: limit)
        return [check.name, comparison.response.text, comparison.relation.rawValue]
            + [whole.map { "\($0)" } ?? CSVText.field(limit), unit]
            + [CSVText.field(unanswered == nil ? value : nil)] + CSVText.bounds(interval)
            + ["\(n)", CSVText.field(comparison.confidence), verdict.rawValue]
    }
}

extension CheckOutcome.Verdict {
    /// The verdict in words.
    fileprivate var words: String {
        switch self {
        case .holds: "passed"
        case .fails: "failed"
        case .undefined: "failed: undefined, there is no data"
        case .notSure: "not sure"
        case .notMeasured: "not measured"
        }
    }
}

/// The verdict at the top of a report, on the checks of a scenario or the thresholds of a load.
extension [CheckOutcome] {
    /// Counts the checks by verdict: `3 checks: 2 passed, 1 failed`.
    func counts(of noun: String) -> String {
        let passed = count(where: \.holds)
        let all = count.counted(noun, "\(noun)s")
        guard passed < count else { return "\(all): \(count == 1 ? "passed" : "all passed")" }
        let others = countsWithoutPassing.map { "\($0.count) \($0.words)" }
        return "\(all): " + (["\(passed) passed"] + others).joined(separator: ", ")
    }

    /// The numbers of checks that did not pass, by verdict.
    var countsWithoutPassing: [(count: Int, words: String)] {
        let unsure = count { $0.verdict == .notSure }
        let unmeasured = count { $0.verdict == .notMeasured }
        let failed = count { !$0.holds } - unsure - unmeasured
        return [(failed, "failed"), (unsure, "not sure"), (unmeasured, "not measured")]
            .filter { $0.0 > 0 }
    }

    /// Returns the checks that do not hold, each with its limit and its value, or the reason why there is no value.
    ///
    /// - Parameter name: Returns the name of a check.
    func failures(name: (CheckOutcome) -> String) -> [String] {
        filter { !$0.holds }.map { "\(name($0)): \($0.valueAndDemand)" }
    }

    /// Returns the verdict as a sentence in Markdown: all hold, or each that does not.
    ///
    /// - Parameters:
    ///   - noun: The kind of the checks: `threshold`.
    ///   - name: Returns the name of a check.
    /// - Precondition: There is at least one check.
    func verdict(of noun: String, name: (CheckOutcome) -> String) -> String {
        let failed = failures { MarkdownText.escaped(name($0)) }
        guard !failed.isEmpty else { return "✓ **\(counts(of: noun)).**" }
        let list = failed.joined(separator: "; ")
        return "✗ **\(counts(of: noun)).** \(list)\(list.hasSuffix(".") ? "" : ".")"
    }
}

extension CSVText {
    /// Returns `checks.csv` of runs and of loads, one row per check.
    static func checks(_ outcomes: [CheckOutcome]) -> String {
        text(
            header: [
                "name", "response", "operator", "limit", "unit", "value", "ci_low", "ci_high", "n", "confidence",
                "verdict",
            ],
            rows: outcomes.map(\.fields)
        )
    }
}

extension TextTable {
    /// Returns the table of checks and thresholds, with a column of intervals unless all are of loads.
    static func checks(_ outcomes: [CheckOutcome], title: String) -> TextTable {
        let hasIntervals = outcomes.contains { !$0.isOfLoad }
        var table = TextTable(
            ["\(title)", "must be:", "is:"] + (hasIntervals ? ["95 % interval:"] : []) + ["verdict"],
            rows: outcomes.map { outcome in
                [outcome.title, outcome.check.comparison.demand, outcome.valueText]
                    + (hasIntervals ? [outcome.intervalText] : []) + [outcome.words]
            }
        )
        table.othersWords = [0]
        return table
    }
}
