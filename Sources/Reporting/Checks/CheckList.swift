public import Experiments
import LiveActivityModel

/// The checks of a scenario after a run: as a table for people, as checks.csv, as test cases.
public struct CheckList: Sendable {
    private let outcomes: [CheckOutcome]

    /// Outcomes in the order of the scenario file.
    public init(_ outcomes: [CheckOutcome]) {
        self.outcomes = outcomes
    }

    /// A row a check.
    public var rows: [CheckRow] { outcomes.map(\.row) }

    /// Whether there is nothing to tell.
    public var isEmpty: Bool { outcomes.isEmpty }

    /// `true` if a check does not hold, or was not measured.
    public var hasFailures: Bool { outcomes.contains { $0.verdict != .holds } }

    /// How many hold: `3 checks: 2 hold, 1 does not`.
    public var counts: String { rows.counts(of: "check") }

    /// A row a check, and the counts; ends with a newline.
    public var text: String { "\(table.plain)\n\n\(counts)\n" }

    /// The section of report.md; empty without checks.
    var section: String {
        isEmpty ? "" : Reporting.section("Checks", [table.markdown, "\(counts)."])
    }

    /// What does not hold, a line each below the counts, for a terminal.
    var failures: String { ([counts] + rows.failures(name: \.name).map { "  \($0)" }).joined(separator: "\n") }

    /// What stands on top of a report: whether all hold, or each that does not with its value and its limit.
    var verdict: String {
        guard !isEmpty else { return "The scenario has no checks." }
        return rows.verdict(of: "check", name: \.name)
    }

    /// The limits of checks of a metric over the whole run, in its unit, in the order of the file.
    func limits(of metric: String) -> [(name: String, limit: Double)] {
        outcomes.filter { outcome in
            let response = outcome.check.comparison.response
            return response.metric == metric && response.scope == "all" && response.window == nil
        }
        .map { ($0.check.name, $0.limit) }
    }

    /// The checks with their counts in Markdown; ends with a newline.
    public var markdown: String { "\(table.markdown)\n\n\(counts).\n" }

    private var table: TextTable { .checks(rows, title: "check") }

    /// `checks.csv`: a row a check.
    var csv: String { CSVText.checks(rows) }

    /// A test case for each check.
    public func testSuite(name: String) -> TestSuite {
        TestSuite(
            name: name,
            cases: outcomes.map { outcome in
                TestCase(
                    name: outcome.check.name,
                    group: "freshet.checks.\(name)",
                    sentence: outcome.sentence,
                    holds: outcome.verdict == .holds
                )
            }
        )
    }
}

extension CheckOutcome {
    var row: CheckRow {
        let comparison = check.comparison
        return CheckRow(
            name: check.name,
            subject: check.givenName.isEmpty ? nil : "\(OneLine.text(check.givenName)) (\(comparison.response.text))",
            basis: basis,
            response: comparison.response.text,
            relation: comparison.relation,
            demand: comparison.demand,
            limit: limit,
            unit: unit,
            isShare: isShare,
            value: value,
            interval: interval,
            intervalText: intervalText,
            n: n,
            confidence: comparison.confidence,
            verdict: verdict,
            words: words,
            unmet: unmet?.text ?? ""
        )
    }

    /// The basis of a sum over several replications: ` (sum of 3 runs)`; empty for other values.
    var basis: String { isSum && replications > 1 ? " (sum of \(replications) runs)" : "" }

    /// The verdict in words, with the doubt that the interval leaves.
    private var words: String {
        if let unmet { return unmet.text }
        let reach = doubtfulEnd.map { "the interval reaches \(Format.value($0, unit: unit, isShare: isShare))" }
        switch verdict {
        case .undefined, .notMeasured: return verdict.words
        case .notSure: return "\(verdict.words): \(reach ?? "there is no interval"); \(advice)"
        case .holds, .fails: return verdict.words + (reach.map { ", but \($0)" } ?? "")
        }
    }

    /// What would make sure of a check that is not.
    private var advice: String {
        if let neededReplications {
            let needed = Format.count(Int64(neededReplications))
            return "about \(needed) replications may tell, of which there are \(replications)"
        }
        if interval == nil {
            return replications < 5 ? "run it with --replications 5 or more" : "more replications or rides may tell"
        }
        if isSum {
            return "counts add up over replications, so more of them do not tell: use a rate, a share or another limit"
        }
        return "the value is too near to the limit for any number of replications"
    }

    /// The interval, with its level where that is not the one of the table.
    private var intervalText: String {
        let text = Format.interval(interval, unit: unit, isShare: isShare)
        guard !text.isEmpty, let confidence = check.comparison.confidence, confidence != 0.95 else { return text }
        return "\(text) (at \(levelText))"
    }

    /// The level of the interval: `95 %`.
    private var levelText: String {
        (check.comparison.confidenceText ?? "95%").replacing("%", with: " %")
    }

    /// Everything about it in a sentence: the numbers, the limit, the verdict.
    fileprivate var sentence: String {
        let comparison = check.comparison
        if let unmet {
            return "\(comparison.response.text)\(basis) is \(unmet.text); it must be \(comparison.demand)"
        }
        let valueText = row.valueText
        var text = "\(comparison.response.text)\(basis) is \(verdict == .undefined ? "undefined" : valueText)"
        if value != nil, unit != "count", CSVText.field(value) != valueText {
            text += " (\(CSVText.field(value))\(unit == "us" ? " µs" : ""))"
        }
        if interval != nil {
            text += ", \(levelText) interval \(Format.interval(interval, unit: unit, isShare: isShare)) from \(n) parts"
        }
        return text + "; must be \(comparison.demand): \(words)"
    }
}
