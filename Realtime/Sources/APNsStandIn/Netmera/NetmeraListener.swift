import NIOCore
import NIOHTTP1
import NIOPosix

/// Where the gateway listens, and the thread that serves it.
final class NetmeraListener: Sendable {
    let port: Int
    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel

    private init(group: MultiThreadedEventLoopGroup, channel: any Channel) {
        self.group = group
        self.channel = channel
        port = channel.localAddress?.port ?? 0
    }

    static func start(_ gateway: NetmeraGateway, host: String) async throws -> NetmeraListener {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let count = ConnectionCount(most: gateway.configuration.mostConnections)
        do {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        guard count.enters(channel) else { return }
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(60)))
                        try pipeline.configureHTTPServerPipeline()
                        try pipeline.addHandler(NetmeraHandler(gateway: gateway))
                    }
                }
                .listen(on: host, gateway.configuration.port, for: "Netmera's calls")
            return NetmeraListener(group: group, channel: channel)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    /// Closes the port and all connections.
    func stop() async {
        try? await channel.close()
        try? await group.shutdownGracefully()
    }
}
