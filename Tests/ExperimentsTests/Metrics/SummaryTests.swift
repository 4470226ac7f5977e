import Statistics
import Testing

@testable import Experiments
@testable import LiveActivityModel

@Suite("The summary of a run")
struct SummaryTests {
    /// Student's t for 95 %, two-sided, by degrees of freedom; from printed tables.
    private static let reach = [2: 4.302652730, 7: 2.364624252]

    /// Metrics that are plain totals, and what they count.
    static let totals: [(metric: String, scope: String, counter: Counter)] = [
        ("activities_started_count", "all", .activitiesStarted), ("rides_requested_count", "all", .ridesRequested),
        ("pushes_sent_count", "kind:update", .updatesSent), ("push_fate_count", "fate:shown", .fateShown),
    ]

    @Test("A total is the sum of n batches, so its interval is ± t · s · √n", arguments: [1, 3])
    func totals(replications: Int) async throws {
        let result = try await RunResult.running(.smallPoisson, replications: replications)
        let summary = Summary(result)
        for (metric, scope, counter) in Self.totals {
            let parts =
                replications == 1
                ? result.cells.map { Double($0.measurements[counter]) }
                : result.perReplication.map { Double($0[counter]) }
            let n = Double(parts.count)
            #expect(parts.count == (replications == 1 ? 8 : 3))
            let sum = parts.reduce(0, +)
            let variance = parts.reduce(0) { $0 + ($1 - sum / n) * ($1 - sum / n) } / (n - 1)
            let half = try #require(Self.reach[parts.count - 1]) * (variance * n).squareRoot()
            #expect(half > 0)

            let row = try #require(summary.row(metric, "total", scope: scope))
            #expect(row.value == .integer(Int64(sum)))
            #expect(row.n == parts.count)
            let interval = try #require(row.interval)
            #expect(abs(interval.lowerBound - max(0, sum - half)) < 1e-6 * sum)
            #expect(abs(interval.upperBound - (sum + half)) < 1e-6 * sum)
        }
    }

    @Test("A total by hand: batches of 101, 102 and 103 have s = 1")
    func knownTotal() async throws {
        let run = try await RunResult.running(.smallPoisson)
        let world = try ScenarioLoader.world(.smallPoisson)
        let parts = [101, 102, 103]
            .map { (count: Int64) in
                var part = Measurements(emptyFor: world)
                part.counters[Counter.ridesRequested.rawValue] = count
                return part
            }
        let row = try #require(Summary(run.replacing(measurements: parts)).row("rides_requested_count", "total"))
        let interval = try #require(row.interval)
        #expect(row.value == .integer(306))
        #expect(row.n == 3)
        // 4.302652730 · √3
        #expect(abs(interval.lowerBound - (306 - 7.452413135)) < 1e-6)
        #expect(abs(interval.upperBound - (306 + 7.452413135)) < 1e-6)
    }

    @Test("A ratio is its numerator row over its denominator row, with the interval of its batches", arguments: [1, 3])
    func ratios(replications: Int) async throws {
        let result = try await RunResult.running(.smallPoisson, replications: replications)
        let summary = Summary(result)
        let ratios = summary.rows.filter { $0.stat == "ratio" }
        #expect(!ratios.isEmpty)
        for row in ratios {
            let numerator = try #require(summary.row(row.metric, "numerator", scope: row.scope)?.value).double
            let denominator = try #require(summary.row(row.metric, "denominator", scope: row.scope)?.value).double
            #expect(
                row.value?.double == (denominator == 0 ? nil : numerator / denominator),
                "\(row.metric) \(row.scope)"
            )
        }

        let times = result.batches.map(\.times)
        let estimate = try #require(
            RatioEstimator(times.map { (Double($0.displayedFresh), Double($0.displayed)) })
        )
        let fresh = try #require(summary.row("displayed_fresh_time_ratio", "ratio"))
        let interval = try #require(fresh.interval)
        #expect(fresh.n == (replications == 1 ? 8 : 3))
        #expect(estimate.halfWidth > 0)
        #expect(interval == max(0, estimate.interval.lowerBound)...min(1, estimate.interval.upperBound))
        #expect(
            summary.row("displayed_fresh_time_ratio", "numerator")?.value == .integer(result.total.times.displayedFresh)
        )
        #expect(
            summary.row("displayed_fresh_time_ratio", "denominator")?.value == .integer(result.total.times.displayed)
        )
    }

    @Test("A single batch and a single replication have values and no intervals")
    func noIntervals() async throws {
        var scenario = Scenario.smallPoisson
        scenario.cells = 1
        let whole = Summary(try await RunResult.running(scenario))
        #expect(whole.rows.allSatisfy { $0.interval == nil && $0.n == 1 })

        let result = try await RunResult.running(.smallPoisson, replications: 3)
        for replication in 0..<3 {
            let part = Summary(result, replication: replication)
            #expect(part.rows.allSatisfy { $0.interval == nil && $0.n == 1 })
            let started = result.perReplication[replication][.activitiesStarted]
            #expect(part.row("activities_started_count", "total")?.value == .integer(started))
        }
    }
}
