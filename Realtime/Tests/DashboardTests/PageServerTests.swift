import AsyncHTTPClient
import CommandTestSupport
import Foundation
import Hummingbird
import NIOHTTP1
import PageServer
import Testing

@Suite("The server of pages")
struct PageServerTests {
    /// A server that runs until its task is cancelled.
    private func start(_ server: PageServer) async throws -> (
        address: String, port: Int, serving: Task<Void, any Error>
    ) {
        let (addresses, told) = AsyncStream<String>.makeStream()
        let serving = Task { try await server.run { told.yield($0) } }
        let address = try #require(await addresses.first { _ in true })
        return (address, try #require(URL(string: address)?.port), serving)
    }

    @Test("Connections that say nothing, or half a head, do not keep a page out; one that has asked is not closed")
    func silentConnections() async throws {
        let server = PageServer(port: 0, connections: 2, firstRequest: .milliseconds(500)) { routes in
            routes.get("slow") { _, _ in
                try await Task.sleep(for: .milliseconds(1500))
                return "a page"
            }
        }
        let (address, port, serving) = try await start(server)
        defer { serving.cancel() }
        // More than are accepted in one go, so that some wait before the page does.
        let silent = try (0..<40).map { _ in try #require(RawSocket(port: port)) }
        defer { for each in silent { each.close() } }
        for half in silent[..<20] { #expect(half.send(Array("GET / HTTP/1.1\r\nHo".utf8))) }

        let answer = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: address + "slow"),
            timeout: .seconds(30)
        )
        #expect(answer.status == .ok)
    }

    @Test("Connections that ask without the secret do not keep a page out")
    func withoutTheSecret() async throws {
        let server = PageServer(port: 0, connections: 2) { routes in routes.get("page") { _, _ in "a page" } }
        let (address, port, serving) = try await start(server)
        defer { serving.cancel() }
        let others = try (0..<40).map { _ in try #require(RawSocket(port: port)) }
        defer { for each in others { each.close() } }
        for each in others { #expect(each.send(Array("GET /x HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8))) }

        let answer = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: address + "page"),
            timeout: .seconds(8)
        )
        #expect(answer.status == .ok)
    }

    @Test(
        "What is refused by host, secret or origin ends its connection, what is let through does not",
        arguments: [
            ("GET /SECRET/page HTTP/1.1", "Host: example.org:80", "421"),
            ("GET /x HTTP/1.1", "Host: 127.0.0.1:1", "404"),
            ("GET /SECRET/page HTTP/1.1", "Host: localhost:1\r\nHost: example.org", "400"),
            // Its body never comes.
            ("POST /x HTTP/1.1", "Host: 127.0.0.1:1\r\nContent-Length: 1000", "404"),
            ("POST /SECRET/page HTTP/1.1", "Host: localhost:1\r\nOrigin: http://example.org", "403"),
        ]
    )
    func refusals(line: String, fields: String, status: String) async throws {
        let server = PageServer(port: 0) { routes in routes.get("page") { _, _ in "a page" } }
        let (_, port, serving) = try await start(server)
        defer { serving.cancel() }
        let good = "GET /\(server.secret)/page HTTP/1.1\r\nHost: localhost:1\r\n\r\n"
        let bad = "\(line)\r\n\(fields)\r\n\r\n".replacing("SECRET", with: server.secret)
        let connection = try #require(RawSocket(port: port))
        defer { connection.close() }
        #expect(connection.send(Array((good + good + bad).utf8)))
        // It blocks its thread, and the server needs those that tests run on.
        let all = await withCheckedContinuation { read in
            Thread.detachNewThread { read.resume(returning: connection.readToEnd()) }
        }
        let answers = try #require(all, "the connection stays open")
        let parts = answers.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.lowercased() }
        #expect(parts.map { $0.prefix(3) } == ["200", "200", Substring(status)], "\(answers)")
        #expect(parts.map { $0.contains("\r\nconnection: close\r\n") } == [false, false, true], "\(answers)")
    }
}
