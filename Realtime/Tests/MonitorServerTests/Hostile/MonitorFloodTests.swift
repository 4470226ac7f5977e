import CommandTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

/// What floods of HTTP/1 do to an app's server beside them, and to the process; by turns, as for the stand-in.
///
/// Processes are looked at by `/proc`.
#if os(Linux)
@Suite("The monitor under floods", .serialized, .enabled(if: Loop.isHostile)) struct MonitorFloodTests {
    private static let seconds = 20

    /// What is sent on many connections, a byte at a time or as fast as it goes.
    enum Attack: String, CaseIterable {
        case slowHeads, slowBodies, slowBodiesWithoutSecret, endlessChunks, wrongSecrets, churn
    }

    private static let attacks: [Attack] = {
        let name = ProcessInfo.processInfo.environment["FRESHET_FLOOD"]
        return Attack.allCases.filter { attack in name.map { attack.rawValue.contains($0) } ?? true }
    }()

    @Test(arguments: attacks)
    func serverAndProcess(attack: Attack) async throws {
        let tally = HostileTally("flood of the monitor: \(attack)", checks: 5)
        let scratch = try Scratch()
        let process = try await MonitorProcess(scratch: scratch, apnsPort: 1)
        let client = MonitorClient(port: process.port)
        #expect(try await client.send("PUT", "/v1/instances/good/token", "{\"token\":\"abcd\"}") == 201)
        _ = try await announcements(client, for: .milliseconds(250))
        let quiet = try await announcements(client, for: .seconds(5))
        let before = try #require(ProcessFigures(of: process.processID))
        let over = Over()
        let attacker = Attacker(attack, port: process.port)
        let attacking = Task { await attacker.run { over.isTold.load(ordering: .relaxed) } }
        let result = try await announcements(client, for: .seconds(Self.seconds))
        let descriptors = ProcessFigures(of: process.processID)?.descriptors ?? 0
        over.isTold.store(true, ordering: .relaxed)
        let made = await attacking.value
        try await Task.sleep(for: .seconds(1))
        let after = try #require(ProcessFigures(of: process.processID))
        tally.tells(
            "good \(quiet.latencies.text) → \(result.latencies.text); \(before.resident / 1024) → "
                + "\(after.peak / 1024) MB at most, \(after.resident / 1024) MB after; descriptors "
                + "\(before.descriptors) → \(descriptors); \(made) connections"
        )
        let (usual, worst) = (quiet.latencies.quantile(0.99), result.latencies.quantile(0.99))
        #expect(quiet.errors.isEmpty)
        #expect(tally.counts(result.errors.isEmpty), "\(attack): \(result.errors)")
        // As in FloodFiguresTests; an answer waits for the disk, too, so the usual one is taken as 10 ms at least.
        #expect(tally.counts(worst <= max(usual, .milliseconds(10)) * 25), "\(attack): p99 \(usual) → \(worst)")
        // Half a megabyte for each of the attacker's connections, which is what their buffers come to.
        #expect(tally.counts(after.peak - before.resident < 250 * 1024), "\(attack): \(before) → \(after)")
        #expect(tally.counts(descriptors <= before.descriptors + 4096), "\(attack): \(descriptors) descriptors")
        #expect(tally.counts(try await client.send("GET", "/health") == 200))
        #expect(process.terminate() == 143)
    }

    /// Announces content at 40 a second; how long answers took, and what came in place of 202.
    private func announcements(_ client: MonitorClient, for span: Duration) async throws -> (
        latencies: Latencies, errors: [String]
    ) {
        let clock = ContinuousClock()
        let start = clock.now
        return try await withThrowingTaskGroup(of: (Duration, String).self) { group in
            for number in 0..<Int(span / .milliseconds(25)) {
                try await clock.sleep(until: start + .milliseconds(25) * number)
                group.addTask {
                    let began = clock.now
                    let answer: String
                    do {
                        answer =
                            "\(try await client.send("PUT", "/v1/instances/good/content", #"{"content_state":{}}"#))"
                    } catch {
                        answer = "\(error)"
                    }
                    return (began.duration(to: clock.now), answer)
                }
            }
            var (latencies, errors) = ([Duration](), [String]())
            for try await (latency, answer) in group {
                latencies.append(latency)
                if answer != "202" { errors.append(answer) }
            }
            return (Latencies(latencies), errors)
        }
    }

    /// Whether the attack is over.
    private final class Over: Sendable {
        let isTold = Atomic(false)
    }

    /// Attacks from a thread of its own.
    private struct Attacker {
        private let attack: Attack
        private let port: Int

        init(_ attack: Attack, port: Int) {
            (self.attack, self.port) = (attack, port)
        }

        /// Goes on until it is told to stop; returns how many connections it has made.
        func run(until isOver: @escaping @Sendable () -> Bool) async -> Int {
            let (attack, port) = (attack, port)
            return await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(returning: Attacker(attack, port: port).work(until: isOver))
                }
            }
        }

        private func head(_ headers: String, secret: String = Fixture.secret) -> [UInt8] {
            let line = "PUT /v1/instances/bad/content HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \(secret)\r\n"
            return Array((line + headers).utf8)
        }

        private func work(until isOver: () -> Bool) -> Int {
            switch attack {
            case .slowHeads: slowly(head(""), piece: [120], pause: 0.2, until: isOver)
            case .slowBodies: slowly(head("content-length: 8000\r\n\r\n"), piece: [32], pause: 0.2, until: isOver)
            case .slowBodiesWithoutSecret:
                slowly(head("content-length: 8000\r\n\r\n", secret: "another"), piece: [32], pause: 0.2, until: isOver)
            case .endlessChunks:
                slowly(
                    head("transfer-encoding: chunked\r\n\r\n"),
                    piece: Array("400\r\n\(String(repeating: " ", count: 1024))\r\n".utf8),
                    pause: 0.001,
                    until: isOver
                )
            case .wrongSecrets: again(head("content-length: 0\r\nconnection: close\r\n\r\n", secret: "another"), isOver)
            case .churn: again([], isOver)
            }
        }

        /// Sends to 500 connections piece by piece; what the monitor has closed is made anew.
        private func slowly(_ opening: [UInt8], piece: [UInt8], pause: Double, until isOver: () -> Bool) -> Int {
            var sockets: [RawSocket?] = Array(repeating: nil, count: 500)
            var made = 0
            while !isOver() {
                for place in sockets.indices {
                    if let socket = sockets[place] {
                        if !socket.send(piece) {
                            socket.close()
                            sockets[place] = nil
                        }
                    } else if let socket = RawSocket(port: port) {
                        socket.send(opening)
                        sockets[place] = socket
                        made += 1
                    }
                }
                Thread.sleep(forTimeInterval: pause)
            }
            for socket in sockets { socket?.close() }
            return made
        }

        /// Makes connections and resets them as fast as it goes.
        private func again(_ bytes: [UInt8], _ isOver: () -> Bool) -> Int {
            var made = 0
            while !isOver() {
                guard let socket = RawSocket(port: port) else { continue }
                if !bytes.isEmpty { socket.send(bytes) }
                socket.close(byReset: bytes.isEmpty)
                made += 1
            }
            return made
        }
    }
}
#endif
