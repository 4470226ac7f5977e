import Experiments
import LiveActivityModel
import Quantities
import SimulationKernel
import TestSupport
import Testing

@testable import Verification

@Suite("The coverage of the long-run value by intervals")
struct CoverageStudyTests {
    private static func outcome(_ rows: [CoverageOutcome.Row?], runs: Int = 200) -> CoverageOutcome {
        CoverageOutcome(scenario: "s", rides: 1000, basis: .cells, runs: runs, rows: rows.compactMap { $0 })
    }

    /// Intervals around 10, some of which miss it.
    private static func row(_ printed: Int, missing: Int, isCount: Bool = false) -> CoverageOutcome.Row? {
        CoverageOutcome.Row(
            name: "row",
            isCount: isCount,
            exact: 10,
            intervals: (0..<printed).map { $0 < missing ? 11...12 : 9...11 }
        )
    }

    @Test("The chance of misses is the binomial tail")
    func chance() {
        #expect(CoverageOutcome.chance(of: 0, orMoreIn: 200) == 1)
        #expect(abs(CoverageOutcome.chance(of: 1, orMoreIn: 1) - 0.08) < 1e-12)
        #expect(abs(CoverageOutcome.chance(of: 2, orMoreIn: 3) - (3 * 0.0064 * 0.92 + 0.000_512)) < 1e-12)
    }

    @Test("A row fails beyond the effect of chance at 8% misses, whatever share of the runs prints it")
    func rows() {
        #expect(Self.outcome([Self.row(200, missing: 10), Self.row(200, missing: 5)]).holds)
        #expect(Self.outcome([Self.row(200, missing: 40)]).failures.count == 1)
        #expect(Self.outcome([Self.row(4, missing: 4)]).failures.isEmpty)
        #expect(Self.row(0, missing: 0) == nil)
    }

    @Test("All rows together contain the value in 92 to 98.5% of the cases, separately for counts and others")
    func pooled() {
        let good = [Self.row(200, missing: 8), Self.row(200, missing: 8, isCount: true)]
        #expect(Self.outcome(good).holds)
        #expect(!Self.outcome([Self.row(200, missing: 20)]).holds)
        #expect(!Self.outcome([Self.row(200, missing: 1)]).holds)
        #expect(!Self.outcome([Self.row(200, missing: 8), Self.row(200, missing: 20, isCount: true)]).holds)
        // Too few runs for a verdict.
        #expect(Self.outcome([Self.row(40, missing: 4)], runs: 40).holds)
    }

    @Test("A study runs a scenario at another size and tests cells, replications and windows")
    func study() async throws {
        var scenario = Scenario()
        scenario.cells = 8
        scenario.clock.duration = .hours(2)
        scenario.clock.drain = .hours(1)
        scenario.rides.arrivals.ratesPerHour = [500, 300]
        scenario.rides.stages = [Scenario.Stage(name: "on_trip", duration: .exponential(mean: 300e6))]
        scenario.content.refresh = .constant(60e6)
        scenario.devices.systemLimit = .minutes(20)
        let world = try ScenarioLoader.world(scenario)
        let study = try #require(CoverageStudy(world, rides: 80, seeds: 20))
        let outcomes = try await study.run(jobs: 2)
        #expect(outcomes.map(\.basis) == [.cells, .replications, .windows])
        #expect(outcomes.map(\.runs) == [20, 4, 1])
        let rides = try #require(outcomes[0].rows.first { $0.name == "rides_requested_count all total" })
        #expect(rides.isCount && rides.printed == 20 && rides.held >= 16)
        // Rates differ from hour to hour.
        #expect(outcomes[2].rows.isEmpty)
        scenario.rides.arrivals.process = .even
        #expect(CoverageStudy(try ScenarioLoader.world(scenario), rides: 80, seeds: 20) == nil)
    }
}
