import Evaluation
import LiveActivityModel
import Reporting
import Studies
import Testing

@testable import LoadCommands
@testable import LoadGenerator

@Suite("Rows of summary.csv from loads")
struct LoadRowsTests {
    /// The rows of each load before it begins.
    private static func rows() throws -> [SummaryRow] {
        var endpoint = LoadAPNsOutcome.nothing(sent: [])
        endpoint.faults = [FaultSpan(kind: .apnsSilent, from: 0, until: 1)]
        return try endpoint.rows + endpoint.absentRows(asked: [])
            + LoadMonitorOutcome.names(of: ScenarioLoader.world(Scenario())) + LoadMonitorRateOutcome.names
    }

    /// Metrics of the simulator may have further statistics and parts in a load.
    @Test(
        "Each row is of a metric that `freshet metrics` explains, with its unit, statistic and part"
    )
    func declared() throws {
        let simulated = Dictionary(
            uniqueKeysWithValues: MetricDescription.all(of: Scenario()).map { ($0.name, $0.scopes.map(\.name)) }
        )
        let ofLoads = Dictionary(uniqueKeysWithValues: MetricDescription.ofLoads.map { ($0.name, $0) })
        for row in try Self.rows() {
            if let parts = simulated[row.metric] {
                let isOfAnswer = ["status:", "reason:"].contains(where: row.scope.hasPrefix)
                #expect(isOfAnswer || parts.contains(row.scope), "\(row.metric){\(row.scope)}")
                continue
            }
            let metric = try #require(ofLoads[row.metric], "\(row.metric) is not declared")
            let parts = metric.scopes.map(\.name)
            #expect(row.unit == metric.unit, "\(row.metric)")
            #expect(metric.statistics.contains(row.stat), "\(row.metric).\(row.stat)")
            #expect(
                parts.contains { $0 == row.scope || $0.hasSuffix(":") && row.scope.hasPrefix($0) },
                "\(row.metric){\(row.scope)}"
            )
        }
    }

    @Test("Some load writes each declared metric of loads, and the example of each is a valid threshold")
    func written() throws {
        let rows = try Self.rows()
        for metric in MetricDescription.ofLoads {
            let own = rows.filter { $0.metric == metric.name }
            #expect(!own.isEmpty, "\(metric.name)")
            let threshold = try Check(parsing: metric.example.text)
            #expect(throws: Never.self, "\(threshold.name)") { try threshold.outcome(in: own.uniqueRows) }
        }
    }
}

extension [SummaryRow] {
    /// Each row once, although several loads may write it.
    fileprivate var uniqueRows: [SummaryRow] {
        var seen: Set<String> = []
        return filter { seen.insert("\($0.metric){\($0.scope)}.\($0.stat)").inserted }
    }
}
