import Foundation
import LiveActivityModel
import Quantities
import TestSupport
import Testing

@testable import Evaluation
@testable import Reporting
@testable import Results
@testable import Studies

/// Comparisons of directories of live runs and of sweeps.
@Suite("Comparing live results and sweeps")
struct ResultComparisonTests {
    private let scratch = Scratch()

    // MARK: - Live runs

    /// Results of a load as the command writes them.
    private static func load(
        _ name: String = "load apns",
        p99: Int64?,
        rate: String = "500/s",
        answered: Double = 500,
        settings: [(name: String, value: String)] = [],
        set: [String] = []
    ) -> LoadReport {
        func row(_ metric: String, _ stat: String, _ unit: String, _ value: SummaryRow.Value?) -> SummaryRow {
            SummaryRow(scope: "all", metric: metric, stat: stat, unit: unit, value: value)
        }
        var results = LoadReport(
            load: name,
            seed: 7,
            settings: [("rate", rate), ("connections", "4")] + settings,
            set: set,
            rows: [
                row("request_latency_us", "p50", "us", .integer(400)),
                row("request_latency_us", "p99", "us", p99.map { .integer($0) }),
                row("requests_per_second", "mean", "1/s", .decimal(answered)),
                row("errors_ratio", "ratio", "1", .decimal(0.25)),
                row("pushes_sent_count", "total", "count", .integer(1500)),
                row("displayed_fresh_time_ratio", "ratio", "1", .decimal(0.5)),
            ]
        )
        results.series = RecordedResults.Series(
            ["answers_count", "request_latency_p99_us"],
            [(0, 1_000_000, [500, 2000]), (1_000_000, 1_000_000, [480, nil])]
        )
        return results
    }

    private func write(_ results: LoadReport, to name: String) throws -> String {
        try RunDirectory(path: "\(scratch.path)/\(name)").write(RunFiles(results))
        return "\(scratch.path)/\(name)"
    }

    private func report(
        _ first: LoadReport,
        _ second: LoadReport,
        _ responses: [Response] = []
    ) throws -> ComparisonReport {
        let options = ResultComparison.Options(responses: responses)
        return ComparisonReport(try ResultComparison(write(first, to: "a"), write(second, to: "b"), options))
    }

