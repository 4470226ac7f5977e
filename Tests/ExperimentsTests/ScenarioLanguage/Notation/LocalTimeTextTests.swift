import Evaluation
import Foundation
import LiveActivityModel
import Quantities
import TestSupport
import Testing

@testable import ScenarioLanguage
@testable import Studies

@Suite("Faults and windows at local times")
struct LocalTimeTextTests {
    @Test(
        "A fault at a local time begins at the first such time in the run",
        arguments: [
            ("16:00", "18:00", TimeSpan.hours(2)), ("16:00", "00:30:15", .hours(8) + .minutes(30) + .seconds(15)),
            ("Fri 16:00", "Fri 18:00", .hours(2)), ("Fri 16:00", "Mon 09:00", .hours(65)),
            ("Fri 16:00", "16:00", .zero),
            ("16:00", "2h", .hours(2)),
        ]
    )
    func faults(start: String, at: String, expected: TimeSpan) throws {
        let yaml = """
            clock: {duration: 7d, starts_at: \(start)}
            faults: [{kind: apns_silent, at: \(at), duration: 1m}]
            """
        let loaded = try ScenarioReader.read(yaml: yaml, named: "a.yaml")
        #expect(loaded.scenario.faults.map(\.at) == [expected])
        let resolved = ScenarioWriter.resolvedYAML(loaded.scenario)
        #expect(try ScenarioReader.read(yaml: resolved, named: "b.yaml").scenario == loaded.scenario)
    }

    @Test("Settings and starts without a file's start count, too")
    func settings() throws {
        let yaml = "faults: [{kind: apns_silent, at: 0s, duration: 1m}]"
        let settings = ["clock.duration=24h", "clock.starts_at=Fri 16:00", "faults.0.at=Fri 18:00"]
        let loaded = try ScenarioReader.read(yaml: yaml, named: "a.yaml", settings: settings)
        #expect(loaded.scenario.faults.map(\.at) == [.hours(2)])
        #expect(loaded.scenario.clock.startsOn == .friday)
    }

    @Test(
        "A window at local times begins at the first such time in the run, and has a canonical name",
        arguments: [
            ("16:00", "18:30..19:00", "2h30m..3h"), ("Fri 16:00", "Fri 18:30..19:00", "2h30m..3h"),
            ("Fri 16:00", "Fri 18:30..Fri 19:00", "2h30m..3h"), ("16:00", "23:30..00:30", "7h30m..8h30m"),
            // Before the start's time of day: on the next day.
            ("16:00", "15:00..16:30", "23h..24h30m"), ("Fri 16:00", "Sat 15:00..Sun 15:00", "23h..47h"),
            ("16:00", "18:30:00..3h", "2h30m..3h"), ("16:00", "2h..18:30", "2h..2h30m"),
            ("16:00", "2h..3h", "2h..3h"),
        ]
    )
    func windows(start: String, window: String, canonical: String) throws {
        let yaml = """
            clock: {duration: 7d, starts_at: \(start)}
            checks: [displayed_fresh_time_ratio@\(window) >= 95%, {name: "at @18:00..19:00", check: ended_severe_count@\(window) < 3}]
            factors:
              vary: {content.refresh: [1m, 2m]}
              responses: [displayed_fresh_time_ratio@\(window), "pushes_sent_count{kind:retry}@\(window)"]
              goal: {minimise: "pushes_sent_count@\(window) + 2 * stale_episodes_count@\(window)", subject_to: [stale_episodes_count@\(window) <= 9], indifference: 1}
            """
        let experiment = try ScenarioReader.read(yaml: yaml, named: "a.yaml").experiment
        let factors = try #require(experiment.factors)
        let hours = canonical.replacing("24h30m", with: "1d30m").replacing("47h", with: "1d23h")
        #expect(experiment.checks.map(\.comparison.response.windowText) == [hours, hours])
        #expect(experiment.checks[1].name == "at @18:00..19:00")
        #expect(factors.responses.map(\.windowText) == [hours, hours])
        #expect(factors.goal?.minimise?.text == "pushes_sent_count@\(hours) + 2 * stale_episodes_count@\(hours)")
        #expect(factors.goal?.constraints.map(\.text) == ["stale_episodes_count@\(hours) <= 9"])
    }

