import NIOCore
import NIOPosix
import Testing

@testable import LoadGenerator

@Suite("Causes of a missing connection")
struct ConnectionCauseTests {
    @Test("A closed port, by address or by name, is described in words instead of the network library's types")
    func refused() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        try await server.close()
        for host in ["127.0.0.1", "localhost"] {
            let error = await #expect(throws: (any Error).self) {
                try await ClientBootstrap(group: group).connect(host: host, port: port).get()
            }
            #expect(error.map(ConnectionCause.text) == "connection refused", "\(host)")
        }
    }
}
