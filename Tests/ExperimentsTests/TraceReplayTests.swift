import LiveActivityModel
import ModelChecks
import Studies
import Testing

@testable import Evaluation

@Suite("The replay of real rides")
struct TraceReplayTests {
    /// The expected row counts of a real file, counted independently of this code.
    struct Expectation {
        var file: String
        var provider = "none"
        var rides: Int
        var otherProvider = 0
        var repaired: [String: Int]
    }

    @Test(
        "Real files run end to end, and the result lists repairs and omissions",
        .enabled(if: RealData.has("rides-lyft2016.csv") && RealData.has("rides-tlc2023.csv"), "no real data"),
        arguments: [
            Expectation(file: "rides-lyft2016.csv", rides: 407, repaired: ["arrival_after_pickup": 18]),
            Expectation(
                file: "rides-tlc2023.csv",
                rides: 133,
                repaired: ["pickup_before_request": 4, "arrival_missing": 40, "accepted_missing": 133]
            ),
            Expectation(
                file: "rides-tlc2023.csv",
                provider: "HV0005",
                rides: 40,
                otherProvider: 93,
                repaired: ["pickup_before_request": 1, "arrival_missing": 40, "accepted_missing": 40]
            ),
        ]
    )
    func realRides(expectation: Expectation) async throws {
        let world = try ShippedScenario("trace-replay")
            .small(settings: [
                "rides.trace.file=\(RealData.path(expectation.file))",
                "rides.trace.provider=\(expectation.provider)",
            ])
        let result = try await RunEngine(world: world, replications: 1, jobs: 2).run(progress: RunProgress())
        #expect(Invariants.violations(of: result.total, scenario: result.scenario) == [])
        #expect(result.total[.ridesRequested] == Int64(expectation.rides))
        #expect(result.total[.ridesCompleted] == Int64(expectation.rides))

        let cleaning = try #require(result.scenario.rides.trace?.cleaning)
        #expect(cleaning.read == expectation.rides + expectation.otherProvider)
        #expect(cleaning.kept == expectation.rides)
        #expect(cleaning.otherProvider == expectation.otherProvider)
        #expect(counts(cleaning.repaired) == expectation.repaired)
        #expect(counts(cleaning.leftOut).isEmpty)
    }

    @Test("The sample beside the scenario has the faults that its comment describes")
    func sample() throws {
        let shipped = ShippedScenario("trace-replay")
        let cleaning = try #require(ScenarioLoader.load(file: shipped.path).scenario.rides.trace?.cleaning)
        #expect(cleaning.read == 500)
        #expect(cleaning.kept == 449)
        #expect(cleaning.otherProvider == 50)
        #expect(
            counts(cleaning.repaired) == [
                "arrival_after_pickup": 20, "pickup_before_request": 5, "arrival_missing": 13, "accepted_missing": 449,
            ]
        )
        #expect(counts(cleaning.leftOut) == ["longer_than_limit": 1])
    }

    private func counts(_ rows: [TraceCleaning.Count]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: rows.filter { $0.rows > 0 }.map { ($0.reason, $0.rows) })
    }
}
