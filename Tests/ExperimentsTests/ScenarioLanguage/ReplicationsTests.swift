import LiveActivityModel
import Testing

@testable import ScenarioLanguage

@Suite("Replications in scenario files")
struct ReplicationsTests {
    private func read(_ text: String) throws -> Scenario.Replications {
        try ScenarioReader.read(yaml: "replications: \(text)\n", named: "a.yaml").scenario.replications
    }

    @Test("A number, a precision in words, a section")
    func forms() throws {
        var expected = Scenario.Replications()
        #expect(try read("1") == expected)
        expected.count = 12
        #expect(try read("12") == expected)
        #expect(try read("{count: 12}") == expected)
        expected.count = 5
        expected.until = Scenario.Precision()
        #expect(try read("until half-width < 1%") == expected)
        #expect(expected.until?.metric == "displayed_fresh_time_ratio")
        #expect(expected.until?.atMost == 1000)
        expected.until?.halfWidth = 0.0025
        #expect(try read("until half-width < 0.25%") == expected)
        #expect(try read("{count: 5, until: {half_width: 0.0025}}") == expected)
    }

    @Test("They are written in the shortest form and read back unchanged")
    func written() throws {
        var scenario = Scenario()
        scenario.replications.count = 3
        #expect(ScenarioWriter.resolvedYAML(scenario).contains("\nreplications: 3\n"))
        scenario.replications.count = 4
        scenario.replications.antithetic = true
        let yaml = ScenarioWriter.resolvedYAML(scenario)
        #expect(yaml.contains("\nreplications:\n  count: 4\n  until: off\n  antithetic: true\n"))
        #expect(try ScenarioReader.read(yaml: yaml, named: "a.yaml").scenario == scenario)
    }
}
