import AsyncHTTPClient
import CommandTestSupport
import Foundation
import Hummingbird
import NIOHTTP1
import PageServer
import Testing

@Suite("The server of pages")
struct PageServerTests {
    @Test("Connections that say nothing, or half a head, do not keep a page out; one that has asked is not closed")
    func silentConnections() async throws {
        let server = PageServer(port: 0, connections: 2, firstRequest: .milliseconds(500)) { routes in
            routes.get("slow") { _, _ in
                try await Task.sleep(for: .milliseconds(1500))
                return "a page"
            }
        }
        let (addresses, told) = AsyncStream<String>.makeStream()
        let serving = Task { try await server.run { told.yield($0) } }
        defer { serving.cancel() }
        let address = try #require(await addresses.first { _ in true })
        let port = try #require(URL(string: address)?.port)
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
}
