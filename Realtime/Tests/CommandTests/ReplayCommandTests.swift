import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// `freshet load apns --replay` as scripts see it, without timing: due times come from the log, whenever pushes leave.
@Suite("freshet load apns --replay", .serialized)
struct ReplayCommandTests {
    private let scratch = Scratch()

    private func load(_ ready: String, _ arguments: [String]) throws -> Command.Outcome {
        try Command.load("apns --ready-file \(ready) --timeout 5m --warm-up 0s --output \(scratch)/out \(arguments)")
    }

    /// The numbers of asked and of sent pushes by the second in which they were due.
    private func seconds() throws -> (asked: [Int], sent: [Int]) {
        let lines = try scratch.rows("out/timeseries.csv")
        let columns = try ["pushes_asked_count", "pushes_sent_count"]
            .map { try #require(lines[0].firstIndex(of: $0)) }
        // An answer after the plan's end has a second of its own.
        let rows = lines.dropFirst().filter { $0[columns[1]] != "0" || $0[columns[0]] != "0" }
        return (rows.map { Int($0[columns[0]]) ?? 0 }, rows.map { Int($0[columns[1]]) ?? 0 })
    }

    @Test("Every push of a log is sent at its time, and what is left out is counted")
    func log() throws {
        var rows = "at_us,event,ride,push,kind,priority,status,payload_bytes\n"
        rows += "1000000,ride_requested,r0,,,,,\n"
        // Twenty pushes in the first second, none in the next, ten in the third.
        for number in 0..<20 { rows += "\(2_000_000 + number * 40_000),push,r\(number % 4),\(number),update,5,,900\n" }
        for number in 20..<30 { rows += "\(4_000_000 + number * 10_000),push,r\(number % 4),\(number),end,10,,\n" }
        rows += "4290000,push,r1,29,end,10,,\n" + "broken\n" + ",push,r1,30,end,10,,\n"
        let log = try scratch.write(rows, to: "log.csv")
        try StandInProcess.run(in: scratch) { ready in
            let outcome = try load(ready, ["--replay", log, "--most-bad-rows", "0.1"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            for line in [
                "\(log): 34 rows, 32 used.", "1 row cannot be read", "1 row without a valid time", "1 row repeated",
                "30 pushes: 20 updates, 10 ends; 1 other row is left out.",
                "The replay sends 30 pushes in 3 s, at the log's speed.",
            ] {
                #expect(outcome.errors.contains(line), "\(outcome.errors)")
            }
            let seconds = try self.seconds()
            #expect(seconds.asked == [20, 10] && seconds.sent == [20, 10])
            #expect(try scratch.total("pushes_sent_count") == 30)
            // Twenty of them are updates, so no row may call all thirty so.
            let summary = try scratch.text("out/summary.csv")
            #expect(summary.contains("kind:log,pushes_sent_count,total,count,30") && !summary.contains("kind:update"))
            let run = try scratch.text("out/run.json")
            #expect(run.contains("\"replay_pushes\": \"30\"") && run.contains("\"replay_speed\": \"1.0\""))
            let print = try #require(run.firstMatch(of: #/"replay_fingerprint": "([0-9a-f]{16})"/#)?.1)
            let report = try scratch.text("out/report.md")
            #expect(report.contains("10 of 30 payloads") && report.contains("(--payload-bytes)"))
            #expect(report.contains("Pushes were due at their times in the log"))
            #expect(report.contains(print) && report.contains("1 row cannot be read"))

            // At another speed the same pushes are due in the same order; the limit cuts the log.
            let fast = try load(ready, ["--replay", log, "--speed", "2", "--duration", "1s", "--quiet"])
            #expect(fast.status == 65 && fast.errors.contains("1 row cannot be read; this is the first"))
            let cut = try load(
                ready,
                ["--replay", log, "--speed", "4", "--duration", "300ms", "--most-bad-rows", "1"]
            )
            #expect(cut.status == 0 && cut.errors.contains("at 4.0 times the log's speed; the log goes on after that."))
            #expect(try scratch.total("pushes_sent_count") == 20)
            let short = try load(ready, ["--replay", log, "--most-bad-rows", "1", "--warm-up", "3s"])
            #expect(short.status == 64 && short.errors.contains("the replay takes 3 s"))
        }
    }

    @Test(
        "A replay of a run's event log sends exactly its pushes, with its spacing",
        .enabled(if: Programs.haveSimulator, "scripts/build-tests . builds freshet"),
        arguments: ["log.ndjson", "log.csv"]
    )
    func run(name: String) throws {
        let scenario = try scratch.write(
            """
            name: few
            clock: {duration: 4m, drain: 4m}
            rides: {arrivals: {process: even, count: 12, spread: 2m}, stages: [{name: ride, duration: 90s, refresh: 10s}]}

            """,
            to: "few.yaml"
        )
        let log = scratch.path(name)
        let simulated = try Command.run(
            "run \(scenario) --quiet --output \(scratch)/sim --event-log \(log)",
            program: "freshet"
        )
        #expect(simulated.status == 0, "\(simulated.errors)")
        let pushes = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains("\"event\":\"push\"") || $0.contains(#/^[0-9]+,push,/#) }
        let times = try pushes.map { try #require($0.firstMatch(of: #/[0-9]+/#).flatMap { Int($0.0) }) }
        let speed = 60
        let dues = times.map { ($0 - times[0]) / speed / 1_000_000 }
        #expect(times == times.sorted() && times.count > 100)
        try StandInProcess.run(in: scratch) { ready in
            let outcome = try load(ready, ["--replay", log, "--speed", "\(speed)", "--quiet"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let seconds = try self.seconds()
            let expected = (0...(dues.last ?? 0)).map { second in dues.count { $0 == second } }.filter { $0 > 0 }
            #expect(seconds.asked == expected && seconds.sent == expected)
            #expect(try scratch.total("pushes_sent_count") == times.count)
        }
    }

    @Test(
        "Options that mean nothing beside a log are refused with both names",
        arguments: [
            (["--rate", "5/s"], "--replay and --rate are mutually exclusive: the log states when each push is sent"),
            (["--ramp", "1s:1/s..2/s"], "--replay and --ramp are"),
            (["--profile", "0s 1/s, 1s 1/s"], "--replay and --profile are"),
            (["--arrivals", "poisson"], "--replay and --arrivals poisson are"),
            (["--max-rate"], "--replay and --max-rate are"),
            (["--find-limit"], "--replay and --find-limit are"), (["--tokens", "5"], "--replay and --tokens are"),
            (["--tokens-file", "/none"], "--replay and --tokens-file are"),
            (["--priority", "5"], "constants: {priority: 5}"),
            (["--payload", "/none"], "--replay and --payload are"),
            (["--protocol", "netmera"], "--replay and --protocol netmera are"),
            (["--speed", "0"], "--speed must be within 0.001...10000, got 0.0"),
        ]
    )
    func contradictions(options: [String], message: String) throws {
        let outcome = try Command.load("apns --endpoint https://h --replay log.ndjson \(options)")
        #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test("A log without pushes: exit 65; without the file: 66; options of a replay without a log: 64")
    func refused() throws {
        let log = try scratch.write("{\"at_us\":1,\"event\":\"ride_requested\",\"ride\":\"a\"}\n", to: "log.ndjson")
        func load(_ arguments: [String]) throws -> Command.Outcome {
            try Command.load("apns --endpoint https://localhost:1 \(arguments)")
        }
        let empty = try load(["--replay", log])
        #expect(empty.status == 65 && empty.errors.contains("the log has no push (event push)"), "\(empty.errors)")
        #expect(try load(["--replay", scratch.path("none")]).status == 66)
        let alone = try load(["--speed", "2"])
        #expect(alone.status == 64 && alone.errors.contains("--speed, --mapping and --most-bad-rows need --replay"))
        let rows = try load(["--most-bad-rows", "0.5"])
        #expect(rows.status == 64 && rows.errors.contains("--most-bad-rows need --replay"))
        let groups = try load(["--replay", log, "--groups", "5"])
        #expect(groups.status == 64 && groups.errors.contains("--groups, --updates-only and --start-all need"))
    }
}
