import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@testable import ScenarioLanguage

@Suite("Resolved scenarios")
struct ScenarioWriterTests {
    @Test("Written scenarios and changes read as an equal scenario", arguments: Self.scenarios)
    func roundTrip(scenario: Scenario) throws {
        let yaml = ScenarioWriter.resolvedYAML(scenario)
        let read = try ScenarioReader.read(yaml: yaml, named: "resolved.yaml")
        #expect(read.scenario == scenario)
        #expect(ScenarioWriter.resolvedYAML(read.scenario) == yaml)
        let changed = try ScenarioReader.read(yaml: ScenarioWriter.changes(scenario), named: "changes.yaml")
        #expect(changed.scenario == scenario)
    }

    private static let scenarios =
        [Scenario(), odd] + (0..<10).map { Scenario().varied(SwarmDraws(seed: $0)).keepingRules() }

    /// Values that are hard to write.
    private static var odd: Scenario {
        var scenario = Scenario.smallPoisson
        scenario.seed = .max
        scenario.clock.window = TimeSpan(microseconds: 60_000_001)
        scenario.rides.scale = 0.125
        scenario.rides.arrivals.ratesPerHour = [0, 12.5, 1e-7, 1e9]
        scenario.rides.arrivals.spread = .hours(30)
        scenario.rides.stages[0].duration = .exponential(mean: 1e6 / 3)
        scenario.rides.cancellation.after = .gamma(shape: 3, scale: 1e6 / 3)
        scenario.content.undecodable = Probability(1e-9)
        scenario.content.timestampInMilliseconds = Probability(1.0 / 3)
        scenario.devices.token.delay = .lognormalOfLog(mu: -0.5, sigma: 1.2, unit: 1e6)
        scenario.devices.token.postRetryAfter = .constant(1)
        scenario.devices.connectivity.offline = .empirical(
            EmpiricalValues(file: "stalls.csv", column: "stall s", unit: 1e6, sorted: [])
        )
        return scenario
    }

    @Test("Changes contain no comments and no defaults")
    func changesOnly() {
        #expect(ScenarioWriter.changes(Scenario()) == "{}")
        var scenario = Scenario()
        scenario.sender.rateLimit = Scenario.RateLimit()
        scenario.sender.ranks.end = 5
        scenario.faults = [Scenario.Fault(kind: .connectionLost, at: .zero)]
        #expect(
            ScenarioWriter.changes(scenario) == """
                sender:
                  ranks:
                    end: 5
                  rate_limit: {}
                faults:
                  - kind: connection_lost
                    at: 0s
                """
        )
    }

    @Test("Neither a new key with a default nor another wording affects the written changes")
    func changesOutliveTheTable() {
        let one = Section("One.", Scenario.Ranks()) { Field("start", \.start, .rank).means("First.") }
        let two = Section("Two.", Scenario.Ranks()) {
            Field("end", \.end, .rank).means("Last.")
            Field("start", \.start, .rank).means("Before all.")
        }
        var ranks = Scenario.Ranks()
        ranks.start = 6
        #expect(one.writeChanges(ranks) == two.writeChanges(ranks))
        ranks.end = 6
        #expect(one.writeChanges(ranks) != two.writeChanges(ranks))
    }

    @Test("Every section begins with a comment, distributions are on one line, a missing value is written as none")
    func layout() {
        var scenario = Scenario()
        scenario.devices.start.time = .lognormal(median: 0.6e6, p95: 2e6)
        scenario.devices.initialContentLimit = nil
        scenario.faults = [Scenario.Fault(kind: .apnsSlow, at: .zero)]
        let lines = ScenarioWriter.resolvedYAML(scenario).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.starts(with: ["name: \"unnamed\""]))
        #expect(lines.contains("# The Freshness Monitor."))
        #expect(lines.contains("    time: {lognormal: {median: 600ms, p95: 2s}}"))
        #expect(lines.contains("  initial_content_limit: off"))
        #expect(lines.contains("  - kind: apns_slow"))
        #expect(lines.last == "")
    }
}
