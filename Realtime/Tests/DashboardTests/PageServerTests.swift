import CommandTestSupport
import Foundation
import Hummingbird
import PageServer
import TestSupport
import Testing

@Suite("Page server")
struct PageServerTests {
    /// Starts a server that runs until its task is cancelled.
    private func start(_ server: PageServer) async throws -> (
        address: String, port: Int, serving: Task<Void, any Error>
    ) {
        let (addresses, told) = AsyncStream<String>.makeStream()
        let serving = Task { try await server.run { told.yield($0) } }
        let address = try #require(await addresses.first { _ in true })
        return (address, try #require(URL(string: address)?.port), serving)
    }

    @Test("Silent connections and half heads do not keep a page out; one that has sent a request is not closed")
    func silentConnections() async throws {
        let server = PageServer(port: 0, connections: 2, firstRequest: .milliseconds(500)) { routes in
            routes.get("slow") { _, _ in
                try await Task.sleep(for: .milliseconds(1500))
                return "a page"
            }
        }
        let (address, port, serving) = try await start(server)
        defer { serving.cancel() }
        // More than the server accepts at once, so that some wait ahead of the page.
        let silent = try (0..<40).map { _ in try #require(RawSocket(port: port)) }
        defer { for each in silent { each.close() } }
        for half in silent[..<20] { #expect(half.send(Array("GET / HTTP/1.1\r\nHo".utf8))) }

        // Sent before the connection is accepted: the server's deadline starts then.
        let page = try #require(RawSocket(port: port))
        defer { page.close() }
        let path = address.split(separator: "/").last ?? ""
        let fields = "Host: localhost:1\r\nConnection: close\r\n"
        #expect(page.send(Array("GET /\(path)/slow HTTP/1.1\r\n\(fields)\r\n".utf8)))
        let answer = try #require(await page.text(), "the connection stays open")
        #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
    }

    @Test("Connections that send requests without the secret do not keep a page out")
    func withoutTheSecret() async throws {
        let server = PageServer(port: 0, connections: 2, firstRequest: Patience.limit) { routes in
            routes.get("page") { _, _ in "a page" }
        }
        let (address, port, serving) = try await start(server)
        defer { serving.cancel() }
        let others = try (0..<40).map { _ in try #require(RawSocket(port: port)) }
        defer { for each in others { each.close() } }
        for each in others { #expect(each.send(Array("GET /x HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8))) }

        let began = ContinuousClock.now
        #expect(await RawSocket.ask(address + "page")?.status == 200)
        #expect(began.duration(to: .now) < Patience.limit / 2)
    }

    @Test(
        "A request refused for its host, secret or origin closes its connection; an accepted one does not",
        arguments: [
            ("GET /SECRET/page HTTP/1.1", "Host: example.org:80", "421"),
            ("GET /x HTTP/1.1", "Host: 127.0.0.1:1", "404"),
            ("GET /SECRET/page HTTP/1.1", "Host: localhost:1\r\nHost: example.org", "400"),
            // Its body never arrives.
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
        let answers = try #require(await connection.text(), "the connection stays open")
        let parts = answers.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.lowercased() }
        #expect(parts.map { $0.prefix(3) } == ["200", "200", Substring(status)], "\(answers)")
        #expect(parts.map { $0.contains("\r\nconnection: close\r\n") } == [false, false, true], "\(answers)")
    }
}
