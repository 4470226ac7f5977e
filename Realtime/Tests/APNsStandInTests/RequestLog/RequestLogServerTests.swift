import APNsStandIn
import CommandTestSupport
import Foundation
import TestSupport
import Testing
import TextFormats

/// The log of a running stand-in, over real connections on loopback.
@Suite("The request log of a stand-in", .serialized)
struct RequestLogServerTests {
    private static let own = "01234567-89ab-cdef-0123-456789abcdef"

    private struct Line {
        let text: String
        let members: JSONMembers

        init(_ text: some StringProtocol) throws {
            self.text = String(text)
            members = try JSONMembers(Array(text.utf8))
        }

        func text(_ name: String) -> String? { members[name]?.text }
        var status: Int? { members["status"]?.integer() }
        /// The status, the reason and the effect.
        var outcome: String {
            [status.map(String.init), text("reason"), text("effect")].map { $0 ?? "-" }.joined(separator: " ")
        }
    }

    /// Sends pushes of several kinds, one after the other; returns the outcomes in the log.
    private func push(to server: TestServer) async throws -> [String] {
        let provider = try await server.connect()
        let fields = try server.fields()
        let now = Int64(Date().timeIntervalSince1970)
        let update = PhonePayload.text("update", at: now)
        let rows: [(path: String, fields: [(String, String)], body: String, outcome: String)] = [
            (TestServer.path, fields + [("apns-id", Self.own), ("x-more", "yes")], update, "200 - shown"),
            (TestServer.path, fields, update, "200 - older"),
            (TestServer.path, fields, #"{"aps":{"timestamp":1,"event":"update"}}"#, "200 - undecodable"),
            ("/3/device/xyz", fields, update, "400 BadDeviceToken -"),
            ("/3/device/00", Array(fields.dropFirst()), update, "403 MissingProviderToken -"),
            ("/3/device/00", fields, String(repeating: "x", count: 9000), "413 PayloadTooLarge -"),
            ("/3/device/00", Self.alert(fields), "{}", "200 - delivered"),
        ]
        for (place, row) in rows.enumerated() {
            _ = try await provider.request(2 * place + 1, path: row.path, row.fields, body: row.body)
        }
        try await server.eventually(#"freshet_screen_pushes_total{effect="undecodable"}"#, is: 1)
        return rows.map(\.outcome)
    }

    private static func alert(_ fields: [(String, String)]) -> [(String, String)] {
        [fields[0], ("apns-topic", "a.b"), ("apns-push-type", "alert")]
    }

    @Test("The file has a line for each request")
    func file() async throws {
        let scratch = Scratch()
        let path = scratch.path("requests.ndjson")
        let change = Change(\.log, RequestLog.Configuration(file: path))
        let outcomes = try await TestServer.running(with: change) { try await push(to: $0) }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { try Line($0) }
        #expect(lines.map(\.outcome).sorted() == outcomes.sorted())
        let first = try #require(lines.first { $0.outcome == "200 - shown" })
        #expect(first.text("apns_id") == Self.own)
        #expect(first.text("token") == String(repeating: "0a", count: 80))
        #expect(first.text("payload")?.hasPrefix(#"{"aps":{"timestamp":"#) == true)
        #expect(first.members["headers"]?.members?["x-more"]?.text == "yes")
        #expect(first.members["headers"]?.members?["authorization"]?.text?.hasSuffix(".…") == true)
        #expect(lines.first { $0.status == 413 }?.members["payload_bytes"]?.integer() == 9000)
    }

    @Test("The newest requests are at /requests, if they are kept")
    func endpoint() async throws {
        let tally = HostileTally("request log endpoint", checks: 8)
        try await TestServer.running(with: Change(\.log, RequestLog.Configuration(kept: 100))) { server in
            let outcomes = try await push(to: server)
            let port = try #require(server.standIn.metricsPort)
            func get(_ query: String = "", method: String = "GET") async throws -> (
                status: Int, body: String, head: String
            ) {
                try await PlainHTTP.send(method, "/requests" + query, port: port)
            }
            // The last but one is complete when it has its effect.
            let all = try await get()
            #expect(all.status == 200)
            #expect(all.head.contains("content-type: application/x-ndjson") && all.head.contains("no-store"))
            #expect(try all.body.split(separator: "\n").map { try Line($0).outcome } == outcomes)
            let newest = try await get("?token=00&limit=2")
            #expect(try newest.body.split(separator: "\n").map { try Line($0).outcome } == Array(outcomes.suffix(2)))
            for (query, status) in [
                ("?limit=0", 400), ("?limit=100000", 400), ("?token=%2e%2e", 400), ("?token=a&token=a", 400),
                ("/../health", 404), ("/x", 404),
            ] { #expect(tally.counts(try await get(query).status == status), "\(query)") }
            #expect(tally.counts(try await get(method: "POST").status == 405))
            let evil = try await PlainHTTP.exchange(
                "GET /requests HTTP/1.1\r\nhost: evil.example:\(port)\r\nconnection: close\r\n\r\n",
                port: port
            )
            #expect(tally.counts(evil.hasPrefix("HTTP/1.1 421 ") && !evil.contains("aps")), "\(evil)")
        }
        try await TestServer.running { server in
            let port = try #require(server.standIn.metricsPort)
            #expect(try await PlainHTTP.send("GET", "/requests", port: port).status == 404)
        }
    }

    @Test("Ids that APNs creates are in uppercase; a provider's own id is unchanged")
    func ids() async throws {
        try await TestServer.running(with: Change(\.isDevelopment, true)) { server in
            let provider = try await server.connect()
            let fields = try server.fields()
            let made = try await provider.request(1, path: TestServer.path, fields)
            let refused = try await provider.request(3, path: "/3/device/xyz", fields)
            let own = try await provider.request(5, path: TestServer.path, fields + [("apns-id", Self.own)])
            let channels = try await provider.request(
                7,
                path: "/1/apps/a.b/all-channels",
                Array(fields.prefix(1)),
                body: "",
                method: "GET"
            )
            let uppercase = try Regex("[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}")
            for id in [
                made.headers["apns-id"], refused.headers["apns-id"], channels.headers["apns-request-id"],
            ] { #expect(try id.map { try uppercase.wholeMatch(in: $0) != nil } == true, "\(id ?? "none")") }
            #expect(own.headers["apns-id"] == Self.own)
            let unique = made.headers["apns-unique-id"]
            #expect(unique != nil && unique == unique?.lowercased())
        }
    }
}
