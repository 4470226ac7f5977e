import CommandTestSupport
import Foundation
import LoadGenerator
import TestSupport
import Testing

/// Clients against servers that are not APNs: within bounds they end in time or continue, and report the cause.
///
/// Processes are inspected through `/proc`.
#if os(Linux)
@Suite("Hostile APNs", .serialized, .enabled(if: Loop.isFull)) struct HostileAPNsTests {
    /// The limit for a client's memory, whatever it receives [kB].
    ///
    /// A load takes 207 MB before its first request, for tokens and histograms, and endless input is 100 MB.
    private static let mostMemory = 260 * 1024
    /// Each case takes one to three seconds.
    private static let misconducts: [Misconduct] =
        Loop.isHostile ? Misconduct.allCases : [.garbage, .endlessHead, .goAwayFirst, .half]

    @Test("freshet load apns ends in time and fails without a response", arguments: misconducts)
    func load(misconduct: Misconduct) async throws {
        let tally = HostileTally("hostile APNs: freshet load apns", checks: 3)
        let scratch = Scratch()
        let server = try await HostileAPNs.start(misconduct)
        let ca = try scratch.write(server.authority, to: "ca.pem")
        let program = try RunningProgram(
            """
            apns --endpoint https://localhost:\(server.port) --ca \(ca) --rate 50/s --duration 500ms --warm-up 0s
            --timeout 500ms --connections 1 --quiet --output \(scratch)/out
            """,
            program: "freshet-load"
        )
        let (status, errors, peak) = await end(of: program)
        try await server.stop()
        #expect(tally.counts(status != nil), "\(misconduct): still running")
        let isRight = status.map { misconduct.loadEnds.contains($0) } ?? false
        #expect(tally.counts(isRight), "\(misconduct): \(status ?? -1) \(errors)")
        #expect(tally.counts(peak < Self.mostMemory), "\(misconduct): \(peak) kB")
    }

    @Test("freshet monitor continues, serves its callers and stops on request", arguments: misconducts)
    func monitor(misconduct: Misconduct) async throws {
        let tally = HostileTally("hostile APNs: freshet monitor", checks: 3)
        let scratch = Scratch()
        let server = try await HostileAPNs.start(misconduct)
        let ca = try scratch.write(server.authority, to: "ca.pem")
        let secret = try scratch.write("a-secret-of-some-length\n", to: "secret")
        let program = try RunningProgram(
            """
            --registry \(scratch)/tokens.sqlite --apns https://localhost:\(server.port) --ca \(ca)
            --topic a.b.push-type.liveactivity --bearer-token-file \(secret) --port 0 --timeout 1s
            --ready-file \(scratch)/ready.json --lifetime 1h
            """,
            program: "freshet-monitor"
        )
        defer { program.stop() }
        let port = try await program.ready(scratch.path("ready.json")).port
        let monitor = "http://127.0.0.1:\(port)/v1/instances/r/"
        func put(_ part: String, _ body: String) async throws -> Int {
            let secret = "Authorization: Bearer a-secret-of-some-length"
            return try #require(await RawSocket.ask(monitor + part, method: "PUT", fields: [secret], body: body)).status
        }
        var statuses = [
            try await put("token", #"{"token":"abcdef"}"#), try await put("content", #"{"content_state":{}}"#),
        ]
        let hasHappened = await eventually { server.actCount > 0 || !program.process.isRunning }
        #expect(hasHappened, "\(misconduct) has not happened")
        statuses.append(try await put("content", #"{"content_state":{"n":1}}"#))
        #expect(tally.counts(statuses == [201, 202, 202] && program.process.isRunning), "\(misconduct): \(statuses)")
        let peak = ProcessFigures(of: program.process.processIdentifier)?.peak ?? .max
        #expect(tally.counts(peak < Self.mostMemory), "\(misconduct): \(peak) kB")
        program.process.terminate()
        try await server.stop()
        let isGone = await eventually { !program.process.isRunning }
        #expect(tally.counts(isGone && program.process.terminationStatus == 143), "\(misconduct)")
    }

    /// Waits for the end of a program; returns its exit code, its errors and its peak memory.
    private func end(of program: RunningProgram) async -> (Int32?, String, Int) {
        var peak = 0
        let hasEnded = await eventually {
            peak = max(peak, ProcessFigures(of: program.process.processIdentifier)?.peak ?? 0)
            return !program.process.isRunning
        }
        program.stop()
        return (hasEnded ? program.process.terminationStatus : nil, program.errors, peak)
    }
}
#endif
