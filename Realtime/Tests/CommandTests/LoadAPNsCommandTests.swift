import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// `freshet apns` and its load commands as scripts see them: ready files, rejections, and the effect of a killed
/// parent.
@Suite("freshet apns and freshet load apns", .serialized)
struct LoadAPNsCommandTests {
    private let scratch = Scratch()

    @Test("A load needs only the stand-in's ready file")
    func readyFile() throws {
        try StandInProcess.run(in: scratch) { ready in
            let loaded = try Command.load(
                """
                apns --ready-file \(ready) --rate 50/s --duration 2s --warm-up 0s --quiet --output \(scratch)/out
                --threshold 'apns_response_count{status:200} > 0'
                --threshold 'apns_response_count{reason:BadDeviceToken} == 0'
                """
            )
            #expect(loaded.status == 0, "\(loaded.errors)")
            #expect(try scratch.contents(of: "out").keys.contains("summary.csv"))
            let unknown = try Command.load(
                """
                apns --ready-file \(ready) --duration 1h --output \(scratch)/none
                --threshold 'no_such_metric.p99 < 1ms'
                """
            )
            #expect(unknown.status == 65)
            #expect(unknown.errors.contains("no_such_metric"))
            #expect(!FileManager.default.fileExists(atPath: scratch.path("none")))
        }
    }

