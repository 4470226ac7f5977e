import ArgumentParser
import CommandTestSupport
import Foundation
import TestSupport
import Testing

@testable import freshet_bench

/// `freshet bench` from the viewpoint of scripts.
///
/// Fields, hashes and exit codes; no test checks a time.
@Suite("freshet bench")
struct BenchCommandTests {
    private func measure(_ arguments: String...) throws -> [String: Any] {
        try measure(arguments)
    }

    private func measure(_ arguments: [String]) throws -> [String: Any] {
        let outcome = try Command.run("\(arguments) --format json", program: "freshet-bench")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.isEmpty)
        return try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    private func expectNumbers(_ names: [String], in object: [String: Any]) {
        for name in names {
            #expect((object[name] as? Double).map { $0 > 0 } == true, "\(name)")
        }
    }

    @Test(
        "thresholds that are not goals are rejected",
        arguments: [
            (#"{"hold-64": {"ratio_at_least": "1"}}"#, "ratio_at_least: got a string of 1 bytes"),
            (#"{"hold-64": {"ratio": 1}}"#, "got ratio, allowed: ratio_at_least"),
            (#"{"hold-64": 1}"#, "got 1, allowed: an object of"), (#"["hold-64"]"#, "expected an object"),
        ]
    )
    func thresholds(text: String, message: String) throws {
        let scratch = Scratch()
        let file = try scratch.write(text, to: "thresholds.json")
        let error = #expect(throws: SpeedGoal.Unreadable.self) { try SpeedGoal.read(file: file) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test("hold: one JSON object, and the same trajectory each time")
    func hold() throws {
        let object = try measure("hold", "--pending", "1000", "--operations", "2000")
        expectNumbers(
            ["ns_per_operation", "ns_per_operation_min", "ns_per_operation_max", "bytes_per_pending"],
            in: object
        )
        #expect(object["workload"] as? String == "hold")
        #expect(object["delays"] as? String == "exponential")
        #expect(object["pending"] as? Int == 1000)
        #expect(object["operations"] as? Int == 2000)
        #expect(object["runs"] as? Int == 5)
        // In a separate process nothing else allocates. Small lists have some spare capacity.
        let bytes = try #require(object["bytes_per_pending"] as? Double)
        #expect((4...64).contains(bytes))
        let hash = try #require(object["trajectory_hash"] as? String)
        #expect(hash.count == 16)
        let mixed = ["hold", "--pending", "1000", "--operations", "2000", "--delays", "mixed", "--touch", "64"]
        let hashes = try (0..<2).map { _ in try measure(mixed)["trajectory_hash"] as? String }
        #expect(hashes[0] == hashes[1])
        #expect(hashes[0] != hash)
    }

    @Test("mm1, phold, classify: the contract's fields")
    func others() throws {
        expectNumbers(["ns_per_customer"], in: try measure("mm1", "--customers", "1000"))
        expectNumbers(["ns_per_event"], in: try measure("phold", "--processes", "100", "--operations", "1000"))
        expectNumbers(
            ["rows_per_second", "bytes_per_second", "copy_bytes_per_second"],
            in: try measure("classify", "--instances", "10000")
        )
    }

    @Test("core: rate, latencies and counts of all runs")
    func core() throws {
        let object = try measure("core", "--instances", "1000", "--rate", "2000", "--seconds", "1", "--jobs", "2")
        expectNumbers(
            [
                "updates_per_second", "update_latency_p99_us", "update_latency_p99_us_max", "scan_time_p50_us",
                "scan_lateness_max_us", "processor_share", "bytes_per_instance", "scans", "updates_confirmed",
            ],
            in: object
        )
        #expect(object["updates_due_per_second"] as? Double == 2000)
        #expect(object["keeps_up"] is Bool)
        #expect(object["jobs"] as? Int == 2)
    }

    @Test("model: the contract's fields, and the same history for any number of jobs")
    func model() throws {
        let one = try measure("model", "--activities", "300", "--cells", "3", "--events", "1000")
        expectNumbers(["events_per_second", "activities_per_second", "bytes_per_live_activity"], in: one)
        let two = try measure("model", "--activities", "300", "--cells", "3", "--events", "1000", "--jobs", "2")
        #expect(one["fingerprint"] as? String == two["fingerprint"] as? String)
        #expect(two["jobs"] as? Int == 2)
    }

    @Test("A table for people")
    func table() throws {
        let outcome = try Command.run("mm1 --customers 1000", program: "freshet-bench")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first == "measured                                value")
        #expect(lines.contains { $0.hasPrefix("ns_per_customer  ") })
    }

    @Test(
        "A value out of range is rejected with the value and the allowed range: exit 64",
        arguments: [
            (["hold", "--pending", "0"], "--pending must be within 1...67108864, got 0"),
            (["hold", "--touch", "12"], "--touch must be a multiple of 8, got 12"),
            (["mm1", "--customers", "0"], "--customers must be within 1...10000000000, got 0"),
            (["phold", "--processes", "67108865"], "--processes must be within 1...67108864, got 67108865"),
            (["classify", "--instances", "0"], "--instances must be within 1...400000000, got 0"),
            (["core", "--jobs", "3", "--instances", "2"], "--jobs must be within 1...2, got 3"),
            (["model", "--jobs", "0"], "--jobs must be within 1...1024, got 0"),
            (["model", "--runs", "4"], "--runs must be within 5...1000, got 4"),
            (
                ["hold", "--pending", "67108864", "--touch", "4096"],
                "at most 34359738368 bytes of state, got 274877906944"
            ),
            (["model", "--activities", "1", "--events", "1000000000"], "at most 3650 are allowed"),
            (["hold", "--delays", "gamma"], "'gamma' is invalid for '--delays <delays>'"),
        ] as [([String], String)]
    )
    func refusals(arguments: [String], message: String) throws {
        let end = try #require(Parsing.end(of: arguments, as: BenchCommand.self))
        #expect(end.status == 64)
        #expect(end.text.contains(message), "\(end.text)")
    }

    @Test(
        "Each benchmark has a description and an example",
        arguments: BenchCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    )
    func example(_ benchmark: String) throws {
        let help = try #require(Parsing.end(of: [benchmark, "--help"], as: BenchCommand.self))
        #expect(help.status == 0)
        #expect(help.text.hasPrefix("OVERVIEW: Measures "))
        #expect(help.text.contains("Example: freshet bench \(benchmark) --"))
        #expect(help.text.contains("USAGE: freshet bench \(benchmark)"))
    }
}
