public import Experiments
import LiveActivityModel
import TextFormats

/// The checks of a scenario after a run: as a table for people, as `checks.csv` and as test cases.
public struct CheckList: Sendable {
    private let outcomes: [CheckOutcome]

    /// Creates the list from outcomes in the order of the scenario file.
    public init(_ outcomes: [CheckOutcome]) {
        self.outcomes = outcomes
    }

    /// One row per check.
    public var rows: [CheckRow] { outcomes.map(\.row) }

    /// `true` if there are no checks.
    public var isEmpty: Bool { outcomes.isEmpty }

    /// `true` if a check does not hold, or was not measured.
    public var hasFailures: Bool { outcomes.contains { !$0.holds } }

    /// The number of checks by verdict: `3 checks: 2 hold, 1 does not`.
    public var counts: String { rows.counts(of: "check") }

    /// The table and the counts; ends with a newline.
    public var text: String { [Block](table, counts).plain }

    /// The section of report.md; empty without checks.
    var section: [Block] { isEmpty ? [] : .section("Checks", table, "\(counts).") }

    /// The counts, and the failed checks below them, one per line, for a terminal.
    var failures: String { ([counts] + rows.failures(name: \.name).map { "  \($0)" }).joined(separator: "\n") }

    /// The verdict at the top of a report: all hold, or each failed check with its value and its limit.
    var verdict: String {
        guard !isEmpty else { return "The scenario has no checks." }
        return rows.verdict(of: "check", name: \.name)
    }

    /// Returns the limits of checks of a metric over the whole run, in its unit, in the order of the file.
    func limits(of metric: String) -> [(name: String, limit: Double)] {
        outcomes.filter { outcome in
            let response = outcome.check.comparison.response
            return response.metric == metric && response.scope == "all" && response.window == nil
        }
        .map { ($0.check.name, $0.limit) }
    }

    /// The checks with their counts in Markdown; ends with a newline.
    public var markdown: String { [Block](table, "\(counts).").markdown }

    private var table: TextTable { .checks(rows, title: "check") }

    /// `checks.csv`, one row per check.
    var csv: String { CSVText.checks(rows) }

    /// Returns the test suite, with one case per check.
    public func testSuite(name: String) -> TestSuite {
        TestSuite(
            name: name,
            cases: outcomes.map { outcome in
                TestCase(
                    name: outcome.check.name,
                    group: "freshet.checks.\(name)",
                    sentence: outcome.sentence,
                    holds: outcome.holds
                )
            }
        )
    }
}

extension CheckOutcome {
    /// The outcome as a row of `checks.csv` and of the table for people.
    public var row: CheckRow {
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
            value: unanswered == nil ? value : nil,
            lowerBound: unanswered == nil ? nil : value,
            interval: interval,
            intervalText: replications > 0 ? intervalText : nil,
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
        if let unanswered {
            let (missing, all) = (Format.count(Int64(unanswered.missing)), Format.count(Int64(unanswered.all)))
            return "\(verdict.words): \(missing) of \(all) requests unanswered"
        }
        let reach = doubtfulEnd.map { "the interval reaches \(Format.value($0, unit: unit, isShare: isShare))" }
        switch verdict {
        case .undefined, .notMeasured: return verdict.words
        case .notSure: return "\(verdict.words): \(reach ?? "there is no interval"); \(advice)"
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
    private var intervalText: String {
        let text = Format.interval(interval, unit: unit, isShare: isShare)
        guard !text.isEmpty, let confidence = check.comparison.confidence, confidence != 0.95 else { return text }
        return "\(text) (at \(levelText))"
    }

    /// The level of the interval: `95 %`.
    private var levelText: String {
        (check.comparison.confidenceText ?? "95%").replacing("%", with: " %")
    }

    /// A sentence with the numbers, the limit and the verdict.
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
