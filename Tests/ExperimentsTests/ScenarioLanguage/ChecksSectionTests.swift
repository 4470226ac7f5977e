import LiveActivityModel
import Testing
import TextFormats

@testable import Evaluation
@testable import ScenarioLanguage

@Suite("The checks of a scenario file")
struct ChecksSectionTests {
    private func read(_ yaml: String) throws -> LoadedScenario {
        try ScenarioReader.read(yaml: yaml, named: "town.yaml")
    }

    @Test("Unnamed and named checks, in file order; written and read again they are unchanged")
    func roundTrip() throws {
        let experiment =
            try read(
                """
                name: town
                checks:
                  - displayed_fresh_time_ratio >= 95%
                  - {name: "calm, when \\"idle\\"", check: "peak_age_us{stage:ride}.p95 < 2m"}
                  - check: pushes_sent_count{kind:retry}@0s..15m == 0
                """
            )
            .experiment
        #expect(
            experiment.checks.map(\.name) == [
                "displayed_fresh_time_ratio >= 95%", #"calm, when "idle""#,
                "pushes_sent_count{kind:retry}@0s..15m == 0",
            ]
        )
        let yaml = ScenarioWriter.resolvedYAML(experiment)
        #expect(try read(yaml).experiment == experiment)
        #expect(ScenarioWriter.resolvedYAML(try read(yaml).experiment) == yaml)
    }

    @Test(
        "A name is a one-line title without control sequences or spreadsheet formulas",
        arguments: [
            #""x\n::set-output name=outcome::same""#, #""\e[2J""#, #""a\tb""#, "'::stop-commands::t'",
            "'x ##[set-output name=a]b'", #"'=cmd|" /C calc"!A0'"#, "'@SUM(1)'", "'+1'", "'-->'", #""a\u2028b""#,
        ]
    )
    func names(_ name: String) {
        let error = #expect(throws: ScenarioError.self) {
            try read("checks: [{name: \(name), check: pushes_sent_count > 1}]")
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("town.yaml:1:17: checks.0.name must be a title, got "), "\(text)")
        #expect(!OneLine.isObeyed(text), "\(text)")
    }

    @Test("Names in any language are titles", arguments: ["calm, when idle: 95 %", "Zwölf & mehr <", "新年", "🚕 = taxi"])
    func titles(_ name: String) throws {
        let experiment = try read("checks: [{name: '\(name)', check: pushes_sent_count > 1}]").experiment
        #expect(experiment.checks.map(\.name) == [name])
    }

    @Test("Without checks, an experiment's file is the file of its scenario")
    func nothingAdded() {
        let scenario = Scenario().varied(SwarmDraws(seed: 1))
        #expect(ScenarioWriter.resolvedYAML(Experiment(scenario: scenario)) == ScenarioWriter.resolvedYAML(scenario))
    }

    @Test("All errors are reported with their places, without consequential errors of a wrong section")
    func diagnostics() throws {
        let error = #expect(throws: ScenarioError.self) {
            try read(
                """
                checks:
                  - displayed_fresh_time_rato >= 95%
                  - {name: wait, check: send_wait_us.p95 < 90}
                  - check: peak_age_us@7m..9h > 0s
                """
            )
        }
        #expect(
            error?.description == """
                town.yaml:2:5: checks.0 must name a metric, got "displayed_fresh_time_rato"; did you mean \
                "displayed_fresh_time_ratio"?
                town.yaml:3:25: checks.1.check must compare send_wait_us.p95 with a duration, such as 250us 250ms 3s 2m 8h 1d 1h30m, got "90"
                town.yaml:4:5: checks.2 must cover a measured part of the run, got "@7m..9h"; the run ends after 1h
                """
        )
        let malformed = #expect(throws: ScenarioError.self) {
            try read("checks: [events_count, {chek: events_count > 1}, [1]]")
        }
        #expect(malformed?.description.split(separator: "\n").count == 4)
        let other = #expect(throws: ScenarioError.self) {
            try read("clock: {window: -1m}\nchecks: [\"events_count@7m..9h > 0\"]")
        }
        #expect(other?.description.split(separator: "\n").count == 1)
    }
}
