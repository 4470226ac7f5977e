import Foundation
import Statistics
import TestSupport
import Testing

@testable import Evaluation
@testable import Reporting
@testable import ScenarioLanguage
@testable import Studies

@Suite("Answers of sweeps")
struct SweepAnswerTests {
    @Test("The result comes first: where the response is best, what affects it, which checks hold where")
    func answer() async throws {
        let factors = """
            factors:
              vary: {content.refresh: [60s, 200s], monitor.fresh_limit: [30s, 1m]}
              responses: [displayed_fresh_time_ratio, pushes_per_activity]
            checks: [displayed_fresh_time_ratio > 80%]
            """
        let analysis = try await SmallSweep.analysis(factors)
        let lines = SweepAnswer(analysis: analysis).lines
        #expect(lines.count == 4)
        #expect(
            lines[0]
                .hasPrefix(
                    "No single point is best in `displayed_fresh_time_ratio`: 2 of 4 points (60s with 30s and 60s with 1m) are "
                        + "statistically tied, and the best value is "
                ),
            "\(lines)"
        )
        // A winner of a tie must not hide that checks fail there.
        #expect(lines[0].contains("; every check holds at each of them; worst with content.refresh = 200s, "))
        #expect(
            lines[1]
                .hasPrefix("No point that certainly passes every check keeps today's `displayed_fresh_time_ratio` and ")
        )
        #expect(
            lines[2]
                .hasPrefix(
                    "Factors that move `displayed_fresh_time_ratio` most, on average over the others: content.refresh by "
                )
        )
        #expect(lines[3] == "`displayed_fresh_time_ratio > 80%` holds at 2 of 4 points.", "\(analysis.report)")
        // Yellow is best, whatever the direction.
        for (name, isReversed) in [("displayed-fresh-time-ratio", false), ("pushes-per-activity", true)] {
            let map = try #require(Chart.charts(analysis).first { $0.name == "map-\(name)" })
            #expect(
                map.text.contains("\"reverse\": \(isReversed)") && map.text.contains("; lighter is better"),
                "\(name)"
            )
        }
        let text = analysis.report
        #expect(
            text.contains(
                "\n\n✗ **Failed checks**, of 4 design points: `displayed_fresh_time_ratio > 80%` at 2.\n\n"
            )
        )
        let first = try #require(text.firstRange(of: lines[0]))
        #expect(first.lowerBound < (try #require(text.firstRange(of: "\n## "))).lowerBound)
        let failing = text.split(separator: "\n").filter { $0.contains("✗ |") }
        #expect(failing.count == 1)
        #expect(failing.allSatisfy { $0.hasPrefix("| 200s |") })
    }

    /// Otherwise the longest TTL wins, though no screen shows newer content.
    @Test(
        "If a factor defines freshness, the result says so and uses a response that does not depend on it"
    )
    func bases() async throws {
        let factors = """
            factors:
              vary: {content.ttl: [30s, 90s], content.refresh: [60s, 200s]}
              responses: [displayed_fresh_time_ratio, age_of_information_us]
            """
        // In three replications one leftover card would change the mean age by more than all levels do.
        let analysis = try await SmallSweep.analysis(factors, replications: 20)
        let lines = SweepAnswer(analysis: analysis).lines
        #expect(
            lines[0]
                .hasPrefix(
                    "`displayed_fresh_time_ratio` is not comparable because `content.ttl` differs between points; "
                )
        )
        #expect(lines[1].hasPrefix("No single point is best in `age_of_information_us`: 3 of 4 "), "\(lines)")
        #expect(lines[2].hasPrefix("Factors that move `age_of_information_us` most, "))
        #expect(
            lines[0]
                .hasSuffix(
                    " ride_stage_coverage_ratio, stage_lag_us and age_of_information_us{during_ride} are comparable."
                )
        )
        // A map of values that are not comparable would cause the same mistake.
        #expect(SweepReport.mapped(analysis.result) == [1])
        let checked = try await SmallSweep.analysis(factors + "\nchecks: [displayed_fresh_time_ratio > 80%]")
        #expect(SweepReport.mapped(checked.result) == [0, 1])
        let none = try await SmallSweep.analysis(factors.replacing(", age_of_information_us", with: ""))
        #expect(SweepReport.mapped(none.result) == [0])
    }

    @Test("If pairs separate two points and their own intervals do not, the result states the difference")
    func apart() async throws {
        func answer(_ refresh: String, _ response: String) async throws -> String {
            let factors = """
                factors:
                  vary: {content.refresh: [60s, \(refresh)], rides.arrivals.count: [600]}
                  responses: ["\(response)"]
                """
            return SweepAnswer(analysis: try await SmallSweep.analysis(factors, replications: 5)).lines[0]
        }
        let overlapping = try await answer("64s", "age_of_information_us{during_ride}")
        #expect(
            overlapping.contains(
                /\*\*\. Their intervals overlap, but replication by replication, in .* at least [0-9]+ ms apart \(/
            ),
            "\(overlapping)"
        )
        // A leftover card would change the mean age by 1.8 s.
        let unsure = try await answer("72s", "age_of_information_us")
        #expect(
            unsure.contains(
                /\*\*\. Replication by replication, in the same worlds, best and worst are at least [0-9.]+ m?s apart \(/
            ),
            "\(unsure)"
        )
        #expect(try await answer("64s", "age_of_information_us").hasPrefix("No factor matters here"))
        let disjoint = try await answer("70s", "age_of_information_us{during_ride}")
        #expect(disjoint.hasSuffix("**.") && !disjoint.contains("apart"), "\(disjoint)")
    }

    @Test("If the metric basis is a factor, there is no trade-off with it, and no factor that affects it most")
    func noTradeOffAcrossBases() async throws {
        func analysis(_ factor: String) async throws -> SweepAnalysis {
            try await SmallSweep.analysis(
                "factors: {vary: {\(factor)}, responses: [displayed_fresh_time_ratio, pushes_per_activity]}"
            )
        }
        let varied = try await analysis("content.ttl: [30s, 90s], content.refresh: [60s, 200s]")
        #expect(varied.tradeOff == nil)
        let text = varied.report
        #expect(!text.contains("no other brings as much"))
        let charts = Chart.charts(varied).map(\.text)
        #expect(!charts.contains { $0.contains(" moves displayed_fresh_time_ratio most") })
        #expect(
            charts.contains { $0.contains("displayed_fresh_time_ratio is not comparable because content.ttl differs") }
        )
        #expect(try await analysis("content.refresh: [60s, 200s]").tradeOff != nil)
    }

    @Test("If every point is tied with the best, there is no winner, and no factor affects the response")
    func flat() async throws {
        let factors = """
            factors:
              vary: {sender.connections: [4, 8], sender.timeout: [20s, 30s]}
              responses: [displayed_fresh_time_ratio]
            """
        let lines = SweepAnswer(analysis: try await SmallSweep.analysis(factors)).lines
        #expect(lines.count == 1, "\(lines)")
        #expect(lines[0].hasPrefix("No factor matters here: ") || lines[0].hasSuffix(" at every point."), "\(lines)")
    }

    @Test("With one replication of each point neither points nor factors are ranked")
    func oneReplication() async throws {
        let factors = """
            factors:
              vary: {content.refresh: [60s, 200s], monitor.fresh_limit: [30s, 1m]}
              responses: [displayed_fresh_time_ratio, pushes_per_activity]
            """
        let analysis = try await SmallSweep.analysis(factors, replications: 1)
        let text = analysis.report + Chart.charts(analysis).map(\.text).joined()
        for claim in ["is best", "worst with", " moves ", "*Not sure*", "%**"] {
            #expect(!text.contains(claim), "\(text)")
        }
        let lines = SweepAnswer(analysis: analysis).lines
        #expect(lines.count == 3, "\(lines)")
        #expect(
            lines[0]
                .hasPrefix("In the one world that was run, `displayed_fresh_time_ratio` is largest with content.ref")
        )
        #expect(lines[0].contains("; smallest with content.refresh = 200s, "))
        #expect(lines[1].contains(" and in this world: content.refresh by "))
        #expect(
            lines[2]
                .hasSuffix(
                    "One replication cannot separate an order of points or factors from chance; "
                        + "`--replications 5` or more can."
                )
        )
    }
}
