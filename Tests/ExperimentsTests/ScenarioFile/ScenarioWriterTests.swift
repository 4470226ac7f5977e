import LiveActivityModel
import Quantities
import Testing

@testable import Experiments

@Suite("Resolved scenarios")
struct ScenarioWriterTests {
    @Test("What is written reads as an equal scenario", arguments: ["default", "everything"])
    func roundTrip(name: String) throws {
        let scenario = name == "default" ? Scenario() : .everything
        let yaml = ScenarioWriter.resolvedYAML(scenario)
        let read = try ScenarioReader.read(yaml: yaml, named: "resolved.yaml")
        #expect(read.scenario == scenario)
        #expect(ScenarioWriter.resolvedYAML(read.scenario) == yaml)
    }

    @Test("The changes read as an equal scenario", arguments: ["default", "everything"])
    func changesRoundTrip(name: String) throws {
        let scenario = name == "default" ? Scenario() : .everything
        let read = try ScenarioReader.read(yaml: ScenarioWriter.changes(scenario), named: "changes.yaml")
        #expect(read.scenario == scenario)
    }

    @Test("Changes hold no comment and nothing that is at its default")
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

    @Test("Neither a new key with a default nor another wording changes what is written as a change")
    func changesOutliveTheTable() {
        let one = Section("One.", Scenario.Ranks(), [Field("start", \.start, .rank, "First.")])
        let two = Section(
            "Two.",
            Scenario.Ranks(),
            [Field("end", \.end, .rank, "Last."), Field("start", \.start, .rank, "Before all.")]
        )
        var ranks = Scenario.Ranks()
        ranks.start = 6
        #expect(one.writeChanges(ranks) == two.writeChanges(ranks))
        ranks.end = 6
        #expect(one.writeChanges(ranks) != two.writeChanges(ranks))
    }

    @Test("The scenario of the round trip leaves no field at its default but those that others exclude")
    func everythingIsEverything() {
        let fields = Section.scenario.write(.everything).leaves()
        let defaults = Section.scenario.write(Scenario()).leaves()
        let left = fields.filter { defaults[$0.key] == $0.value }.keys.sorted()
        #expect(left == ["rides.rematching.share", "sender.preempt"])
    }

    @Test("Every section begins with a comment, distributions stand on one line, absence is written none")
    func layout() {
        let lines = ScenarioWriter.resolvedYAML(.everything).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.starts(with: ["name: \"every-field\""]))
        #expect(lines.contains("# The Freshness Monitor."))
        #expect(lines.contains("    time: {lognormal: {median: 600ms, p95: 2s}}"))
        #expect(lines.contains("  initial_content_limit: off"))
        #expect(lines.contains("  - kind: apns_slow"))
        #expect(lines.last == "")
    }
}

extension StructuredValue {
    /// The values that are no mappings, by their paths.
    fileprivate func leaves(path: String = "") -> [String: StructuredValue] {
        guard case .mapping(let entries, isCompact: false) = self, !entries.isEmpty else { return [path: self] }
        return entries.reduce(into: [:]) { leaves, entry in
            leaves.merge(entry.value.leaves(path: Reading.path(path, entry.key))) { _, later in later }
        }
    }
}
