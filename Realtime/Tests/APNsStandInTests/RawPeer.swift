import APNsStandIn
import NIOCore
import NIOPosix
import NIOSSL
import Testing

/// A peer that sends raw bytes, with or without TLS.
final class RawPeer: Sendable {
    private let channel: any Channel

    private init(channel: any Channel) {
        self.channel = channel
    }

    static func connect(to server: TestServer, isSecure: Bool = true) async throws -> RawPeer {
        try await connect(to: server.standIn.port, authority: server.authority, isSecure: isSecure)
    }

    /// - Parameter authority: The authority's certificate (PEM).
    static func connect(to port: Int, authority: String, isSecure: Bool = true) async throws -> RawPeer {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
        tls.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: tls)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard isSecure else { return }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(try NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        return RawPeer(channel: channel)
    }

    func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    var isConnected: Bool { channel.isActive }

    func close() async { try? await channel.close() }

    /// Waits until the server has closed the connection.
    func closed() async throws {
        // Ends a test that would otherwise hang.
        let limit = channel.eventLoop.scheduleTask(in: .minutes(10)) { [channel] in
            Issue.record("the server does not hang up")
            channel.close(promise: nil)
        }
        try await channel.closeFuture.get()
        limit.cancel()
    }
}
