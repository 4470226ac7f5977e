import ArgumentParser
import CommandTestSupport
import Dashboard
import Foundation
import PageServer
import Quantities
import Reporting
import ScenarioLanguage
import Servers
import Synchronization
import TestSupport
import Testing

@Suite("The page of a load")
struct DashboardTests {
    private static func results() -> LoadReport {
        LoadReport(load: "load apns", seed: 1, settings: [], rows: [])
    }

    /// Keeps the address that is reported once the page is served.
    private final class Address: Sendable {
        private let state = Mutex<String?>(nil)
        var text: String? { state.withLock { $0 } }
        func tell(_ text: String) { state.withLock { $0 = text } }
    }

    @Test("The board's snapshot is sent at once and only once; at the end the listening page gets the report")
    func life() async throws {
        let dashboard = Dashboard(name: "load apns", port: 0)
        let address = Address()
        try await dashboard.showing(onReady: address.tell) {
            let base = try #require(address.text)
            dashboard.board.put(
                LoadSnapshot(.init(stage: .running, elapsed: .seconds(2), planned: .seconds(10)), Self.results())
            )
            let url = try #require(URL(string: base + "api/events"))
            let port = try #require(url.port)
            let events = try #require(RawSocket(port: port))
            defer { events.close() }
            #expect(events.send(Array("GET \(url.path) HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n".utf8)))
            #expect(await RawSocket.ask(base + "api/report")?.status == 404)
            var heard = try #require(await events.text(until: "event: snapshot"))
            #expect(heard.contains("\r\nContent-Type: text/event-stream\r\n"), "\(heard)")
            let finishing = Task { await dashboard.finish(RunFiles(Self.results()), in: "/tmp/a \"load\"") }
            heard += try #require(await events.text(until: "event: over"))
            let report = try #require(await RawSocket.ask(base + "api/report")).text
            #expect(report.hasPrefix("<h1") && !report.contains("<html"), "\(report.prefix(200))")
            await finishing.value
            #expect(heard.components(separatedBy: "event: snapshot").count == 2, "\(heard)")
            #expect(heard.contains("\"left\": \"8 s\""), "\(heard)")
            #expect(heard.contains(#""results":"/tmp/a \"load\"""#), "\(heard)")
        }
    }

    @Test("A port in use is reported before the work begins")
    func portInUse() async throws {
        let first = Dashboard(name: "load apns", port: 0)
        let address = Address()
        try await first.showing(onReady: address.tell) {
            let base = try #require(address.text)
            let port = try #require(URL(string: base)?.port)
            let second = Dashboard(name: "load apns", port: port)
            await #expect(throws: PortUnavailable.self) {
                try await second.showing { Issue.record("the work has begun") }
            }
        }
    }
}
