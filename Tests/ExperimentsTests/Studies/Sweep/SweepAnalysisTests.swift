import LiveActivityModel
import Statistics
import TestSupport
import Testing

@testable import ScenarioLanguage
@testable import Studies

@Suite("Analysis of a sweep's factors")
struct SweepAnalysisTests {
    private let directory = Scratch()

    private func analysis(_ factors: String, settings: [String] = [], only: [String] = []) async throws -> SweepAnalysis
    {
        let sweep = try Sweep(
            ScenarioReader.read(
                file: directory.write(SmallSweep.scenario + factors, to: "town.yaml"),
                settings: settings
            ),
            only: only.compactMap { Condition(parsing: $0) }
        )
        let store = TaskStore(path: directory.path("tasks"))
        try await SweepEngine(sweep: sweep, store: store, jobs: 2).run(progress: RunProgress())
        return SweepAnalysis(try SweepResult(sweep, from: store))
    }

    private static let grid = """
        replications: 3
        factors:
          vary:
            content.refresh: [30s, 60s, 2m]
            monitor.enabled: [true, false]
          responses: [pushes_per_activity, displayed_fresh_time_ratio, recovered_ratio]

        """

    @Test("Effects are differences of means over the points of each level; their sum is zero")
    func effects() async throws {
        let analysis = try await analysis(Self.grid)
        let effects = try #require(analysis.effects[0])
        #expect(effects.isBalanced && effects.effects.map(\.count) == [3, 2])
        let samples = try #require(analysis.result.samples(of: 0))
        let all = samples.joined().reduce(0, +) / 18
        let often = (samples[0] + samples[1]).reduce(0, +) / 6
        #expect(abs(effects.effects[0][0].value - (often - all)) < 1e-12)
        #expect(abs(effects.effects[0].reduce(0) { $0 + $1.value }) < 1e-9)
        #expect(effects.effects[0][0].value > 0 && effects.effects[0][2].value < 0)
        // Without a monitor there are no recoveries, so nothing is known about them.
        #expect(analysis.effects[2] == nil)
        #expect(analysis.sensitivity.allSatisfy { $0 == nil })
    }

    @Test("The front contains the points that no other point dominates")
    func tradeOff() async throws {
        let analysis = try await analysis(Self.grid)
        let tradeOff = try #require(analysis.tradeOff)
        #expect(tradeOff.gain == 1 && tradeOff.cost == 0)
        let means = [0, 1]
            .map { response in
                analysis.result.samples(of: response)?.map { $0.reduce(0, +) / 3 } ?? []
            }
        for point in analysis.result.points.indices {
            let isBeaten = analysis.result.points.indices.contains { other in
                means[0][other] <= means[0][point] && means[1][other] >= means[1][point]
                    && (means[0][other] < means[0][point] || means[1][other] > means[1][point])
            }
            #expect(tradeOff.front.members.contains(point) == !isBeaten)
        }
    }

    @Test(
        "A crossed design attributes the variance to factors; a part of one does not",
        .enabled(if: Loop.isFull)
    )
    func sensitivity() async throws {
        let factors = """
            replications: 1
            factors:
              design: saltelli
              points: 31
              vary:
                content.refresh: {from: 20s, to: 3m}
                devices.end_report: {from: 1ms, to: 2ms}
              responses: [pushes_per_activity]

            """
        let analysis = try await analysis(factors)
        #expect(analysis.result.points.count == 31 * 4)
        let indices = try #require(analysis.sensitivity[0])
        #expect(analysis.groupNames == ["content.refresh", "devices.end_report"])
        #expect(indices.firstOrder[0].value > 0.8 && indices.total[0].value > 0.8)
        #expect(indices.total[1].value < 0.05)
        #expect(analysis.effects[0] == nil)
        let part = try await self.analysis(factors, only: ["content.refresh > 1m"])
        #expect(part.sensitivity[0] == nil)
    }
}
