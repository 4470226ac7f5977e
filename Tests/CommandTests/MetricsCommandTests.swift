import CommandTestSupport
import Testing

@Suite("freshet metrics")
struct MetricsCommandTests {
    @Test("A metric by its pattern; a pattern that means none: exit 65, with the nearest name")
    func patterns() throws {
        let found = try Command.run("metrics", "peak_age", "--format", "json")
        #expect(found.status == 0)
        #expect(found.output.contains("\"name\": \"peak_age_us\""))
        let none = try Command.run("metrics", "peek_age_us")
        #expect(none.status == 65)
        #expect(none.output.isEmpty)
        #expect(none.errors == "no metric matches \"peek_age_us\"; did you mean \"peak_age_us\"?\n")
        let part = try Command.run("metrics", "fate:losst")
        #expect(part.errors == "no metric matches \"fate:losst\"; did you mean \"fate:lost\"?\n")
    }

    @Test("With a scenario the parts are those of its stages")
    func scenario() throws {
        let scratch = try Scratch()
        let file = try scratch.file(
            "ferry.yaml",
            "name: ferry\nrides: {stages: [{name: crossing, duration: 20m}]}\n"
        )
        let found = try Command.run("metrics", "silently", "--scenario", file)
        #expect(found.output.contains("stage:crossing\n    stage:after_ride\n"), "\(found.output)")
    }
}
