import LiveActivityModel
import ModelChecks
import TestSupport
import Testing

@testable import Evaluation
@testable import Studies
@testable import Verification

/// A requirement that is too strong would hide events.
@Suite("Requirements of metrics in random worlds")
struct RequirementReachTests {
    @Test("In a world that does not meet a requirement the metric is 0 or undefined", .enabled(if: Loop.isFull))
    func zero() async throws {
        var lacking: Set<String> = []
        for seed in UInt64(0)..<60 {
            var scenario = ScenarioSwarm.scenario(seed: seed)
            scenario.replications = Scenario.Replications()
            let world = try ScenarioLoader.world(scenario)
            let result = try await RunEngine(world: world, replications: 1, jobs: 1).run(progress: RunProgress())
            let metrics = MetricCatalog(of: scenario).metrics.filter { $0.unmet(by: scenario) != nil }
            let plain = metrics.map { $0.with(\.requirements, []) }
            for (metric, rows) in zip(metrics, SummarySource(plain, of: result.total, in: scenario).rows) {
                lacking.insert(metric.unmet(by: scenario)?.reason ?? "")
                let usual = rows.first { row in metric.statistics.contains { $0.isUsual && $0.name == row.stat } }
                #expect(usual?.value?.double ?? 0 == 0, "\(metric.name) \(metric.scope) in world \(seed)")
            }
        }
        #expect(lacking.count > 15, "\(lacking.sorted())")
    }
}
