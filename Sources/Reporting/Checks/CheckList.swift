public import Evaluation
import LiveActivityModel
import TextFormats

/// The checks of a scenario after a run: as a table for people, as `checks.csv` and as test cases.
public struct CheckList: Sendable {
    private let outcomes: [CheckOutcome]

    /// Creates the list from outcomes in the order of the scenario file.
    public init(_ outcomes: [CheckOutcome]) {
        self.outcomes = outcomes
    }

    /// `true` if there are no checks.
    public var isEmpty: Bool { outcomes.isEmpty }

    /// `true` if a check does not hold, or was not measured.
    public var hasFailures: Bool { outcomes.contains { !$0.holds } }

    /// The number of checks by verdict: `3 checks: 2 passed, 1 failed`.
    public var counts: String { outcomes.counts(of: "check") }

    /// The table and the counts; ends with a newline.
    public var text: String { [Block](table, counts).plain }

    /// The section of report.md; empty without checks.
    var section: [Block] { isEmpty ? [] : .section("Checks", table, "\(counts).") }

    /// The counts, and the failed checks below them, one per line, for a terminal.
    var failures: String {
        ([counts] + outcomes.failures(name: \.check.name).map { "  \($0)" }).joined(separator: "\n")
    }

    /// The verdict at the top of a report: all passed, or each failed check with its value and its limit.
    var verdict: String {
        guard !isEmpty else { return "The scenario has no checks." }
        return outcomes.verdict(of: "check", name: \.check.name)
    }

    /// The counts with their mark, then each check with its value and its limit, those that do not hold first.
    var statements: [String] {
        guard !isEmpty else { return [] }
        let ordered = outcomes.filter { !$0.holds } + outcomes.filter(\.holds)
        return ["\(hasFailures ? "✗" : "✓") \(counts)."] + ordered.map { "\($0.plainSentence)." }
    }

    /// Returns the limits of checks of a metric over the whole run, in its unit, in the order of the file.
    func limits(of metric: String, in scopes: [String] = ["all"]) -> [Double] {
        outcomes.filter { outcome in
            let response = outcome.check.comparison.response
            return response.metric == metric && scopes.contains(response.scope) && response.window == nil
        }
        .map(\.limit)
    }

    /// The checks with their counts in Markdown; ends with a newline.
    public var markdown: String { [Block](table, "\(counts).").markdown }

    private var table: TextTable { .checks(outcomes, title: "check") }

    /// `checks.csv`, one row per check.
    var csv: String { CSVText.checks(outcomes) }

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
