import APNsProtocol
import LiveActivityModel
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// An APNs for tests: its protocol on this machine, its conduct from a scenario, its phones.
public final class StandIn: Sendable {
    /// Where providers connect.
    public let port: Int
    /// Where `/metrics` and `/health` are; nil when nowhere.
    public let metricsPort: Int?
    /// Where the gateway for Netmera's REST calls is; nil when nowhere.
    public let netmeraPort: Int?

    private let workers: MultiThreadedEventLoopGroup
    /// For the phones, metrics and accepting, so that none of them delays an answer.
    private let side: MultiThreadedEventLoopGroup
    private let listener: any Channel
    private let metricsListener: (any Channel)?
    private let gateway: NetmeraListener?
    private let sources: MetricsText.Sources

    private init(
        workers: MultiThreadedEventLoopGroup,
        side: MultiThreadedEventLoopGroup,
        listener: any Channel,
        metricsListener: (any Channel)?,
        gateway: NetmeraListener?,
        sources: MetricsText.Sources
    ) {
        self.workers = workers
        self.side = side
        self.listener = listener
        self.metricsListener = metricsListener
        self.gateway = gateway
        self.sources = sources
        netmeraPort = gateway?.port
        port = listener.localAddress?.port ?? 0
        metricsPort = metricsListener?.localAddress?.port
    }

    /// Starts one.
    ///
    /// - Throws: ``StandInError`` for a scenario that it cannot play and keys for apps that it does not know; what the network and TLS throw.
    public static func start(_ configuration: StandInConfiguration) async throws -> StandIn {
        guard !(configuration.conduct?.isScripted ?? false) else {
            throw StandInError.scenario("apns.script is for the simulator; leave it out")
        }
        for key in configuration.providerKeys where !configuration.bundleIDs.isEmpty {
            if let topic = key.topics.first(where: { !configuration.bundleIDs.contains($0) }) {
                throw StandInError.option(
                    "the provider key \(key.id) is for \(topic); allowed: \(configuration.bundleIDs.joined(separator: ", "))"
                )
            }
        }
        let workers = MultiThreadedEventLoopGroup(numberOfThreads: configuration.threads)
        let side = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            return try await start(configuration, workers: workers, side: side)
        } catch {
            try? await workers.shutdownGracefully()
            try? await side.shutdownGracefully()
            throw error
        }
    }

    private static func start(
        _ configuration: StandInConfiguration,
        workers: MultiThreadedEventLoopGroup,
        side: MultiThreadedEventLoopGroup
    ) async throws -> StandIn {
        let clock = RunClock(begin: .now(), speed: configuration.speed)
        let epoch = Wall.microseconds()
        let phones = PhoneExchange(
            screens: PhoneScreens(loop: side.any(), clock: clock, epoch: epoch, budget: configuration.budget),
            clock: clock
        )
        let channels = BroadcastChannels(bundleIDs: configuration.bundleIDs)
        let desk = configuration.conduct.flatMap { ServiceDesk($0, clock: clock, on: workers.next()) }
        var shards: [ObjectIdentifier: NIOLoopBound<LoopShard>] = [:]
        for loop in workers.makeIterator() {
            shards[ObjectIdentifier(loop)] =
                try await loop.submit {
                    let shard = LoopShard(
                        loop: loop,
                        configuration: configuration,
                        channels: channels,
                        phones: phones,
                        desk: desk
                    )
                    phones.add(shard)
                    return NIOLoopBound(shard, eventLoop: loop)
                }
                .get()
        }
        let arrivals = ConnectionArrivals(
            shards: shards,
            tls: try NIOSSLContext(configuration: configuration.identity.tlsConfiguration),
            most: configuration.mostConnections,
            patience: .seconds(configuration.patienceSeconds)
        )
        let listener = try await ServerBootstrap(group: side, childGroup: workers)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 4)
            .childChannelInitializer { arrivals.receive($0) }
            .bind(host: configuration.host, port: configuration.port)
            .get()
        let netmera = configuration.netmera.map {
            NetmeraGateway(configuration: $0, phones: phones, clock: clock, epoch: epoch)
        }
        let sources = MetricsText.Sources(phones: phones, channels: channels, gateway: netmera)
        var metricsListener: (any Channel)?
        if let port = configuration.metricsPort {
            let count = ConnectionCount(most: 256)
            metricsListener = try await ServerBootstrap(group: side)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        guard count.enters(channel) else { return }
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(60)))
                        try pipeline.configureHTTPServerPipeline()
                        try pipeline.addHandler(MetricsHandler(sources))
                    }
                }
                .bind(host: configuration.host, port: port)
                .get()
        }
        var gateway: NetmeraListener?
        if let netmera {
            gateway = try await NetmeraListener.start(netmera, host: configuration.host)
        }
        return StandIn(
            workers: workers,
            side: side,
            listener: listener,
            metricsListener: metricsListener,
            gateway: gateway,
            sources: sources
        )
    }

    /// What `/metrics` says, as OpenMetrics text.
    public func metrics() async throws -> String {
        try await MetricsText.gather(sources, on: side.any()).get()
    }

    /// Stops: providers are told by GOAWAY, connections close after half a second.
    public func stop() async {
        try? await listener.close()
        try? await metricsListener?.close()
        await gateway?.stop()
        try? await sources.phones.tellAll({ $0.shutDown() }, answeringOn: side.any()).get()
        // What is under way is answered; a connection bounds how long that takes.
        while let tally = try? await sources.phones.tally(on: side.any()).get(), tally.hasConnections {
            try? await Task.sleep(for: .milliseconds(50))
        }
        try? await workers.shutdownGracefully()
        try? await side.shutdownGracefully()
    }
}