    @Test("With a user's tokens and payload, every push is shown and no token is printed")
    func ownTokensAndPayload() throws {
        let payload = try scratch.write(#"{"aps":{"event":"update","content-state":{}}}"#, to: "payload.json")
        let tokens = (0..<3).map { String(repeating: "ABC\($0)", count: 16) }
        let file = try scratch.write(tokens.joined(separator: "\n") + "\n\n", to: "tokens.txt")
        try StandInProcess.run(in: scratch) { ready in
            let loaded = try Command.load(
                """
                apns --ready-file \(ready) --connections 1 --rate 50/s --duration 2s --tokens-file \(file)
                --payload \(payload) --timeout 5m --output \(scratch)/out
                """
            )
            #expect(loaded.status == 0, "\(loaded.errors)")
            #expect(loaded.errors.contains("s ahead of the clock"), "\(loaded.errors)")
            // Each token gets 33 pushes or more in two seconds; with one timestamp, a phone would only show the first.
            #expect(try waitUntil { try Self.metrics(of: ready).contains("{effect=\"shown\"} 100\n") })
            let written = try scratch.contents(of: "out").values.map { String(decoding: $0, as: UTF8.self) }
            for token in tokens {
                #expect(!(written + [loaded.output, loaded.errors]).contains { $0.uppercased().contains(token) })
            }
        }
    }

    /// Reads the metrics of a stand-in.
    private static func metrics(of ready: String) throws -> String {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: ready))) as? [String: Any]
        let port = try #require(json?["metrics_port"] as? Int)
        let socket = try #require(RawSocket(port: port))
        defer { socket.close() }
        socket.send(Array("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
        return try #require(socket.read())
    }

    @Test("Lines that are not tokens and a payload that is not JSON: exit 65, all lines with their places, no token")
    func badTokensAndPayload() throws {
        let tokens = try scratch.write("abcd\n  xyz1\nabc\n", to: "tokens.txt")
        let payload = try scratch.write("{\"aps\":\n  {,}}", to: "payload.json")
        func load(_ arguments: [String]) throws -> Command.Outcome {
            try Command.load("apns --endpoint https://localhost:1 \(arguments)")
        }
        let refused = try load(["--tokens-file", tokens])
        #expect(refused.status == 65)
        let words = "must be a device token, an even number of hexadecimal digits up to 1024, got"
        #expect(refused.errors == "\(tokens):2:3: \(words) 4 characters\n\(tokens):3:4: \(words) 3 characters\n")
        let malformed = try load(["--payload", payload])
        #expect(malformed.status == 65 && malformed.errors.hasPrefix("\(payload):2:4: must be a JSON object"))
        #expect(try load(["--tokens-file", scratch.path("none")]).status == 66)
    }

    @Test("An endpoint with an unknown certificate gets no push unless the user accepts any")
    func trust() throws {
        try StandInProcess.run(in: scratch) { ready in
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: ready))) as? [String: Any]
            )
            let port = try #require(json["port"] as? Int)
            func load(_ more: [String]) throws -> Command.Outcome {
                try Command.load(
                    """
                    apns --endpoint https://localhost:\(port) --rate 20/s --duration 1s --warm-up 0s --timeout 5m
                    --quiet --output \(scratch)/out \(more)
                    """
                )
            }
            let unknown = try load([])
            #expect(unknown.status == 75)
            #expect(unknown.errors.contains("its certificate is not one of those trusted"), "\(unknown.errors)")
            #expect(try load(["--insecure-skip-verify"]).status == 0)
        }
    }

    @Test("A load without any response fails, with its results written")
    func silence() throws {
        let scenario = "name: silent\nfaults: [{kind: apns_silent, at: 0s, duration: 1h, share: 100%}]\n"
        try scratch.write(scenario, to: "silent.yaml")
        try StandInProcess.run(["silent.yaml"], in: scratch) { ready in
            let loaded = try Command.load(
                """
                apns --ready-file \(ready) --rate 50/s --duration 1s --warm-up 0s --timeout 1s --quiet
                --output \(scratch)/out
                """
            )
            #expect(loaded.status == 99)
            // Before the first answer a connection has one stream, so most pushes are never sent.
            #expect(
                loaded.errors.contains(#/none of 50 requests was answered: [1-9][0-9]? timed out, [1-9][0-9]? never/#)
            )
            #expect(try scratch.contents(of: "out").keys.contains("summary.csv"))
        }
    }

    @Test(
        "Wrong options are rejected at once, with the value that was given and what is allowed",
        arguments: [
            (["apns", "--speed", "1e-300"], 64, "--speed must be within 0.001...1000000, got 1e-300"),
            (["apns", "--port", "70000"], 64, "--port must be within 0...65535, got 70000"),
            (
                ["load", "apns", "--endpoint", "https://h", "--rate", "-3/s"], 64,
                "must be a rate above 0/s and at most"
            ),
            (
                ["load", "apns", "--endpoint", "https://h", "--tokens", "-1"], 64,
                "--tokens must be within 1...10000000, got -1"
            ),
            (["apns", "--seed", "3"], 64, "--set and --seed need a scenario"),
            (["apns", "--provider-key", "kid=K,team=T,file=/none"], 66, "cannot read provider key /none"),
            (["apns", "--provider-key", "kid=K"], 64, "--provider-key must have all of"),
            (
                ["apns", "--provider-key", "kid=K,team=T,file=/none", "--write-key", "x"], 64,
                "--write-key writes the throw-away key"
            ),
            (["apns", "--certificate", "/none", "--key", "/none"], 66, "cannot read certificate /none"),
            (["load", "apns", "--endpoint", "https://h", "--ca", "/none"], 66, "/none: there is no such file"),
            (["load", "apns", "--endpoint", "https://h", "--ca", "/etc/passwd"], 65, "must hold certificates in PEM"),
            (["load", "apns", "--endpoint", "https://h", "--topic", "x y"], 64, "--topic must be 1 to 255 visible"),
            (["load", "scenario", "x.yaml", "--speed", "1e-12"], 64, "--speed must be within 0.001...10000"),
            (["load", "monitor", "x.yaml", "--speed", "1e-12"], 64, "--speed must be within 0.001...1000"),
            (["load", "apns", "--endpoint", "https://h", "--output", "/proc/x"], 73, "/proc/x"),
        ] as [([String], Int32, String)]
    )
    func refused(arguments: [String], status: Int32, message: String) throws {
        let outcome = try Command.run(Array(arguments.dropFirst()), program: "freshet-\(arguments[0])")
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test("A scenario by channel creates its channels at a stand-in, publishes once for a group, and deletes them")
    func channels() async throws {
        let file = try scratch.write(
            """
            name: match
            clock: {duration: 2m, drain: 5m}
            rides:
              arrivals: {process: even, count: 3, spread: 30s}
              stages: [{name: followed, duration: 90s, refresh: 20s}]
            groups: {size: 4, by: channel, channel: {storage: none}}
            devices: {start: {by: push}, local_updates: {enabled: false}, initial_content_limit: off}

            """,
            to: "match.yaml"
        )
        try await StandInProcess.run(in: scratch) { ready in
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: ready))) as? [String: Any]
            )
            func text(_ name: String) -> String { json[name] as? String ?? "" }
            let (port, metricsPort) = (json["port"] as? Int ?? 0, json["metrics_port"] as? Int ?? 0)
            let outcome = try Command.load(
                """
                scenario \(file) --speed 60 --output \(scratch)/out --quiet --endpoint https://127.0.0.1:\(port)
                --ca \(text("ca")) --key \(text("key")) --key-id \(text("kid")) --team-id \(text("team"))
                """
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            let metrics = await RawSocket.ask("http://127.0.0.1:\(metricsPort)/metrics")?.text ?? ""
            func metric(_ name: String) -> Int? {
                metrics.split(separator: "\n").first { $0.hasPrefix(name + " ") }
                    .flatMap { Int($0.dropFirst(name.utf8.count + 1)) }
            }
            #expect(try scratch.total("activities_started_count") == 12)
            #expect(try scratch.total("channels_refused_count") == 0)
            // A content is one publication, and a copy for each card.
            let copies = metric(#"freshet_apns_copies_total{fate="delivered"}"#) ?? 0
            #expect(try copies > 12 && copies == scratch.total("pushes_sent_on_count"))
            #expect(metric("freshet_apns_publications_total").map { 4 * $0 } == copies)
            // Nothing is left at APNs.
            #expect(metric("freshet_apns_channels") == 0)
        }
    }

    // Processes are found through /proc.
    #if os(Linux)
    @Test("A killed parent of a stand-in leaves neither the stand-in nor its key behind")
    func killedParent() throws {
        let file = try scratch.write(
            "name: few\nclock: {duration: 1h}\nrides: {arrivals: {count: 3}}\n",
            to: "few.yaml"
        )
        let parent = Command.process("scenario \(file) --output \(scratch)/out --quiet", program: "freshet-load")
        parent.environment?["TMPDIR"] = scratch.path
        parent.standardError = FileHandle.nullDevice
        try parent.run()
        let standIns = { processes(naming: scratch.path("freshet-")) }
        #expect(waitUntil { !standIns().isEmpty && !runDirectories().isEmpty })
        kill(parent.processIdentifier, SIGKILL)
        parent.waitUntilExit()
        #expect(waitUntil { standIns().isEmpty && runDirectories().isEmpty })
    }

    private func runDirectories() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: scratch.path)) ?? []
        return names.filter { $0.hasPrefix("freshet-") }
    }

    /// Returns the processes whose arguments contain a text.
    private func processes(naming text: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.filter { name in
            Int(name) != nil
                && FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
                    .map { String(decoding: $0, as: UTF8.self).contains(text) } ?? false
        }
    }
    #endif
}
