import Foundation
import LiveActivityModel
import Quantities
import Testing

@testable import ScenarioLanguage
@testable import Studies

@Suite("Faults at local times")
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

    @Test("With local times, a trace must start when the scenario does; without them, a remark gives its start")
    func traces() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "freshet-times-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        func write(_ text: String, to name: String) throws -> String {
            let file = directory.appending(path: name)
            try text.write(to: file, atomically: true, encoding: .utf8)
            return file.path
        }
        _ = try write(
            """
            status,request_time,driver_arrived_time,pickup_time,dropoff_time
            completed,2026-07-17 16:00:05.500,2026-07-17 16:04:00,2026-07-17 16:05:00,2026-07-17 16:20:00

            """,
            to: "rides.csv"
        )
        func trace(_ start: String, fault: String) throws -> TraceCleaning? {
            let stages = ["a", "b", "c", "d"].map { "{name: \($0), duration: 1m}" }.joined(separator: ", ")
            let file = try write(
                """
                name: city
                clock: {duration: 4h, starts_at: \(start)}
                rides: {trace: {file: rides.csv, provider: off}, stages: [\(stages)]}
                faults: [{kind: apns_silent, at: \(fault), duration: 1m}]
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
        let refusal = #expect(throws: ScenarioError.self) { try trace("16:00", fault: "18:00") }
        let message =
            "2:34: clock.starts_at must be \"Fri 16:00:05\", the local time of the trace's first request, because faults begin at "
            + "local times; got \"16:00\""
        #expect("\(try #require(refusal))".hasSuffix(message), "\(String(describing: refusal))")
    }
}
