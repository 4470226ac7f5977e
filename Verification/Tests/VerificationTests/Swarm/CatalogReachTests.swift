import LiveActivityModel
import ModelChecks
import Testing

@testable import Evaluation
@testable import Studies
@testable import Verification

/// A measure that is declared but never recorded reads as zero, which looks like a world without events.
@Suite("Every declared measure is recorded in some small world")
struct CatalogReachTests {
    /// Worlds that together reach everything.
    private static let worlds: [UInt64] = [
        15, 22, 30, 34, 74, 133, 134, 517, 613, 615, 680, 827, 1143, 1198, 1422, 1446, 3631,
    ]
    /// Further worlds, tried while something is missing, so that the swarm may change its worlds.
    private static let furtherWorlds = UInt64(0)..<600

    /// The measures that no world can reach, with the reason.
    private static let unreachable: Set<String> = [
        // Once the ride is over the monitor believes no instance fresh, so nothing is silently stale.
        "silently_stale_time_ratio after_ride numerator", "silently_stale_time_ratio after_ride ratio",
        "silently_stale_time_ratio stage:after_ride numerator", "silently_stale_time_ratio stage:after_ride ratio",
        // The minimum interval concerns updates, never ends.
        "stale_time_us cause:end_held_back total",
        // An app ends its card without a push, and no end of the server waits in it.
        "stale_time_us cause:end_not_drawn total",
        // An end needs no new content, so an outage of the content does not stop it.
        "stale_time_us cause:end_no_content total",
        // iOS ends an activity whether or not the app can decode the final content.
        "stale_time_us cause:end_undecodable total",
    ]

    @Test("Each case of a measure, and each statistic of each metric, is nonzero somewhere")
    func reach() async throws {
        var unseenCases = Set(Self.allCases)
        var declared: Set<String> = []
        var seen: Set<String> = []
        for seed in Self.worlds + Self.furtherWorlds {
            var scenario = ScenarioSwarm.scenario(seed: seed)
            scenario.replications = Scenario.Replications()
            let world = try ScenarioLoader.world(scenario)
            let result = try await RunEngine(world: world, replications: 1, jobs: 1).run(progress: RunProgress())
            unseenCases.subtract(Self.cases(in: result.total))
            var unseen: [Metric] = []
            for metric in MetricCatalog(of: scenario).metrics {
                let names = metric.statistics.map { Self.name(of: metric, $0.name) }
                declared.formUnion(names)
                if !seen.isSuperset(of: names) { unseen.append(metric) }
            }
            for (metric, rows) in zip(unseen, SummarySource(unseen, of: result.total, in: scenario).rows) {
                for row in rows where (row.value?.double ?? 0) != 0 { seen.insert(Self.name(of: metric, row.stat)) }
            }
            if unseenCases.isEmpty, declared.subtracting(seen) == Self.unreachable { break }
        }
        #expect(unseenCases == [])
        #expect(declared.subtracting(seen) == Self.unreachable)
        #expect(seen.isDisjoint(with: Self.unreachable))
        #expect(
            Set(MetricCatalog.declarations.map(\.name))
                == Set(declared.compactMap { $0.split(separator: " ").first.map(String.init) })
        )
    }

    /// A statistic of a metric; the scope omits names from the scenario: a stage, a rank, a threshold.
    private static func name(of metric: Metric, _ statistic: String) -> String {
        var parts = metric.scope.split(separator: ":")
        if ["stage", "rank", "over", "within"].contains(parts[0]), metric.scope != "stage:after_ride" {
            parts.remove(at: 1)
        }
        return "\(metric.name) \(parts.joined(separator: ":")) \(statistic)"
    }

    private static let allCases =
        Counter.allCases.map { "counter \($0)" } + Total.allCases.map { "total \($0)" }
        + Observation.allCases.map { "observation \($0)" } + Peak.allCases.map { "peak \($0)" }
        + SeriesColumn.allCases.map { "column \($0)" }

    /// The nonzero cases.
    private static func cases(in run: Measurements) -> [String] {
        Counter.allCases.filter { run[$0] != 0 }.map { "counter \($0)" }
            + Total.allCases.filter { run[$0] != 0 }.map { "total \($0)" }
            + Observation.allCases.filter { run[$0].sum != 0 }.map { "observation \($0)" }
            + Peak.allCases.filter { run[$0] != 0 }.map { "peak \($0)" }
            + SeriesColumn.allCases.filter { run.series.total($0) != 0 }.map { "column \($0)" }
    }
}
