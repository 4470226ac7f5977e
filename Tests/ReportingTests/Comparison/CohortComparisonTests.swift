import Evaluation
import LiveActivityModel
import ScenarioLanguage
import TestSupport
import Testing

@testable import Reporting
@testable import Results
@testable import Studies

/// Comparisons of two cohorts of one run.
@Suite("Comparing cohorts")
struct CohortComparisonTests {
    private static let yaml = """
        name: arms
        clock: {duration: 40m, drain: 10m}
        replications: 5
        rides:
          arrivals: {rates_per_hour: [300]}
          stages: [{name: on_trip, duration: {uniform: {low: 5m, high: 7m}}}]
        content: {ttl: 2m, refresh: {uniform: {low: 40s, high: 80s}}}
        cohorts:
          - {name: fast, share: 30%, set: {content.refresh: {uniform: {low: 10s, high: 20s}}}}
          - {name: short, share: 30%, set: {content.ttl: 1m}}
        """

    /// Writes a run with the cohorts, and compares two of them.
    private static func compared(
        _ first: String,
        _ second: String,
        replications: Int = 5,
        metrics: [String] = []
    ) async throws -> (comparison: ResultComparison, summary: Summary) {
        let scratch = Scratch()
        let loaded = try ScenarioReader.read(yaml: yaml, named: "arms.yaml")
        let result = try await RunResult.running(ScenarioLoader.world(loaded).scenario, replications: replications)
        try RunDirectory(path: scratch.path("run")).write(RunFiles(result, checks: []))
        let options = ResultComparison.Options(responses: try metrics.map { try Response(parsing: $0) })
        let comparison = try ResultComparison(.init(first, second), in: scratch.path("run"), options)
        return (comparison, Summary(result))
    }

    @Test("A cohort is judged by another one, with the values of the summary")
    func verdicts() async throws {
        let (comparison, summary) = try await Self.compared("others", "fast")
        let metrics = Dictionary(uniqueKeysWithValues: comparison.metrics.map { ($0.response, $0) })
        let age = try #require(metrics["age_of_information_us.p95"])
        #expect(age.verdict == .better)
        #expect(age.interval?.upperBound ?? 0 < 0)
        #expect(metrics["pushes_per_live_hour"]?.verdict == .higher)
        #expect(metrics["pushes_per_activity"]?.verdict == .worse)
        #expect(comparison.verdict == .trade)
        #expect(comparison.changes.map(\.path) == ["content.refresh"])
        for (metric, statistic) in [("ride_fresh_coverage_ratio", "ratio"), ("pushes_per_live_hour", "rate")] {
            let values = ["others", "fast"]
                .map { summary.row(metric, statistic, scope: "cohort:\($0)")?.value?.double ?? -1 }
            let compared = try #require(metrics[metric])
            // The summary rounds to six places.
            #expect(abs((compared.first ?? 0) - values[0]) < 2e-6 && abs((compared.second ?? 0) - values[1]) < 2e-6)
        }
        let report = ComparisonReport(comparison)
        #expect(report.text.contains("others: cohort others of "))
        #expect(report.text.contains("fast is better in age_of_information_us, "))
        #expect(report.json.contains("\"cohort\": \"fast\""))
        #expect(report.markdown.contains("| age_of_information_us "))
    }

    @Test("Another TTL, and counts of cohorts of any size, have no verdict")
    func otherBases() async throws {
        let metrics = ["ride_fresh_coverage_ratio", "ride_stage_coverage_ratio", "rides_requested_count"]
        let (comparison, _) = try await Self.compared("others", "short", metrics: metrics)
        #expect(comparison.metrics.map(\.response) == metrics)
        #expect(comparison.metrics.map(\.differingBases) == [["content.ttl"], [], ["the number of rides"]])
        #expect(comparison.metrics[0].verdict == .otherBasis && comparison.metrics[2].verdict == .otherBasis)
    }

    @Test("One replication shows no chance")
    func single() async throws {
        let (comparison, _) = try await Self.compared("others", "fast", replications: 1)
        #expect(comparison.metrics.allSatisfy { $0.interval == nil })
        #expect(comparison.notes.contains { $0.contains("Run it with --replications 5 or more") })
    }

    @Test("Cohorts that a scenario does not have are refused")
    func unknown() async throws {
        let error = await #expect(throws: ComparisonError.self) { try await Self.compared("others", "fats") }
        #expect(error?.description.contains("must name cohorts of the scenario, got \"fats\"") ?? false)
        #expect(error?.description.contains("fast") ?? false)
    }
}
