import Evaluation
import LiveActivityModel
import Quantities
import Results
import TestSupport
import Testing

@testable import Reporting
@testable import ScenarioLanguage

@Suite("Tiles of recorded runs")
struct HeadlineTileRecordedTests {
    private let scratch = Scratch()

    @Test("A run and its directory have the same tiles, also against a baseline")
    func sameTiles() async throws {
        var lossy = Scenario.offlinePhones
        lossy.apns.loss = Probability(0.25)
        var results: [RunResult] = []
        for (name, scenario) in [("a", Scenario.offlinePhones), ("b", lossy)] {
            let result = try await RunResult.running(scenario, replications: 3)
            try RunDirectory(path: "\(scratch.path)/\(name)").write(RunFiles(result))
            results.append(result)
        }
        let first = try RecordedResults(directory: scratch.path("a"))
        let second = try RecordedResults(directory: scratch.path("b"))
        let tiles = try HeadlineTile.tiles(of: second)
        #expect(tiles.count == 7)
        #expect(tiles == HeadlineTile.tiles(of: results[1]))
        let compared = try HeadlineTile.tiles(of: second, against: first)
        #expect(compared == HeadlineTile.tiles(of: results[1], against: results[0]))
        #expect(compared[0].verdict == .worse && compared[0].change.hasPrefix("−"))
        // An infinite value is no value of a run.
        let summary = try scratch.text("b/summary.csv")
        let value = summary.replacing(/(all,ride_fresh_coverage_ratio,ratio,1),[0-9.]+/) { "\($0.output.1),inf" }
        try scratch.write(value, to: "b/summary.csv")
        let error = #expect(throws: ScenarioError.self) { try HeadlineTile.tiles(of: second) }
        #expect(error?.description.contains("must be a number within ±1e19 or empty, got \"inf\"") == true)
    }

    @Test("Time series of both runs are in one chart, the first dashed, with the second's faults")
    func overlay() async throws {
        for name in ["a", "b"] {
            let result = try await RunResult.running(.oneRide)
            try RunDirectory(path: "\(scratch.path)/\(name)").write(RunFiles(result))
        }
        let first = try RecordedResults(directory: scratch.path("a"))
        let second = try RecordedResults(directory: scratch.path("b"))
        let names = ResultComparison.Names.ofResults(first.path, second.path)
        let chart = try #require(try Chart.overlay(base: first, changed: second, names: names))
        #expect(chart.name == "overlay")
        // Two windows of five minutes while rides arrive, in the middle of each.
        for series in ["a", "b"] {
            #expect(chart.text.ranges(of: "\"series\": \"\(series)\"").count == 2)
        }
        #expect(chart.text.contains("APNs silent"))
    }
}
