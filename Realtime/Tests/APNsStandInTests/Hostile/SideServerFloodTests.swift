import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Effects of floods of the stand-in's HTTP/1 ports on a client of theirs, and on the process; see `MonitorFloodTests`.
#if os(Linux)
@Suite(.serialized, .enabled(if: Loop.isHostile)) struct SideServerFloodTests {
    /// The port and the data that is sent to it.
    enum Attack: String, CaseIterable {
        case gatewaySlowHeads, gatewaySlowBodies, gatewayChurn, gatewayOversizedBodies
        case metricsSlowHeads, metricsSlowBodies, metricsChurn

        var isOfGateway: Bool { rawValue.hasPrefix("gateway") }

        var flood: PlainFlood {
            let line = isOfGateway ? "POST /rest/3.0/events HTTP/1.1\r\n" : "GET /metrics HTTP/1.1\r\n"
            let head = "\(line)host: x\r\n"
            // The metrics port allows 256 connections; further ones wait.
            let count = isOfGateway ? 500 : 200
            switch self {
            case .gatewaySlowHeads, .metricsSlowHeads:
                return .slowly(head, piece: "x", pause: 0.2, connections: count)
            case .gatewaySlowBodies, .metricsSlowBodies:
                return .slowly(head + "content-length: 8000\r\n\r\n", piece: " ", pause: 0.2, connections: count)
            case .gatewayOversizedBodies:
                let piece = String(repeating: " ", count: 65_536)
                return .slowly(head + "content-length: 1000000000\r\n\r\n", piece: piece, pause: 0.01)
            case .gatewayChurn, .metricsChurn: return .again()
            }
        }

        /// Sends the well-behaved client's request.
        func asks(_ address: StandInProcess.Address) async -> String? {
            let call = #"{"name":"LiveActivityStartToken","extId":"u","token":"0a0a"}"#
            do {
                let answer =
                    isOfGateway
                    ? try await PlainHTTP.send("POST", "/rest/3.0/events", call, port: address.netmeraPort)
                    : try await PlainHTTP.send("GET", "/health", port: address.metricsPort)
                return answer.status == 200 ? nil : "\(answer.status)"
            } catch {
                return "\(error)"
            }
        }
    }

    private static let attacks: [Attack] = {
        let name = ProcessInfo.processInfo.environment["FRESHET_FLOOD"]
        return Attack.allCases.filter { attack in name.map { attack.rawValue.contains($0) } ?? true }
    }()

    @Test(arguments: attacks)
    func clientAndProcess(attack: Attack) async throws {
        let tally = HostileTally("flood of the stand-in's HTTP/1: \(attack)", checks: 5)
        let server = try await StandInProcess(["--netmera-port", "0"])
        let address = server.address
        let port = attack.isOfGateway ? address.netmeraPort : address.metricsPort
        let flooding = try await attack.flood.result(port: port, processID: server.processID, seconds: 20) {
            await attack.asks(address)
        }
        let result = try #require(flooding)
        tally.tells(result.text)
        #expect(result.quiet.errors.isEmpty)
        #expect(tally.counts(result.attacked.errors.isEmpty), "\(attack): \(result.attacked.errors)")
        // As in FloodFiguresTests.
        #expect(tally.counts(result.isServed(atLeast: .milliseconds(4))), "\(attack): \(result.text)")
        #expect(tally.counts(result.grewLess(thanMegabytes: 250)), "\(attack): \(result.text)")
        #expect(tally.counts(result.descriptors <= result.before.descriptors + 1024), "\(attack): \(result.text)")
        #expect(tally.counts(server.isRunning))
    }
}
#endif
