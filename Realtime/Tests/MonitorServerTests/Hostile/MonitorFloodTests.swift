import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Effects of HTTP/1 floods on an app's server beside them and on the process; in turns, as for the stand-in.
///
/// Processes are observed through `/proc`.
#if os(Linux)
@Suite("The monitor under floods", .serialized, .enabled(if: Loop.isHostile)) struct MonitorFloodTests {
    /// Data sent on many connections, a byte at a time or at full speed.
    enum Attack: String, CaseIterable {
        case slowHeads, slowBodies, slowBodiesWithoutSecret, endlessChunks, wrongSecrets, churn

        var flood: PlainFlood {
            func head(_ headers: String, secret: String = Fixture.secret) -> String {
                "PUT /v1/instances/bad/content HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \(secret)\r\n" + headers
            }
            let slow = "content-length: 8000\r\n\r\n"
            switch self {
            case .slowHeads: return .slowly(head(""), piece: "x", pause: 0.2)
            case .slowBodies: return .slowly(head(slow), piece: " ", pause: 0.2)
            case .slowBodiesWithoutSecret: return .slowly(head(slow, secret: "another"), piece: " ", pause: 0.2)
            case .endlessChunks:
                let piece = "400\r\n\(String(repeating: " ", count: 1024))\r\n"
                return .slowly(head("transfer-encoding: chunked\r\n\r\n"), piece: piece, pause: 0.001)
            case .wrongSecrets:
                return .again(head("content-length: 0\r\nconnection: close\r\n\r\n", secret: "another"))
            case .churn: return .again()
            }
        }
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
        let client = try MonitorClient(port: process.port)
        #expect(try await client.send("PUT", "/v1/instances/good/token", "{\"token\":\"abcd\"}") == 201)
        let flooding = try await attack.flood.result(port: process.port, processID: process.processID, seconds: 20) {
            do {
                let body = #"{"content_state":{}}"#
                let status = try await client.send("PUT", "/v1/instances/good/content", body)
                return status == 202 ? nil : "\(status)"
            } catch {
                return "\(error)"
            }
        }
        let result = try #require(flooding)
        tally.tells(result.text)
        #expect(result.quiet.errors.isEmpty)
        #expect(tally.counts(result.attacked.errors.isEmpty), "\(attack): \(result.attacked.errors)")
        // As in FloodFiguresTests. An answer also waits for the disk, so the usual time counts as at least 10 ms.
        #expect(tally.counts(result.isServed(atLeast: .milliseconds(10))), "\(attack): \(result.text)")
        // Half a megabyte for the buffers of each of the attacker's connections.
        #expect(tally.counts(result.grewLess(thanMegabytes: 250)), "\(attack): \(result.text)")
        #expect(tally.counts(result.descriptors <= result.before.descriptors + 4096), "\(attack): \(result.text)")
        #expect(tally.counts(try await client.send("GET", "/health") == 200))
        #expect(process.terminate() == 143)
    }
}
#endif
