public import Experiments

/// The checks of a scenario after a run: as a table for people, as checks.csv, as test cases.
public struct CheckList: Sendable {
    private let outcomes: [CheckOutcome]

    /// Outcomes in the order of the scenario file.
    public init(_ outcomes: [CheckOutcome]) {
        self.outcomes = outcomes
    }

    /// Whether there is nothing to tell.
    public var isEmpty: Bool { outcomes.isEmpty }

    /// Whether a check does not hold.
    public var hasFailures: Bool { outcomes.contains { $0.verdict != .holds } }

    /// How many hold: `3 checks: 2 hold, 1 does not`.
    public var counts: String {
        let unsure = outcomes.count { $0.verdict == .notSure }
        let holding = outcomes.count { $0.verdict == .holds }
        let failures = outcomes.count - unsure - holding
        let all = outcomes.count == 1 ? "1 check" : "\(outcomes.count) checks"
        guard hasFailures else { return outcomes.count == 1 ? "1 check: it holds" : "\(all): all hold" }
        var parts = ["\(holding) \(holding == 1 ? "holds" : "hold")"]
        if failures > 0 { parts.append("\(failures) \(failures == 1 ? "does" : "do") not") }
        if unsure > 0 { parts.append("\(unsure) \(unsure == 1 ? "is" : "are") not sure") }
        return "\(all): \(parts.joined(separator: ", "))"
    }

    /// A row a check, and the counts; ends with a newline.
    public var text: String { "\(table.plain)\n\n\(counts)\n" }

    /// The section of report.md; empty without checks.
    var section: String {
        isEmpty ? "" : "## Checks\n\n\(table.markdown)\n\n\(counts)."
    }

    /// The checks with their counts in Markdown; ends with a newline.
    public var markdown: String { "\(table.markdown)\n\n\(counts).\n" }

    private var table: TextTable {
        .checks(
            outcomes.map { outcome in
                let comparison = outcome.check.comparison
                return CheckLine(
                    subject: outcome.check.givenName.isEmpty
                        ? comparison.response.text
                        : "\(OneLine.text(outcome.check.givenName)) (\(comparison.response.text))",
                    demand: comparison.demand,
                    value: outcome.valueText,
                    interval: outcome.intervalText,
                    verdict: outcome.words
                )
            },
            title: "check"
        )
    }

    /// `checks.csv`: a row a check.
    var csv: String {
        CSVText.checks(
            outcomes.map { outcome in
                CheckRow(
                    name: outcome.check.name,
                    response: outcome.check.comparison.response.text,
                    relation: outcome.check.comparison.relation,
                    limit: outcome.limit,
                    unit: outcome.unit,
                    value: outcome.value,
                    interval: outcome.interval,
                    n: outcome.n,
                    confidence: outcome.check.comparison.confidence,
                    verdict: outcome.verdict
                )
            }
        )
    }

    /// A test case for each check.
    public func testSuite(name: String) -> TestSuite {
        TestSuite(
            name: name,
            cases: outcomes.map { outcome in
                TestCase(
                    name: outcome.check.name,
                    group: "freshet.checks.\(name)",
                    output: outcome.verdict == .holds ? outcome.sentence : "",
                    failure: outcome.verdict == .holds ? nil : outcome.sentence
                )
            }
        )
    }
}

extension CheckOutcome {
    /// The value as people read it; with all its places where the rounded one would hide that it differs from the limit.
    fileprivate var valueText: String {
        CheckLine.text(of: value, beside: limit, unit: unit, isShare: isShare)
    }

    /// The verdict in words, with the doubt that the interval leaves.
    fileprivate var words: String {
        let reach = doubtfulEnd.map { "the interval reaches \(Prose.value($0, unit: unit, isShare: isShare))" }
        switch verdict {
        case .undefined: return verdict.words
        case .notSure: return "\(verdict.words): \(reach ?? "there is no interval"); \(advice)"
        case .holds, .fails: return verdict.words + (reach.map { ", but \($0)" } ?? "")
        }
    }

    /// What would make sure of a check that is not.
    private var advice: String {
        if let neededReplications {
            return
                "about \(Prose.count(Int64(neededReplications))) replications may tell, of which there are \(replications)"
        }
        if interval == nil {
            return replications < 5 ? "run it with --replications 5 or more" : "more replications or rides may tell"
        }
        if unit == "count" {
            return "counts add up over replications, so more of them do not tell: use a rate, a share or another limit"
        }
        return "the value is too near to the limit for any number of replications"
    }

    /// The interval, with its level where that is not the one of the table.
    fileprivate var intervalText: String {
        let text = Prose.interval(interval, unit: unit, isShare: isShare)
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
        var text = "\(comparison.response.text) is \(valueText)"
        if verdict == .undefined { text = "\(comparison.response.text) is undefined" }
        if value != nil, unit != "count", CSVText.field(value) != valueText {
            text += " (\(CSVText.field(value))\(unit == "us" ? " µs" : ""))"
        }
        if interval != nil {
            text += ", \(levelText) interval \(Prose.interval(interval, unit: unit, isShare: isShare)) from \(n) parts"
        }
        return text + "; must be \(comparison.demand): \(words)"
    }
}
