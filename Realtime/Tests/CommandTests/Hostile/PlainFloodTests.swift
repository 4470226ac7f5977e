import CommandTestSupport
import Foundation
import LoadGenerator
import NIOCore
import NIOHTTP1
import ServiceLoad
import TestSupport
import Testing

/// Effects of HTTP/1 floods on a client beside them, and on the process.
///
/// Processes are observed through `/proc`.
#if os(Linux)
@Suite("HTTP/1 ports under floods", .serialized, .enabled(if: Loop.isHostile)) struct PlainFloodTests {
    enum Port: String, CaseIterable {
        case gateway, metrics, monitor

        /// Returns the first lines of a flood's request.
        func head(_ headers: String = "", secret: String = PlainFloodTests.secret) -> String {
            let lines =
                switch self {
                case .gateway: "POST /rest/3.0/events HTTP/1.1\r\n"
                case .metrics: "GET /metrics HTTP/1.1\r\n"
                case .monitor: "PUT /v1/instances/bad/content HTTP/1.1\r\nauthorization: Bearer \(secret)\r\n"
                }
            return lines + "host: x\r\n" + headers
        }

        /// Data sent on many connections, a byte at a time or at full speed.
        var floods: [(name: String, flood: PlainFlood)] {
            // The metrics port allows 256 connections; further ones wait.
            let count = self == .metrics ? 200 : 500
            let slow = "content-length: 8000\r\n\r\n"
            let all = [
                ("slow heads", PlainFlood.slowly(head(), piece: "x", pause: 0.2, connections: count)),
                ("slow bodies", .slowly(head(slow), piece: " ", pause: 0.2, connections: count)),
                ("churn", .again(isReset: true)),
            ]
            switch self {
            case .metrics: return all
            case .gateway:
                let piece = String(repeating: " ", count: 65_536)
                let oversized = head("content-length: 1000000000\r\n\r\n")
                return all + [("oversized bodies", .slowly(oversized, piece: piece, pause: 0.01))]
            case .monitor:
                let chunk = "400\r\n\(String(repeating: " ", count: 1024))\r\n"
                let wrong = head("content-length: 0\r\nconnection: close\r\n\r\n", secret: "another")
                return all + [
                    ("slow bodies without the secret", .slowly(head(slow, secret: "another"), piece: " ", pause: 0.2)),
                    ("endless chunks", .slowly(head("transfer-encoding: chunked\r\n\r\n"), piece: chunk, pause: 0.001)),
                    ("wrong secrets", .again(Array(wrong.utf8), isReset: false)),
                ]
            }
        }

        /// Sends the well-behaved client's request; returns the error in its response.
        func ask(_ client: HTTPClient) async -> String? {
            do {
                if self == .monitor {
                    let status = try await publish("content", #"{"content_state":{}}"#, client)
                    return status == 202 ? nil : "\(status)"
                }
                let event = #"{"name":"LiveActivityStartToken","extId":"u","token":"0a0a"}"#
                let (method, path, body) =
                    self == .gateway ? ("POST", "/rest/3.0/events", event) : ("GET", "/health", nil)
                let status = try await client.send(method, path, body: body).status
                return status == 200 ? nil : "\(status)"
            } catch {
                return "\(error)"
            }
        }

        /// Returns the status of a call to the monitor.
        func publish(_ what: String, _ body: String, _ client: HTTPClient) async throws -> Int {
            let path = "/v1/instances/good/\(what)"
            let secret = "Bearer \(PlainFloodTests.secret)"
            return try await client.send("PUT", path, headers: ["authorization": secret], body: body).status
        }
    }

    struct Attack: CustomStringConvertible, Sendable {
        let port: Port
        let name: String
        let flood: PlainFlood

        var description: String { "\(port), \(name)" }
    }

    private static let secret = "a-secret-of-some-length"
    private static let attacks = FloodFigures.chosen(
        Port.allCases.flatMap { port in port.floods.map { Attack(port: port, name: $0.name, flood: $0.flood) } }
    )

    @Test(arguments: attacks)
    func clientAndProcess(attack: Attack) async throws {
        let tally = HostileTally("flood: \(attack)", checks: 5)
        let scratch = Scratch()
        chmod(try scratch.write(Self.secret, to: "secret"), 0o600)
        let shell = Shell(in: scratch.url)
        try shell.start(
            attack.port == .monitor
                ? "freshet-monitor --registry tokens.sqlite --apns http://127.0.0.1:1 --topic a.b.push-type.liveactivity "
                    + "--bearer-token-file secret --port 0 --ready-file ready.json --lifetime 1h"
                : "freshet-apns --port 0 --netmera-port 0 --ready-file ready.json --lifetime 1h"
        )
        let ready = try #require(ReadyFile(Array(Data(contentsOf: scratch.url.appending(path: "ready.json")))))
        let port =
            switch attack.port {
            case .gateway: try #require(ready.netmeraPort)
            case .metrics: try #require(ready.metricsPort)
            case .monitor: ready.port
            }
        let (address, patience) = ("http://127.0.0.1:\(port)", TimeAmount.seconds(Int64(Patience.seconds)))
        let client = try HTTPClient(address, connections: 16, timeout: patience)
        if attack.port == .monitor {
            #expect(try await attack.port.publish("token", #"{"token":"abcd"}"#, client) == 201)
        }
        let measured = try await FloodFigures.measured(ready.pid) {
            // The stand-in gets each request over a connection of its own.
            let own = attack.port == .monitor ? nil : try? HTTPClient(address, timeout: patience)
            let error = await attack.port.ask(own ?? client)
            let answered = ContinuousClock.now
            await own?.shutDown()
            return (answered, error)
        } attack: { isOver in
            await attack.flood.run(port: port, until: isOver)
        }
        let figures = try #require(measured)
        // A response of the monitor also waits for the disk. Each of the attacker's connections has half a megabyte of
        // buffers.
        let quickest = Duration.milliseconds(attack.port == .monitor ? 10 : 4)
        let most = attack.port == .monitor ? 4096 : 1024
        #expect(figures.failures(tally, atLeast: quickest, megabytes: 250, descriptors: most) == [])
        #expect(tally.counts(await attack.port.ask(client) == nil))
        await client.shutDown()
    }
}
#endif
