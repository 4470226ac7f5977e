import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Event logs that programs in real time write, and the commands that read them.
@Suite("Event logs of loads", .serialized)
struct EventLogCommandTests {
    private let scratch = Scratch()

    private static let scenario = """
        name: few
        clock: {duration: 6m, drain: 10m, warm_up: 0s}
        rides:
          arrivals: {process: even, count: 40, spread: 5m}
          stages: [{name: accepted, duration: 60s, refresh: 10s}, {name: onboard, duration: 2m, refresh: 20s}]

        """

    /// The rows of a log of NDJSON.
    private func rows(_ path: String) throws -> [[String: Any]] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            .map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    }

    /// Runs the scenario in real time and writes its log.
    private func runLive(to log: String) throws {
        let live = try Command.load(
            """
            scenario \(scratch.write(Self.scenario, to: "few.yaml")) --in-process --speed 300 --quiet
            --output \(scratch)/out --event-log \(log)
            """
        )
        #expect(live.status == 0, "\(live.errors)")
    }

    @Test("A scenario's run writes the rows that a simulation writes, in the order of UTC, and without broken ones")
    func scenario() throws {
        let log = scratch.path("log.ndjson")
        let before = Int(Date().timeIntervalSince1970) * 1_000_000
        try runLive(to: log)
        let rows = try rows(log)
        let times = rows.compactMap { $0["at_us"] as? Int }
        #expect(times.count == rows.count && times == times.sorted() && times[0] >= before)
        let kinds = Dictionary(grouping: rows) { $0["event"] as? String ?? "" }.mapValues(\.count)
        #expect(kinds["ride_requested"] == 40 && kinds["ride_ended"] == 40 && kinds["stage"] == 80)
        #expect(kinds["push"] == (try scratch.total("pushes_sent_count")) && (kinds["push"] ?? 0) > 100)
        #expect(kinds["answer"] == kinds["push"] && (kinds["token_posted"] ?? 0) > 0)
        // No part is left behind, and no token is in any row.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path).filter { $0.contains("part-") }
                .isEmpty
        )
        let text = try String(contentsOfFile: log, encoding: .utf8)
        for ride in Set(rows.compactMap { $0["ride"] as? String }) {
            // The first bytes of a token are its ride, and a token has 64 digits or more.
            let number = String(try #require(UInt64(ride)), radix: 16)
            let digits = String(repeating: "0", count: 16 - number.count) + number
            #expect(!text.contains(digits))
        }
        #expect(text.firstMatch(of: #/[0-9A-Fa-f]{32}/#) == nil)
    }

    @Test(
        "Calibrate and backtest read the log of a scenario in real time without a broken row",
        .enabled(if: Programs.haveSimulator, "scripts/build-tests . builds freshet")
    )
    func closedLoop() throws {
        let log = scratch.path("log.csv")
        try runLive(to: log)
        let calibrated = try Command.run("calibrate \(log) -o \(scratch)/again.yaml --no-rank", program: "freshet")
        #expect(calibrated.status == 0, "\(calibrated.errors)")
        let count = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count - 1
        #expect(calibrated.errors.contains("\(log): \(count) rows, \(count) used."), "\(calibrated.errors)")
        #expect(!calibrated.errors.contains("cannot be read") && !calibrated.errors.contains("earlier time"))
        let tested = try Command.run(
            "backtest \(log) --scenario \(scratch)/again.yaml --replications 2 --quiet --output \(scratch)/back",
            program: "freshet"
        )
        #expect([0, 99].contains(tested.status) && !tested.errors.contains("cannot be read"), "\(tested.errors)")
    }

    @Test("A load writes its pushes and answers; the log replays as the same pushes of the same rides")
    func load() throws {
        try scratch.write(
            "name: refusing\nfaults: [{kind: apns_unavailable, at: 0s, duration: 1h, share: 30%}]\n",
            to: "refusing.yaml"
        )
        try StandInProcess.run(["refusing.yaml"], in: scratch) { ready in
            func load(_ arguments: [String]) throws -> Command.Outcome {
                try Command.load(
                    """
                    apns --ready-file \(ready) --timeout 5m --warm-up 0s --threads 2 --quiet --output \(scratch)/out
                    \(arguments)
                    """
                )
            }
            let log = scratch.path("log.ndjson")
            let first = try load(
                [
                    "--rate", "100/s", "--duration", "2s", "--tokens", "20", "--priority", "5", "--event-log", log,
                    "--retries", "1", "--retry-pause", "10ms",
                ]
            )
            #expect(first.status == 0, "\(first.errors)")
            let rows = try rows(log)
            let times = rows.compactMap { $0["at_us"] as? Int }
            #expect(times.count == rows.count && times == times.sorted())
            let pushes = rows.filter { $0["event"] as? String == "push" }
            let answers = rows.filter { $0["event"] as? String == "answer" }
            let sent = try scratch.total("pushes_sent_count")
            #expect(pushes.count == sent && answers.count == sent && rows.count == 2 * pushes.count)
            #expect(pushes.count { $0["attempt"] as? Int == 1 } == pushes.count - 200 && pushes.count > 200)
            #expect(pushes.allSatisfy { $0["priority"] as? Int == 5 && $0["kind"] as? String == "update" })
            #expect(pushes.allSatisfy { $0["payload_bytes"] as? Int == 500 })
            let names = pushes.compactMap { $0["push"] as? String }
            #expect(Set(names).count == pushes.count && Set(names) == Set(answers.compactMap { $0["push"] as? String }))
            #expect(Set(pushes.compactMap { $0["ride"] as? String }).count == 20)
            let refused = answers.filter { $0["status"] as? Int == 503 }
            #expect(!refused.isEmpty && refused.allSatisfy { $0["reason"] as? String == "ServiceUnavailable" })

            // Lengths beyond 16 bits are the real ones, although APNs accepts none of them.
            let large = scratch.path("large.ndjson")
            let third = try load([
                "--rate", "5/s", "--duration", "1s", "--payload-bytes", "70000", "--event-log", large,
            ])
            #expect(third.status == 0, "\(third.errors)")
            let sizes = try self.rows(large).filter { $0["event"] as? String == "push" }
                .map { $0["payload_bytes"] as? Int }
            #expect(!sizes.isEmpty && sizes.allSatisfy { $0 == 70_000 }, "\(sizes)")

            let again = scratch.path("again.csv")
            let second = try load(["--replay", log, "--speed", "2", "--event-log", again])
            #expect(second.status == 0, "\(second.errors)")
            let lines = try String(contentsOfFile: again, encoding: .utf8).split(separator: "\n").dropFirst()
                .map { $0.split(separator: ",", omittingEmptySubsequences: false) }.filter { $0[1] == "push" }
            #expect(
                lines.count == pushes.count && lines.allSatisfy { $0[4] == "update" && $0[5] == "5" && $0[13] == "500" }
            )
            // Each ride has its number of pushes again, by another name.
            let counts = Dictionary(grouping: pushes) { $0["ride"] as? String ?? "" }.values.map(\.count).sorted()
            #expect(Dictionary(grouping: lines) { $0[2] }.values.map(\.count).sorted() == counts)
        }
    }

    @Test("The monitor of a scenario's run writes tokens, pushes with their answers, and ends")
    func monitor() throws {
        let file = try scratch.write(Self.scenario, to: "few.yaml")
        let log = scratch.path("log.ndjson")
        let live = try Command.load("monitor \(file) --speed 60 --quiet --output \(scratch)/out --event-log \(log)")
        #expect(live.status == 0, "\(live.errors)")
        let rows = try rows(log)
        let times = rows.compactMap { $0["at_us"] as? Int }
        #expect(times.count == rows.count && times == times.sorted())
        let kinds = Dictionary(grouping: rows) { $0["event"] as? String ?? "" }.mapValues(\.count)
        #expect(kinds["ride_ended"] == 40 && (kinds["token_posted"] ?? 0) >= 40 && (kinds["push"] ?? 0) > 100)
        #expect(kinds["answer"] == kinds["push"])
        let refused = try Command.load("monitor --rate 5/s --event-log \(log)")
        #expect(refused.status == 64)
    }

    @Test("A log in the place of an input is refused with both names, and the input stays")
    func inputs() throws {
        let file = try scratch.write(Self.scenario, to: "few.yaml")
        try FileManager.default.createSymbolicLink(atPath: scratch.path("link.ndjson"), withDestinationPath: file)
        let link = scratch.path("link.ndjson")
        let none = scratch.path("none.sqlite")
        for (program, arguments, name) in [
            ("freshet-load", ["apns", "--endpoint", "https://h", "--replay", file, "--event-log", link], "--replay"),
            (
                "freshet-load",
                ["apns", "--endpoint", "https://h", "--replay", "x", "--mapping", file, "--event-log", link],
                "--mapping"
            ),
            ("freshet-load", ["scenario", file, "--event-log", link], "the scenario"),
            ("freshet-load", ["monitor", file, "--event-log", link], "the scenario"),
            (
                "freshet-monitor",
                [
                    "--registry", none, "--apns", "https://h", "--topic", "a.push-type.liveactivity",
                    "--bearer-token-file",
                    "x", "--event-log", scratch.path("./none.sqlite"),
                ], "--registry"
            ),
        ] {
            let outcome = try Command.run(arguments, program: program)
            #expect(outcome.status == 64, "\(arguments) \(outcome.errors)")
            #expect(outcome.errors.contains("--event-log and \(name) must be two files"), "\(outcome.errors)")
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.scenario)
    }

    @Test("A log that cannot be written ends a load with 73 before it begins")
    func unwritable() throws {
        try StandInProcess.run(in: scratch) { ready in
            let outcome = try Command.load(
                """
                apns --ready-file \(ready) --rate 50/s --duration 1s --quiet --timeout 5m --output \(scratch)/out
                --event-log /proc/none/log.ndjson
                """
            )
            #expect(outcome.status == 73 && outcome.errors.contains("/proc/none/log.ndjson: cannot be written"))
            #expect(!FileManager.default.fileExists(atPath: scratch.path("out/summary.csv")))
        }
        let file = try scratch.write(Self.scenario, to: "few.yaml")
        for command in [["scenario", "--in-process"], ["monitor"]] {
            // A run at this speed would take minutes.
            let outcome = try Command.load(
                "\(command) \(file) --speed 5 --quiet --output \(scratch)/out --event-log \(scratch)"
            )
            #expect(outcome.status == 73 && outcome.errors.contains("\(scratch.path): cannot be written: not a"))
        }
        let refused = try Command.load("apns --endpoint https://h --find-limit --event-log log.ndjson")
        #expect(refused.status == 64 && refused.errors.contains("--event-log cannot be combined with --find-limit"))
    }
}