    @Test("Two live runs: changed settings, the differences without intervals, and the reason")
    func live() throws {
        let report = try report(Self.load(p99: 2000), Self.load(p99: 3000, set: ["apns.loss=1%"]))
        #expect(report.text.contains("\n   apns.loss: absent → 1%\n"))
        let words = report.text.replacing("\n", with: " ")
        #expect(
            words.contains(
                "A live run has no replications, so the effect of chance is unknown and differences have no intervals"
            )
        )
        #expect(!report.text.contains("95 % interval") && !report.text.contains("Detectable"))
        let row = try #require(report.text.split(separator: "\n").first { $0.hasPrefix("request_latency_us.p99") })
        #expect(row.split(separator: " ").suffix(2).joined(separator: " ") == "+50.00 %")
        #expect(row.contains("  worse  "))
        #expect(report.verdict == "B is worse: request_latency_us.p99 (one live run each: may be chance)")
        #expect(report.text.contains("25.00 %"))
    }

    @Test("Two live runs have a chart of each column that both measured")
    func liveCharts() throws {
        let loads = try ["a", "b"].map { try RecordedResults(directory: write(Self.load(p99: 2000), to: $0)) }
        let charts = try Chart.overlays(base: loads[0], changed: loads[1], names: .letters)
        #expect(charts.map(\.name) == ["rate", "latency"])
        #expect(charts[1].text.contains(#"{"from": 2.000, "series": "B", "value": null}"#))
    }

    @Test("Settings are read key by key, with their spaces, for any value")
    func set() throws {
        let quoted = "faults=[{kind: apns_silent, at: 1s}]"
        let report = try report(Self.load(p99: 1), Self.load(p99: 1, set: [quoted, "=", "seed", "a=b=c"]))
        let changes = report.comparison.changes
        // A setting without a value counts as not set.
        try #require(changes.map(\.path) == ["faults", "a"])
        #expect(changes[0].second == "[{kind: apns_silent, at: 1s}]")
        #expect(changes[1].second == "b=c")
        // A value that is not a list of texts sets nothing.
        let (first, second) = (try write(Self.load(p99: 1), to: "a"), scratch.path("b"))
        let run = try scratch.text("a/run.json")
        try scratch.write(run.replacing("\"rate\"", with: "\"set\": \"=\", \"rate\""), to: "b/run.json")
        try scratch.write(scratch.text("a/summary.csv"), to: "b/summary.csv")
        _ = try ResultComparison(first, second)
    }

    @Test("At another rate counts and rates have no verdict; latencies have one, and a neutral count loses none")
    func otherRate() throws {
        let report = try report(Self.load(p99: 2000), Self.load(p99: 1000, rate: "900/s", answered: 900))
        #expect(
            report.verdict
                == "B is better: request_latency_us.p99 (one live run each: may be chance); "
                + "no verdict on requests_per_second.mean: rate differs"
        )
    }

    /// A shorter timeout excludes slow responses and would win every comparison.
    @Test("Latencies with another timeout have no verdict; failures have one")
    func otherTimeout() throws {
        let long = Self.load(p99: 2000, settings: [("timeout", "10s")])
        var short = Self.load(p99: 1000, settings: [("timeout", "1s")])
        short.rows[3] = short.rows[3].with(.decimal(0.5))
        let verdict = try report(long, short).verdict
        #expect(verdict.hasPrefix("B is worse: errors_ratio.ratio (one live run each: may be chance); no verdict on "))
        #expect(verdict.contains("request_latency_us.p99") && verdict.hasSuffix(": timeout differs"), "\(verdict)")
    }

    @Test("A load that ended early has no verdict on any --metric, with a note")
    func endedEarly() throws {
        var part = Self.load(p99: 2000)
        let missing = SummaryRow("apns_response_missing_count", .integer(3))
        part.rows.append(missing)
        var whole = part
        whole.rows[whole.rows.count - 1] = missing.with(.integer(9))
        part.earlyEnd = EarlyEndMark(cause: .interrupted, ran: .seconds(1), planned: .seconds(3))
        let report = try report(part, whole)
        #expect(report.text.contains("A was ended early: its values cover only the part that ran"))
        #expect(report.comparison.metrics.allSatisfy { $0.verdict == .otherBasis })
        #expect(report.verdict.contains("apns_response_missing_count.total: length differs"))
    }

    @Test(
        "Loads of different lengths, and replays of other logs or at other speeds, have no verdicts",
        arguments: ["duration", "duration_us", "requests", "replay_fingerprint", "replay_speed"]
    )
    func otherLength(setting: String) throws {
        let short = Self.load(p99: 1000, settings: [(setting, "10s")])
        let long = Self.load(p99: 2000, settings: [(setting, "60s")])
        let report = try report(long, short)
        #expect(report.comparison.verdict == .nothingJudged, "\(report.verdict)")
        #expect(report.verdict.contains("\(setting) differs"))
    }

    /// Otherwise a run that ended before its outage would be better.
    @Test("A part of a load has no verdicts, not even at the same rate", arguments: ["ramp", "scenario", "rate"])
    func partOfWhatChanges(setting: String) throws {
        var part = Self.load(p99: 1000, settings: [(setting, "a")])
        let whole = Self.load(p99: 2000, settings: [(setting, "a")])
        part.earlyEnd = EarlyEndMark(cause: .interrupted, ran: .seconds(1), planned: .seconds(3))
        let report = try report(whole, part)
        #expect(report.comparison.verdict == .nothingJudged, "\(report.verdict)")
        let words = report.text.replacing("\n", with: " ")
        #expect(words.contains("B was ended early") && words.contains("No metric has a verdict"))
        // A value that the part lacks does not count as lost either.
        part.rows.removeAll { $0.metric == "request_latency_us" }
        #expect(try self.report(whole, part).comparison.verdict == .nothingJudged)
    }

    @Test("Latencies of responses are not better if fewer requests had one or more were rejected")
    func latenciesOfFewer() throws {
        var failing = Self.load(p99: 1000)
        let errors = try #require(failing.rows.firstIndex { $0.metric == "errors_ratio" })
        failing.rows[errors] = failing.rows[errors].with(.decimal(0.6))
        let report = try report(Self.load(p99: 2000), failing)
        #expect(report.verdict.hasPrefix("B is worse: errors_ratio.ratio"), "\(report.verdict)")
        #expect(report.verdict.contains("no verdict on request_latency_us.p99: errors_ratio"), "\(report.verdict)")
        // Slower responses are worse in any case.
        failing.rows[1] = failing.rows[1].with(.integer(3000))
        #expect(try self.report(Self.load(p99: 2000), failing).verdict.contains("request_latency_us.p99, errors_ratio"))
    }

    @Test("Counts and rates of a load that lacks a share have no verdict, with a note")
    func someShares() throws {
        var (part, whole) = (Self.load(p99: 2000), Self.load(p99: 2000))
        part.merger = ShareMerger(of: 3, merged: [1, 3], late: [], endedEarly: [], start: 1)
        whole.merger = ShareMerger(of: 3, merged: [1, 2, 3], late: [2], endedEarly: [], start: 1)
        let report = try report(part, whole)
        #expect(
            report.text.contains(
                "A was merged from only some of its load's shares"
            )
        )
        #expect(!report.text.contains("B was merged"))
        #expect(
            report.verdict.contains("no verdict on requests_per_second.mean: set of shares differs"),
            "\(report.verdict)"
        )
    }

    @Test("Metrics with another TTL have no verdict, as in a simulation")
    func otherBasis() throws {
        let report = try report(Self.load(p99: 1), Self.load(p99: 1, set: ["content.ttl=10m"]))
        #expect(report.verdict.contains("no verdict on displayed_fresh_time_ratio"), "\(report.verdict)")
    }

    @Test("A missing latency is worse; a metric can be selected with and without its statistic")
    func lostAndAsked() throws {
        let lost = try report(Self.load(p99: 2000), Self.load(p99: nil))
        #expect(lost.verdict == "B is worse: request_latency_us.p99 (no data)")
        let asked = try report(
            Self.load(p99: 1),
            Self.load(p99: 2),
            [Response(metric: "errors_ratio"), Response(metric: "request_latency_us", statistic: "p99")]
        )
        #expect(asked.comparison.metrics.map(\.response) == ["errors_ratio.ratio", "request_latency_us.p99"])
        let error = #expect(throws: ComparisonError.self) {
            try report(Self.load(p99: 1), Self.load(p99: 2), [Response(metric: "error_ratio")])
        }
        #expect(error?.description.hasSuffix("there is no such metric; did you mean errors_ratio?") == true)
    }

    @Test("JSON and CSV have the columns of run comparisons, and the gate gives the same verdict")
    func data() throws {
        let report = try report(Self.load(p99: 2000), Self.load(p99: 3000))
        let json = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        #expect(json["verdict"] as? String == "worse" && json["paired"] as? Bool == false)
        #expect((json["first"] as? [String: Any])?["name"] as? String == "load apns")
        #expect(report.csv.hasPrefix("response,unit,direction,first,second,difference,ci_low,ci_high,noise,"))
        let gate = RegressionReport(report, checks: [])
        #expect(gate.isRegression && gate.verdict.hasPrefix("Regression: worse than the baseline in request_latency"))
    }

    @Test(
        "The page's first sentence covers selected metrics and tiles, and has no mark if they disagree"
    )
    func sentenceWithTiles() throws {
        let (first, second) = (try write(Self.load(p99: 2000), to: "a"), try write(Self.load(p99: 1000), to: "b"))
        func sentence(_ verdict: MetricComparison.Verdict, _ asked: String = "request_latency_us.p99") throws -> String
        {
            let options = ResultComparison.Options(responses: [try Response(parsing: asked)])
            let report = ComparisonReport(try ResultComparison(first, second, options))
            return report.sentence(with: [HeadlineTile(metric: "a", label: "", value: "1", verdict: verdict)])
        }
        let chance = " (one live run each: may be chance)"
        #expect(try sentence(.better) == "✓ **B is better: request_latency_us.p99\(chance), a.**")
        #expect(try sentence(.worse) == "**B is better in request_latency_us.p99\(chance), and worse in a.**")
        #expect(try sentence(.withinNoise) == "✓ **B is better: request_latency_us.p99\(chance).**")
        #expect(try sentence(.worse, "errors_ratio.ratio") == "✗ **B is worse: a.**")
        #expect(try sentence(.unsure, "errors_ratio.ratio") == "**No difference.**")
    }

    @Test("The page has tiles with changes, and both time series in one chart")
    func page() throws {
        let (first, second) = (try write(Self.load(p99: 2000), to: "a"), try write(Self.load(p99: 3000), to: "b"))
        let comparison = try ResultComparison(first, second)
        try ComparisonPage(comparison).write(to: scratch.path("page"), quiet: true)
        let text = try scratch.text("page/report.md")
        #expect(text.hasPrefix("# Comparison of load apns\n\n✗ **B is worse: request_latency_us.p99"))
        #expect(text.contains(" +1 ms worse |"), "\(text)")
        #expect(text.contains("](charts/rate.vl.json)") && text.contains("](charts/latency.vl.json)"))
        #expect(scratch.names.contains("page/charts/latency.vl.json"))
        // A time series extends from the start of its first window to the end of its last, and so does the axis.
        let line = try #require(try DrawnLayer.layers(of: scratch.text("page/charts/rate.vl.json")).first)
        let ofA = line.rows.filter { $0["series"] as? String == "A" }
        #expect(ofA.map { $0["from"] as? Double } == [0, 1, 1, 2])
        #expect(ofA.map { $0["value"] as? Double } == [500, 500, 480, 480])
        #expect(line.domain == [0, 2])
    }

    @Test("The names of results are the ends of their paths, as far up as they differ; letters if they are not plain")
    func names() {
        func names(_ first: String, _ second: String) -> [String] {
            let names = ResultComparison.Names.ofResults(first, second)
            return [names.first, names.second, names.atStart.second]
        }
        #expect(names("results/old", "/tmp/new/") == ["old", "new", "new"])
        #expect(names("old/run", "new/run") == ["old/run", "new/run", "new/run"])
        #expect(names("run", "./run") == ["A", "B", "B"])
        #expect(names("results/<b>", "new") == ["A", "B", "B"])
        #expect(names("-x", "new") == ["A", "B", "B"])
        #expect(ResultComparison.Names.ofChange.atStart.second == "This change")
    }

    @Test("Results of different kinds are rejected, and both kinds are named")
    func mixed() throws {
        let apns = try write(Self.load(p99: 1), to: "a")
        let monitor = try write(Self.load("load monitor", p99: 1), to: "c")
        try scratch.write("{\"sweep_id\": \"1\"}", to: "s/sweep.json")
        try scratch.write("{\"tune_id\": \"1\"}", to: "t/tune.json")
        func message(_ first: String, _ second: String) -> String? {
            #expect(throws: ComparisonError.self) { try ResultComparison(first, second) }?.description
        }
        let allowed = "; allowed: two runs of a scenario, two results of one `freshet load` command, or two sweeps"
        #expect(
            message(apns, monitor)
                == "the two cannot be compared: \(apns) holds results of `load apns`, \(monitor) results of `load monitor`"
                + allowed
        )
        #expect(
            message(scratch.path("s"), apns)?.contains("/s holds a sweep, \(apns) results of `load apns`") == true
        )
        #expect(message(apns, scratch.path("t")) == "\(scratch.path)/t holds a search\(allowed)")
        #expect(message(apns, scratch.path("none"))?.contains("/none holds a simulated run") == false)
    }

    // MARK: - Sweeps

    private func sweep(_ factors: String, to name: String, replications: Int = 3) async throws -> String {
        let analysis = try await SmallSweep.analysis(factors, replications: replications)
        try RunDirectory(path: "\(scratch.path)/\(name)").write(RunFiles(analysis.result))
        return "\(scratch.path)/\(name)"
    }

    private static func factors(_ levels: String) -> String {
        "factors: {vary: {content.ttl: [\(levels)]}, responses: [ride_stage_coverage_ratio, pushes_per_activity]}\n"
    }

    @Test("Two sweeps: their common points with levels, on the same seeds")
    func sweeps() async throws {
        let first = try await sweep(Self.factors("60s, 90s, 120s"), to: "a")
        let second = try await sweep(Self.factors("120s, 60s"), to: "b", replications: 2)
        let report = ComparisonReport(try ResultComparison(first, second))
        #expect(
            report.comparison.metrics.map { "\($0.point ?? "") \($0.response)" } == [
                "content.ttl=60s ride_stage_coverage_ratio", "content.ttl=60s pushes_per_activity",
                "content.ttl=120s ride_stage_coverage_ratio", "content.ttl=120s pushes_per_activity",
            ]
        )
        #expect(report.comparison.metrics.allSatisfy { $0.verdict == .same && $0.counts == .pairs(2) })
        #expect(report.text.contains("Of 3 and 2 design points 2 have the same levels in both"))
        #expect(report.text.contains("\ncontent.ttl=60s   ride_stage_coverage_ratio"))
        #expect(report.verdict == "No difference")
        try ComparisonPage(try ResultComparison(first, second)).write(to: scratch.path("page"), quiet: true)
        #expect(try scratch.text("page/report.md").contains("](charts/difference-1.vl.json)"))
        // The axis has the levels of the points in order.
        let chart = try scratch.text("page/charts/difference-1.vl.json")
        #expect(chart.contains(#""sort": ["60s", "120s"]"#) && chart.contains(#""point": "120s""#), "\(chart)")
    }

    @Test("Sweeps with other factors or without a common point are rejected")
    func otherSweeps() async throws {
        let first = try await sweep(Self.factors("60s, 90s"), to: "a", replications: 1)
        let second = try await sweep(Self.factors("30s, 45s"), to: "b", replications: 1)
        let third = try await sweep("factors: {vary: {apns.loss: [0%, 5%]}}\n", to: "c", replications: 1)
        func message(_ other: String) -> String {
            #expect(throws: ComparisonError.self) { try ResultComparison(first, other) }?.description ?? ""
        }
        #expect(message(second).contains("none of A's 2 has the same levels as one of B's 2"))
        #expect(message(third).contains("both sweeps must vary the same factors: content.ttl → apns.loss"))
    }

    @Test("The number of differing points of a sweep is reported")
    func sweepVerdict() async throws {
        let factors = Self.factors("60s, 90s")
        let first = try await sweep(factors, to: "a")
        let second = scratch.path("b")
        try FileManager.default.copyItem(atPath: first, toPath: second)
        // An equal sweep by a program that supports less.
        let worse = try scratch.text("b/results.csv").split(separator: "\n")
            .map { line in
                String(line.contains("ride_stage_coverage_ratio") ? line.replacing(/,[0-9.]+$/, with: ",0.1") : line)
            }
        try scratch.write(worse.joined(separator: "\n") + "\n", to: "b/results.csv")
        let report = ComparisonReport(try ResultComparison(first, second))
        #expect(report.verdict == "B is worse: ride_stage_coverage_ratio at 2 points")
        try scratch.write(worse.dropLast().joined(separator: "\n") + "\n", to: "b/results.csv")
        let error = #expect(throws: ComparisonError.self) { try ResultComparison(first, second) }
        #expect(error?.description.contains("each response must have 3 replications at each point") == true)
    }
}
