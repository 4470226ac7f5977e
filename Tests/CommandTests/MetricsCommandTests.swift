import CommandTestSupport
import TestSupport
import Testing

@Suite("freshet metrics")
struct MetricsCommandTests {
    @Test("A metric by its pattern; a pattern without a match: exit 65 with the nearest name")
    func patterns() throws {
        let found = try Command.run("metrics peak_age --format json")
        #expect(found.status == 0)
        #expect(found.output.contains("\"name\": \"peak_age_us\""))
        let none = try Command.run("metrics peek_age_us")
        #expect(none.status == 65)
        #expect(none.output.isEmpty)
        #expect(none.errors == "no metric matches \"peek_age_us\"; did you mean \"peak_age_us\"?\n")
        let part = try Command.run("metrics fate:losst")
        #expect(part.errors == "no metric matches \"fate:losst\"; did you mean \"fate:lost\"?\n")
    }

    @Test("A metric of load tests is explained like any other and listed after the simulator's")
    func ofLoads() throws {
        let found = try Command.run("metrics goaways_count")
        #expect(found.status == 0)
        #expect(found.output.contains("goaways_count  [count]\n  GOAWAY frames"), "\(found.output)")
        let all = try Command.run("metrics").output.split(separator: "\n")
        let heading = try #require(all.firstIndex { $0.hasPrefix("Metrics of `freshet load`") })
        #expect(all[..<heading].contains { $0.hasPrefix("send_time_us ") })
        #expect(all[heading...].contains { $0.hasPrefix("goaways_count ") })
    }

    @Test("With a scenario the scopes are its stages")
    func scenario() throws {
        let scratch = Scratch()
        let file = try scratch.write(
            "name: ferry\nrides: {stages: [{name: crossing, duration: 20m}]}\n",
            to: "ferry.yaml"
        )
        let found = try Command.run("metrics silently --scenario \(file)")
        #expect(found.output.contains("stage:crossing\n    stage:after_ride\n"), "\(found.output)")
    }
}
