import APNsStandIn
import LifecycleTraces
import LiveActivityModel
import NIOCore
import Quantities
import ScenarioLanguage
import Testing
import Wire

/// The phones' histories through the whole stand-in: each push arrives over HTTP/2 and TLS, and its effect is read from
/// `/metrics`, as the stand-in's own phones report it.
///
/// The log is compared line by line, including instants. The connections are real. The stand-in's wall clock is the
/// test's and shows the instant of the push in flight, because a minute that begins at 10 s must last at 69 s and be
/// over at 70 s. A push is sent when the previous one has had its effect, so pushes arrive in the order of the history.
/// The conformance tests of APNs cover reordering.
@Suite("Phones' histories over HTTP/2")
struct PhoneHistoryTests {
    @Test("The stand-in produces the log of each history", arguments: History.phones)
    func histories(_ history: History) async throws {
        let rules = try PhoneStation.Rules(history.devices())
        let wall = TestWall()
        let change = Change {
            $0.phones = rules
            $0.wall = wall.time
        }
        let log = try await TestServer.running(with: change) { server in
            let provider = try await server.connect()
            // One token for all: a second token would be refused as one too many.
            let fields = try server.fields()
            var log: [String] = []
            for (place, push) in history.arrivals.enumerated() {
                try await wall.advance(to: wall.begin + .seconds(push.at))
                let before = try await effects(server)
                let response = try await provider.request(
                    2 * place + 1,
                    path: "/3/device/" + DeviceToken(ride: 1, number: 1).hexadecimal,
                    fields + [("apns-priority", push.isImmediate ? "10" : "5")],
                    body: PhonePayload.text(push.event, at: 1_700_000_000 + push.timestamp)
                )
                #expect(response.status == "200")
                log.append("\(push.words): \(try await effect(server, since: before))")
            }
            return log
        }
        #expect(history.difference(from: log) == nil)
    }

    /// Returns the number of pushes per effect.
    private func effects(_ server: TestServer) async throws -> [Substring: Int] {
        var effects: [Substring: Int] = [:]
        for line in try await server.standIn.metrics().split(separator: "\n") {
            let parts = line.split(separator: "\"")
            guard parts.count == 3, parts[0] == "freshet_screen_pushes_total{effect=" else { continue }
            effects[parts[1]] = Int(parts[2].dropFirst(2))
        }
        return effects
    }

    /// Waits for the effect of one push and returns it in a history's words.
    private func effect(_ server: TestServer, since before: [Substring: Int]) async throws -> String {
        try await TestServer.eventually {
            let risen = try await effects(server).filter { $0.value > before[$0.key] ?? 0 }
            guard !risen.isEmpty else { return nil }
            return risen.keys.map { $0.replacing("_", with: " ") }.sorted().joined(separator: " and ")
        }
    }
}

extension History {
    /// Returns the phones of a history.
    func devices() throws -> Scenario.Devices {
        try ScenarioReader.read(yaml: Self.phoneScenario, named: "phone", settings: settings).scenario.devices
    }
}
