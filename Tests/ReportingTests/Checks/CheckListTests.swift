import LiveActivityModel
import Testing

@testable import Evaluation
@testable import Reporting

@Suite("Checks after a run")
struct CheckListTests {
    private static let texts = [
        ("displayed_fresh_time_ratio < 90%", ""), ("recovery_time_us.p95 <= 5m", "back, soon"),
        ("activities_started_count > 1", "a \"push\" <to> start"), ("activities_started_count == 1", ""),
        ("recovered_ratio{all}.ratio != 17%", ""),
    ]

    private func list(_ texts: [(String, String)] = texts) async throws -> CheckList {
        let result = try await RunResult.running(.oneRide)
        let checks = try texts.map { Check(try Comparison(parsing: $0.0), name: $0.1) }
        return CheckList(try CheckOutcome.outcomes(of: checks, in: result))
    }

    @Test("checks.csv has one row per check in file order, with names quoted where necessary")
    func csv() async throws {
        // The only ride is shown for 150 s of its 10 min after the stale date of an update: see the report's own tests.
        let lines = try await list().csv.split(separator: "\n")
        #expect(lines.count == 6)
        #expect(lines[0] == "name,response,operator,limit,unit,value,ci_low,ci_high,n,confidence,verdict")
        #expect(lines[1].hasPrefix("displayed_fresh_time_ratio < 90%,displayed_fresh_time_ratio,<,0.900000,1,0."))
        #expect(lines[2].hasPrefix("\"back, soon\",recovery_time_us.p95,<=,300000000,us,"))
        #expect(lines[3] == #""a ""push"" <to> start",activities_started_count,>,1,count,1,,,1,,fails"#)
        #expect(lines[4] == "activities_started_count == 1,activities_started_count,==,1,count,1,,,1,,holds")
    }

    @Test("Foreign names are printed without effect in Markdown or on a terminal")
    func names() async throws {
        let list = try await list([
            ("pushes_sent_count > 1000000", "![x](http://evil/x.png) <img src=x> & &lt; a < b"),
            ("pushes_sent_count >= 1000000", "a\n::error::b\u{1B}[2J"),
        ])
        let shown = "!&#91;x](http://evil/x.png) &lt;img src=x> & &amp;lt; a < b"
        for text in [list.markdown, list.section.markdown, list.verdict] { #expect(text.contains(shown), "\(text)") }
        #expect(Block.inline(shown).contains("!&#91;x](http://evil/x.png) &lt;img src=x&gt;"))
        // A terminal does not interpret Markdown.
        #expect(list.text.contains("![x](http://evil/x.png) <img src=x> & &lt; a < b"))
        for text in [list.failures, list.text, list.csv] { #expect(text.contains("a ::error::b [2J"), "\(text)") }
        for text in [list.failures, list.text, list.csv, list.markdown] {
            #expect(!text.contains("\u{1B}") && !text.contains("\n::"), "\(text)")
        }
        #expect(MarkdownText.code("a`b") == "`a'b`")
    }

    @Test("A check that the run cannot measure is counted separately, and every list gives the reason")
    func notMeasured() async throws {
        let texts = [("ended_severe_count <= 0", "given up"), ("displayed_fresh_time_ratio > 0%", "")]
        var scenario = Scenario.oneRide
        scenario.monitor.enabled = false
        let checks = try texts.map { Check(try Comparison(parsing: $0.0), name: $0.1) }
        let list = CheckList(try CheckOutcome.outcomes(of: checks, in: try await RunResult.running(scenario)))
        #expect(list.hasFailures && list.counts == "2 checks: 1 passed, 1 not measured")
        let reason = "given up: not measured: the monitor is off, must be <= 0"
        #expect(list.failures.contains(reason) && list.verdict.contains(reason), "\(list.verdict)")
        #expect(list.csv.contains("given up,ended_severe_count,<=,0,count,,,,1,,not_measured\n"), "\(list.csv)")
        #expect(list.text.contains("not measured: the monitor is off"))
        let failure = try #require(list.testSuite(name: "one").cases.first?.failure)
        #expect(failure == "ended_severe_count is not measured: the monitor is off; it must be <= 0")
    }

    @Test("Failures are counted; an undefined value is a failure")
    func counts() async throws {
        let list = try await list()
        #expect(list.hasFailures && list.counts == "5 checks: 4 passed, 1 failed")
        let undefined = try await self.list([("displayed_fresh_time_ratio@15m..20m > 1%", "")])
        #expect(undefined.counts == "1 check: 0 passed, 1 failed")
        #expect(undefined.text.contains("failed: undefined, there is no data"))
        #expect(undefined.csv.hasSuffix(",>,0.010000,1,,,,1,,undefined\n"))
        #expect(try await self.list([Self.texts[3]]).counts == "1 check: passed")
        #expect(CheckList([]).section.isEmpty)
        // The name is the text of the check.
        #expect(undefined.verdict.contains("displayed_fresh_time_ratio@15m..20m > 1%: "))
        #expect(undefined.verdict.hasSuffix(".") && !undefined.verdict.hasSuffix(".."))
    }

    @Test("A bound that one replication cannot decide counts as a failure, with advice")
    func notSure() async throws {
        let list = try await list([("displayed_fresh_time_ratio >= 1% with 99%", ""), Self.texts[3]])
        #expect(list.hasFailures && list.counts == "2 checks: 1 passed, 1 not sure")
        #expect(list.text.contains(">= 1% with 99%"))
        #expect(list.text.contains("not sure: there is no interval; run it with --replications 5 or more"))
        #expect(list.csv.contains(",0.990000,not_sure\n"))
        #expect(list.testSuite(name: "town").cases.map { $0.failure == nil } == [false, true])
    }

    @Test("A failure prints the value, the interval and the limit")
    func sentences() throws {
        let check = Check(try Comparison(parsing: "displayed_fresh_time_ratio >= 95%"))
        let row = SummaryRow(check.comparison.response.metric, nil).with(.decimal(0.94996), interval: 0.94...0.96, n: 5)
        let outcome = CheckOutcome(check, limit: 0.95, of: row, in: "1", isShare: true)
        let test = CheckList([outcome]).testSuite(name: "town").cases[0]
        #expect(
            test.failure == """
                displayed_fresh_time_ratio is 0.949960, 95 % interval 94.00 – 96.00 % from 5 parts; must be >= 95%: \
                failed, but the interval reaches 96.00 %
                """
        )
        #expect(test.name == "displayed_fresh_time_ratio >= 95%" && test.group == "freshet.checks.town")
    }

    @Test(
        "Checks add checks.csv, a section in the report and a section in the scenario; the run id stays the same"
    )
    func files() async throws {
        let result = try await RunResult.running(.oneRide)
        let check = Check(try Comparison(parsing: "events_count > 10"))
        let plain = RunFiles(result).files
        let checked = RunFiles(result, checks: try CheckOutcome.outcomes(of: [check], in: result)).files
        #expect(Set(checked.map(\.path)).subtracting(plain.map(\.path)) == ["checks.csv"])
        let same = checked.filter { plain.contains($0) }.map(\.path)
        #expect(
            Set(plain.map(\.path)).subtracting(same) == ["report.md", "scenario.resolved.yaml"]
        )
        let report = try #require(checked.first { $0.path == "report.md" }).text
        #expect(report.contains("\n\n## Checks\n\n| check "))
        let yaml = try #require(checked.first { $0.path == "scenario.resolved.yaml" }).text
        #expect(yaml.hasSuffix("checks: [\"events_count > 10\"]\n"))
    }
}
