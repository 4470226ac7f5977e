import ArgumentParser
import AsyncHTTPClient
import Dashboard
import Experiments
import Foundation
import NIOCore
import NIOHTTP1
import PageServer
import Quantities
import Reporting
import Synchronization
import TestSupport
import Testing

@Suite("The page of a load")
struct DashboardTests {
    private static func results() -> LoadResults {
        LoadResults(name: "load apns", seed: 1, settings: [], rows: [])
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
        let client = HTTPClient.shared
        try await dashboard.showing(onReady: address.tell) {
            let base = try #require(address.text)
            dashboard.board.put(
                LoadSnapshot(.init(stage: .running, elapsed: .seconds(2), planned: .seconds(10)), Self.results())
            )
            let answer = try await client.execute(
                HTTPClientRequest(url: base + "api/events"),
                timeout: .seconds(Int64(Patience.seconds))
            )
            #expect(answer.headers.first(name: "content-type") == "text/event-stream")
            let early = try await client.execute(
                HTTPClientRequest(url: base + "api/report"),
                timeout: .seconds(Int64(Patience.seconds))
            )
            #expect(early.status == .notFound)
            var heard = ""
            var finishing: Task<Void, Never>?
            for try await chunk in answer.body {
                heard += String(buffer: chunk)
                if heard.contains("event: snapshot"), finishing == nil {
                    finishing = Task { await dashboard.finish(RunFiles(Self.results()), in: "/tmp/a \"load\"") }
                }
                guard heard.contains("event: over") else { continue }
                let report = try await client.execute(
                    HTTPClientRequest(url: base + "api/report"),
                    timeout: .seconds(Int64(Patience.seconds))
                )
                let text = String(buffer: try await report.body.collect(upTo: 1 << 20))
                #expect(text.hasPrefix("<h1") && !text.contains("<html"), "\(text.prefix(200))")
                break
            }
            await finishing?.value
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
            await #expect(throws: PortInUse.self) {
                try await second.showing { Issue.record("the work has begun") }
            }
        }
    }
}
