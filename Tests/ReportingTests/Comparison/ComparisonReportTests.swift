import Evaluation
import Foundation
import LiveActivityModel
import Quantities
import Results
import TestSupport
import Testing

@testable import Reporting

/// Comparisons of two real runs, in the formats for scripts and for people.
@Suite("Reports of comparisons")
struct ComparisonReportTests {
    /// Writes two runs side by side, passes their comparison to an operation and removes them.
    private func withComparison<Value>(
        replications: Int = 3,
        checks: [String] = [],
        other: Scenario? = nil,
        first: Scenario = .offlinePhones,
        options: ResultComparison.Options = .init(),
        _ body: (ResultComparison) throws -> Value
    ) async throws -> Value {
        let scratch = Scratch()
        var scenario = first
        scenario.replications.count = replications
        var lossy = scenario
        lossy.apns.loss = Probability(0.25)
        var changed = other ?? lossy
        changed.replications.count = replications
        for (name, scenario) in [("a", scenario), ("b", changed)] {
            let result = try await RunResult.running(scenario, replications: scenario.replications.count)
            let list = try checks.map { Check(try Comparison(parsing: $0)) }
            let outcomes = try CheckOutcome.outcomes(of: list, in: result)
            try RunDirectory(path: "\(scratch.path)/\(name)").write(RunFiles(result, checks: outcomes))
        }
        let first = try RecordedResults(directory: scratch.path("a"))
        let second = try RecordedResults(directory: scratch.path("b"))
        return try withExtendedLifetime(scratch) { try body(ResultComparison(first, second, options)) }
    }