    @Test("A window on a weekday needs the weekday of the start, as a fault does; other forms are refused")
    func unfitWindows() throws {
        func message(_ text: String) -> String {
            let error = #expect(throws: ScenarioError.self) {
                try ScenarioReader.read(yaml: "clock: {duration: 24h, starts_at: 16:00}\n\(text)\n", named: "a.yaml")
            }
            return error.map { "\($0)" } ?? ""
        }
        let needsWeekday = "which needs the weekday of the start: write it in clock.starts_at, such as Fri 16:00"
        for text in [
            "faults: [{kind: apns_silent, at: Fri 18:30, duration: 1m}]",
            "checks: [fresh_time_ratio@Fri 18:30..19:00 > 1%]",
            "factors: {vary: {content.refresh: [1m]}, responses: [fresh_time_ratio@Fri 18:30..19:00]}",
            "factors: {vary: {content.refresh: [1m]}, goal: {maximise: fresh_time_ratio@Fri 18:30..19:00}}",
            "factors: {vary: {content.refresh: [1m]}, goal: {minimise: pushes_sent_count, indifference: 1, subject_to: [fresh_time_ratio@Fri 18:30..19:00 > 1%]}}",
        ] {
            #expect(message(text).contains(needsWeekday), "\(message(text))")
        }
        // No time passes, and no such time of day.
        #expect(
            message("checks: [fresh_time_ratio@18:30..18:30 > 1%]").contains("must be a window with a start and an end")
        )
        #expect(message("checks: [fresh_time_ratio@18:30..24:30 > 1%]").contains(#"got "18:30..24:30"; allowed: "#))
        let varied = message(
            "factors: {vary: {clock.starts_at: [16:00, 17:00]}, responses: [displayed_fresh_time_ratio@18:30..19:00]}"
        )
        #expect(
            varied.contains("factors.vary must not vary clock.starts_at, because windows have local times"),
            "\(varied)"
        )
    }

    @Test("With local times, a trace must start when the scenario does; without them, a remark gives its start")
    func traces() throws {
        let scratch = Scratch()
        try scratch.write(
            """
            status,request_time,driver_arrived_time,pickup_time,dropoff_time
            completed,2026-07-17 16:00:05.500,2026-07-17 16:04:00,2026-07-17 16:05:00,2026-07-17 16:20:00

            """,
            to: "rides.csv"
        )
        func trace(_ start: String, fault: String, window: String = "1h..2h") throws -> TraceCleaning? {
            let stages = ["a", "b", "c", "d"].map { "{name: \($0), duration: 1m}" }.joined(separator: ", ")
            let file = try scratch.write(
                """
                name: city
                clock: {duration: 4h, starts_at: \(start)}
                rides: {trace: {file: rides.csv, provider: off}, stages: [\(stages)]}
                faults: [{kind: apns_silent, at: \(fault), duration: 1m}]
                checks: [pushes_sent_count@\(window) >= 0]
                """,
                to: "city.yaml"
            )
            return try ScenarioLoader.load(file: file).scenario.rides.trace?.cleaning
        }
        // 17 July 2026 is a Friday.
        #expect(try trace("Fri 16:00:05", fault: "Fri 18:00")?.remarks == [])
        #expect(try trace("16:00:05", fault: "2h")?.remarks == [])
        let remark =
            "The first request is at Fri 16:00:05, so set clock.starts_at to \"Fri 16:00:05\"; it is 00:00, and times of day "
            + "count from it."
        #expect(try trace("00:00", fault: "2h")?.remarks == [remark])
        #expect(throws: ScenarioError.self) { try trace("16:00", fault: "2h", window: "18:00..18:30") }
        let refusal = #expect(throws: ScenarioError.self) { try trace("16:00", fault: "18:00") }
        let message =
            "2:34: clock.starts_at must be \"Fri 16:00:05\", the local time of the trace's first request, because faults or windows have "
            + "local times; got \"16:00\""
        #expect("\(try #require(refusal))".hasSuffix(message), "\(String(describing: refusal))")
    }
}