    @Test(
        "Losses with the same seeds: worse on phones, with the change and the interval",
        .enabled(if: Loop.isFull)
    )
    func text() async throws {
        try await withComparison { comparison in
            let text = ComparisonReport(comparison).text
            #expect(text.contains("\n   apns.loss: 0 → 0.25\n"))
            #expect(text.contains("Replications paired on the same seeds"))
            let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("ride_fresh_coverage_ratio") })
            #expect(row.contains(" pp … −") && row.contains("  worse  "))
            let sentences = text.split(separator: "\n").filter { !$0.contains("  ") && !$0.contains("/") }
            #expect(sentences.allSatisfy { $0.count <= 80 }, "a sentence is as wide as a terminal")
            #expect(text.contains("\nB is worse: ride_fresh_coverage_ratio"))
            #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
        }
    }

    @Test("The same comparison gives the same verdicts in every format", .enabled(if: Loop.isFull))
    func formats() async throws {
        try await withComparison { comparison in
            let report = ComparisonReport(comparison)
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any]
            )
            let metrics = try #require(json["metrics"] as? [[String: Any]])
            #expect(metrics.map { $0["verdict"] as? String } == comparison.metrics.map(\.verdict.rawValue))
            #expect(json["verdict"] as? String == "worse" && json["paired"] as? Bool == true)
            #expect((json["changes"] as? [[String: String]])?.first?["path"] == "apns.loss")
            let rows = report.csv.split(separator: "\n")
            #expect(rows.count == 1 + comparison.metrics.count)
            #expect(rows[0].hasPrefix("response,unit,direction,first,second,difference,ci_low,ci_high,noise,"))
            #expect(rows[1].hasPrefix("ride_fresh_coverage_ratio,1,higher,0.") && rows[1].hasSuffix(",3,3,worse"))
            #expect(report.markdown.hasPrefix("**B is worse: ride_fresh_coverage_ratio"))
            #expect(report.markdown.contains("\n```\napns.loss: 0 → 0.25\n```\n"))
        }
    }

    @Test("Equal runs, and runs without information about chance", .enabled(if: Loop.isFull))
    func equalAndSingle() async throws {
        try await withComparison(other: .offlinePhones) { comparison in
            let text = ComparisonReport(comparison).text
            #expect(text.contains("the scenarios are the same"))
            #expect(text.hasSuffix("\nNo difference\n"))
        }
        try await withComparison(replications: 1) { comparison in
            #expect(comparison.metrics.allSatisfy { $0.interval == nil })
            let report = ComparisonReport(comparison)
            #expect(
                report.text.replacing("\n", with: " ").contains("Run both with --replications 5 or more to get them.")
            )
            #expect(report.verdict.contains(" (one replication each: may be chance)"))
            let pushes = "no verdict on pushes_per_activity: the time on screens during rides differs"
            #expect(report.verdict.hasSuffix(pushes), "\(report.verdict)")
            let verdict = RegressionReport(ComparisonReport(comparison), checks: []).verdict
            #expect(verdict.contains(" (one replication each: may be chance)."), "\(verdict)")
        }
    }

    @Test("Independent runs are reported as such, and a Markdown report fits into a comment", .enabled(if: Loop.isFull))
    func unpairedAndLong() async throws {
        var options = ResultComparison.Options(isUnpaired: true)
        options.responses = [Response](repeating: Response(metric: "displayed_fresh_time_ratio"), count: 2000)
        var other = Scenario.offlinePhones
        other.seed = 9
        try await withComparison(other: other, options: options) { comparison in
            let report = ComparisonReport(comparison)
            #expect(report.text.contains("Independent runs: differences of means with Welch's intervals"))
            let markdown = report.markdown
            #expect(markdown.utf16.count <= 65_536 && markdown.utf16.count > 65_000)
        }
    }

    @Test(
        "Independent runs of one replication each have no verdict, and the report gives advice",
        .enabled(if: Loop.isFull)
    )
    func singleWorlds() async throws {
        var other = Scenario.offlinePhones
        other.seed = 9
        try await withComparison(replications: 1, other: other, options: .init(isUnpaired: true)) { comparison in
            #expect(comparison.metrics.allSatisfy { ![.better, .worse, .higher, .lower, .same].contains($0.verdict) })
            let report = RegressionReport(ComparisonReport(comparison), checks: [])
            #expect(!report.isRegression && !report.isInconclusive && !report.hasNothingJudged)
            #expect(report.verdict == "\(ComparisonReport.ofSingleWorlds).")
            #expect(ComparisonReport(comparison).verdict == ComparisonReport.ofSingleWorlds)
            #expect(report.verdict.hasSuffix("run both with --replications 5 or more."))
            #expect(report.markdown.hasPrefix("### ⚠️"))
            #expect(RegressionReport(ComparisonReport(comparison), checks: [], isStrict: true).isInconclusive)
        }
    }

    @Test("The intervals are corrected for the number of metrics, and the text states it", .enabled(if: Loop.isFull))
    func manyMetrics() async throws {
        func detectable(_ responses: [Response]) async throws -> Double {
            try await withComparison(options: .init(responses: responses)) { comparison in
                let text = ComparisonReport(comparison).text.replacing("\n", with: " ")
                #expect(
                    text.contains(
                        responses.count == 1
                            ? "Student's intervals, 95 %, B minus A"
                            : "95 % together for all metrics that can be better or worse (Bonferroni: 97.50 % each)"
                    )
                )
                return try #require(comparison.metrics[0].detectable)
            }
        }
        let coverage = Response(metric: "ride_fresh_coverage_ratio")
        let (alone, together) = (
            try await detectable([coverage]),
            // A neutral metric raises no alarm.
            try await detectable([
                coverage, Response(metric: "stage_lag_us"), Response(metric: "activities_started_count"),
            ])
        )
        // The quotient t(0.9875; 2) / t(0.975; 2) from tables.
        #expect(abs(together / alone - 6.205_347 / 4.302_653) < 1e-4)
    }

    @Test("A run without anything to measure is a regression in every format", .enabled(if: Loop.isFull))
    func nothingWorks() async throws {
        var dead = Scenario.offlinePhones
        dead.devices.activitiesEnabled = Probability(0)
        try await withComparison(other: dead) { comparison in
            #expect(comparison.verdict == .worse)
            let words = "no data: age_of_information_us{during_ride}, age_of_information_us{during_ride}.p95, "
            let compared = ComparisonReport(comparison)
            #expect(compared.verdict.hasPrefix("B is worse: ride_fresh_coverage_ratio, "))
            #expect(compared.verdict.contains(words))
            let row = try #require(compared.csv.split(separator: "\n").first { $0.hasPrefix("fresh_time_ratio,") })
            #expect(row.hasSuffix(",worse"))
            let report = RegressionReport(ComparisonReport(comparison), checks: [])
            #expect(report.isRegression)
            #expect(report.verdict.hasPrefix("Regression: worse than the baseline in ride_fresh_coverage_ratio, "))
            #expect(report.verdict.contains(words))
            #expect(report.markdown.hasPrefix("### ❌ Freshness: \(report.headline)\n"))
            #expect(report.headline.contains(#/^\d+ of \d+ metrics worse, 1 not judged$/#), "\(report.headline)")
            #expect(report.markdown.contains("no data in B"))
            let failure = try #require(report.testSuites[0].cases[4].failure)
            #expect(
                failure.hasPrefix("age_of_information_us{during_ride} was ")
                    && failure.contains(" and has no value now")
            )
            // Without an activity there is no stale episode, which is no loss.
            let recovery = try #require(comparison.metrics.first { $0.response == "recovery_time_us.p95" })
            #expect(recovery.verdict != .worse)
        }
        // The opposite direction is no regression.
        try await withComparison(other: .offlinePhones, first: dead) { comparison in
            #expect(!RegressionReport(ComparisonReport(comparison), checks: []).isRegression)
        }
    }

    @Test(
        "A regression: the verdict, failing test cases with their numbers, and the run's own checks",
        .enabled(if: Loop.isFull)
    )
    func regression() async throws {
        let checks = ["displayed_fresh_time_ratio > 99.9%", "events_count > 1"]
        var options = ResultComparison.Options()
        options.names = .ofChange
        try await withComparison(checks: checks, options: options) { comparison in
            let report = RegressionReport(ComparisonReport(comparison), checks: try comparison.second.checks())
            #expect(report.isRegression && report.hasFailedChecks)
            #expect(report.verdict.hasPrefix("Regression: worse than the baseline in ride_fresh_coverage_ratio"))
            #expect(report.verdict.hasSuffix("1 of 2 checks failed."))
            let suites = report.testSuites
            #expect(suites.map(\.cases.count) == [comparison.metrics.count, 2])
            let failure = try #require(suites[0].cases[0].failure)
            #expect(
                failure.wholeMatch(
                    of:
                        /ride_fresh_coverage_ratio went from [0-9.]+ % to [0-9.]+ %, by −[0-9.]+ pp \(−[0-9.]+ %\), interval −[0-9.]+ pp … −[0-9.]+ pp, detectable ±[0-9.]+ pp, noise ±[0-9.]+ pp: worse/
                ) != nil,
                "\(failure)"
            )
            #expect(suites[1].cases.map { $0.failure == nil } == [false, true])
            let worse = comparison.metrics.count { $0.verdict == .worse }
            let headline = "\(worse) of \(comparison.directed.count) metrics worse, 1 not judged, 1 of 2 checks failed"
            #expect(report.markdown.hasPrefix("### ❌ Freshness: \(headline)\n\nOf ride time: fresh card "))
            #expect(report.markdown.contains("\n\n- ❌ `displayed_fresh_time_ratio > 99.9%: "))
            let comment = report.markdown.components(separatedBy: "\n<details>")
            #expect(
                comment[0].components(separatedBy: "displayed_fresh_time_ratio").count == 2,
                "a failing check is named once"
            )
            #expect(comment[0].contains("\n\nOf ride time: fresh card ") && comment[0].contains(" → "))
            #expect(comment[0].contains("\napns.loss: 0 → 0.25\n"), "\(comment[0])")
            #expect(comment[0].contains(/\nbaseline     [▁-█·]+\nthis change  [▁-█·]+\n/), "\(comment[0])")
            let table = comment[0].split(separator: "\n").filter { $0.hasPrefix("|") }
            #expect(table[0].contains(/^\| +\| metric +\| +baseline \| +this change \| +difference \|$/), "\(table[0])")
            let rows = table.dropFirst(2)
            #expect(rows.prefix(worse).allSatisfy { $0.hasPrefix("| ❌ worse") }, "\(rows)")
            #expect(rows.dropFirst(worse).allSatisfy { !$0.contains("❌") })
            #expect(rows.first?.contains("| fresh card, of ride time ") == true)
            let neutral = comparison.metrics.count - comparison.directed.count
            #expect(
                comment[1].contains("\n\n\(neutral) more have no better direction and cannot fail: "),
                "\(comment[1])"
            )
            #expect(comment[1].contains("\nBoth were made by freshet ") && comment[1].hasSuffix("\n</details>\n"))
            #expect(report.text.hasSuffix("\(report.verdict)\n"))
        }
        try await withComparison(other: .offlinePhones) { comparison in
            let report = RegressionReport(ComparisonReport(comparison), checks: [])
            #expect(!report.isRegression && !report.hasFailedChecks)
            #expect(report.verdict == "No regression beyond the noise.")
            #expect(report.testSuites.flatMap(\.cases).allSatisfy { $0.failure == nil })
            #expect(
                report.markdown.hasPrefix(
                    "### ✅ Freshness: none of \(comparison.directed.count) metrics worse, 1 not judged\n\n"
                )
            )
        }
        var longer = Scenario.offlinePhones
        longer.content.ttl = .minutes(10)
        try await withComparison(other: longer) { comparison in
            #expect(!RegressionReport(ComparisonReport(comparison), checks: []).isInconclusive)
            let report = RegressionReport(ComparisonReport(comparison), checks: [], isStrict: true)
            #expect(report.isInconclusive && !report.isRegression)
            #expect(
                report.verdict.contains(
                    " none is certainly worse beyond the noise. No verdict on ride_fresh_coverage_ratio"
                )
            )
            #expect(report.verdict.hasSuffix(": content.ttl differs, which fails with --strict."))
            #expect(report.markdown.contains(/no card .* % \(not comparable: content\.ttl differs\)\./))
            #expect(
                report.testSuites[0].cases[0].failure?.contains("not comparable: content.ttl differs") == true
            )
            #expect(report.markdown.hasPrefix("### ❌"))
        }
    }

    @Test("With a different metric basis nothing passes in any format; metrics that are not comparable are listed")
    func otherBases() async throws {
        var longer = Scenario.offlinePhones
        longer.content.ttl = .minutes(10)
        let options = ResultComparison.Options(responses: [Response(metric: "displayed_fresh_time_ratio")])
        try await withComparison(replications: 2, other: longer, options: options) { comparison in
            let words = "Nothing could be judged: no verdict on displayed_fresh_time_ratio: content.ttl differs"
            #expect(comparison.verdict == .nothingJudged)
            #expect(ComparisonReport(comparison).verdict == words)
            let report = RegressionReport(ComparisonReport(comparison), checks: [])
            #expect(report.hasNothingJudged && !report.isRegression)
            #expect(report.verdict == words + ".")
            #expect(
                report.markdown.hasPrefix("### ❌ Freshness: no verdict on any of 1 metric\n\n")
                    && report.markdown.contains("\n\nNothing could be judged")
            )
            #expect(report.testSuites[0].cases.allSatisfy { $0.failure != nil })
        }
        let both = ResultComparison.Options(
            responses: [Response(metric: "displayed_fresh_time_ratio"), Response(metric: "ride_stage_coverage_ratio")]
        )
        try await withComparison(replications: 2, other: longer, options: both) { comparison in
            let report = RegressionReport(ComparisonReport(comparison), checks: [])
            #expect(!report.hasNothingJudged)
            let words = "No verdict on displayed_fresh_time_ratio: content.ttl differs."
            #expect(
                report.verdict.hasPrefix("The metric that could be judged ") && report.verdict.hasSuffix(words)
                    || report.isRegression,
                "\(report.verdict)"
            )
            #expect(!report.verdict.contains("No regression"))
            // One base, both metrics; one has no verdict.
            #expect(report.headline.contains(#/^(1|none) of 2 metrics worse, 1 not judged$/#), "\(report.headline)")
            let reason = "\n\n1 not judged: no verdict on displayed_fresh_time_ratio: content.ttl differs.\n\n"
            #expect(report.markdown.contains(reason), "\(report.markdown)")
            #expect(report.markdown.matches(of: /[0-9]+ metrics/).map { "\($0.0)" } == ["2 metrics"])
            let suites = report.testSuites
            #expect(
                suites[0].cases[0].failure == nil
                    && suites[0].cases[0].skipped?.contains("not comparable: content.ttl differs") == true
            )
            #expect(JUnitReport.text(of: suites).contains(" skipped=\"1\">"))
            #expect(
                ComparisonReport(comparison).verdict
                    .hasSuffix("no verdict on displayed_fresh_time_ratio: content.ttl differs")
            )
        }
    }
}
