import HummingbirdCore
import LiveActivityModel
import LoadGenerator
import NIOCore
import NIOPosix
import NIOSSL
import Servers
import Wire

/// An APNs for tests: its protocol on this machine, its behaviour from a scenario, its phones.
package final class StandIn: Sendable {
    /// The port for providers.
    package let port: Int
    /// The port of `/metrics` and `/health`; `nil` for none.
    package let metricsPort: Int?
    /// The port of the gateway for Netmera's REST calls; `nil` for none.
    package let netmeraPort: Int?

    /// The wall-clock time at which the scenario began [µs since 1970].
    let epoch: Int64

    private let workers: MultiThreadedEventLoopGroup
    /// The threads for the phones and for accepting, so that neither delays an answer.
    private let side: MultiThreadedEventLoopGroup
    private let listener: any Channel
    private let metricsServer: RunningServer?
    private let gateway: RunningServer?
    private let sources: MetricsText.Sources
    private let serverQueue: ServerQueue?
    private let log: RequestLog?

    /// Starts a stand-in.
    ///
    /// - Throws: ``StandInError`` for a scenario that it cannot play, keys for unknown apps and a log that cannot be
    ///   written; errors of the network and of TLS.
    package static func start(_ configuration: StandInConfiguration) async throws -> StandIn {
        guard !(configuration.apns?.isScripted ?? false) else {
            throw StandInError.scenario("apns.script is for the simulator; leave it out")
        }
        try check(configuration.providerKeys, for: configuration.bundleIDs)
        let workers = MultiThreadedEventLoopGroup(numberOfThreads: configuration.threads)
        let side = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            return try await StandIn(configuration, workers: workers, side: side)
        } catch {
            try? await workers.shutdownGracefully()
            try? await side.shutdownGracefully()
            throw error
        }
    }

    private init(
        _ configuration: StandInConfiguration,
        workers: MultiThreadedEventLoopGroup,
        side: MultiThreadedEventLoopGroup
    ) async throws {
        (self.workers, self.side) = (workers, side)
        let clock = RunClock(speed: configuration.speed, by: configuration.wall)
        let epoch = WallClock.microseconds
        self.epoch = epoch
        let log = configuration.log.isOn ? try RequestLog(configuration.log) : nil
        self.log = log
        let channels = BroadcastChannels(
            bundleIDs: configuration.bundleIDs,
            most: configuration.apns?.mostChannels ?? Scenario.Channel().most
        )
        let phones = PhoneExchange(
            screens: PhoneScreens(
                loop: side.any(),
                clock: clock,
                epoch: epoch,
                rules: configuration.phones,
                channels: channels,
                log: log
            ),
            clock: clock
        )
        var serverQueue: ServerQueue?
        if let rules = configuration.apns, rules.hasQueue {
            let loop = workers.next()
            serverQueue = try await loop.submit { ServerQueue(rules, clock: clock, on: loop) }.get()
        }
        let servers = serverQueue
        self.serverQueue = servers
        var shards: [ObjectIdentifier: NIOLoopBound<LoopShard>] = [:]
        for loop in workers.makeIterator() {
            shards[ObjectIdentifier(loop)] =
                try await loop.submit {
                    let shard = LoopShard(
                        loop: loop,
                        configuration: configuration,
                        channels: channels,
                        phones: phones,
                        serverQueue: servers,
                        log: log
                    )
                    phones.add(shard)
                    return NIOLoopBound(shard, eventLoop: loop)
                }
                .get()
        }
        let arrivals = ConnectionArrivals(
            shards: shards,
            tls: try Self.context(of: configuration.identity),
            patience: .seconds(configuration.patienceSeconds)
        )
        listener = try await ServerBootstrap(group: side, childGroup: workers)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // One at a time, because the connections that one read accepts are counted only at its end.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ConnectionGate(most: configuration.mostConnections))
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 4)
            .childChannelInitializer { arrivals.receive($0) }
            .listen(on: configuration.host, configuration.port, for: "pushes", option: "--port")
        let netmera = configuration.netmera.map {
            NetmeraGateway(configuration: $0, phones: phones, clock: clock, epoch: epoch)
        }
        let sources = MetricsText.Sources(phones: phones, channels: channels, gateway: netmera, log: log)
        self.sources = sources
        port = listener.localAddress?.port ?? 0
        var metricsServer: RunningServer?
        if let port = configuration.metricsPort {
            let loop = side.any()
            metricsServer = try await SideServer.start(
                host: configuration.host,
                port: port,
                connections: 256,
                for: "metrics",
                option: "--metrics-port",
                answer: { request in
                    if let log, request.uri.path == RequestLog.path { return log.answer(request) }
                    return try await SideServer.answer(request) {
                        try await MetricsText.gather(sources, on: loop).get()
                    }
                }
            )
        }
        var gateway: RunningServer?
        if let netmera {
            gateway = try await SideServer.start(
                host: configuration.host,
                port: netmera.configuration.port,
                connections: netmera.configuration.mostConnections,
                bodyBytes: netmera.configuration.largestBody,
                for: "Netmera's calls",
                option: "--netmera-port",
                answer: { await netmera.answer($0) }
            )
        }
        (self.metricsServer, metricsPort) = (metricsServer, metricsServer?.port)
        (self.gateway, netmeraPort) = (gateway, gateway?.port)
    }

    /// Refuses keys with the same id, and keys for apps that may not receive pushes.
    private static func check(_ keys: [ProviderKey], for bundleIDs: [String]) throws(StandInError) {
        var ids: Set<String> = []
        for key in keys {
            guard ids.insert(key.id).inserted else {
                throw .option("two provider keys have the id \(key.id); each key must have its own id")
            }
            let foreign = bundleIDs.isEmpty ? nil : key.topics.first { !bundleIDs.contains($0) }
            if let foreign {
                let allowed = bundleIDs.joined(separator: ", ")
                throw .option("the provider key \(key.id) is for \(foreign); allowed: \(allowed)")
            }
        }
    }

    private static func context(of identity: ServerIdentity) throws(StandInError) -> NIOSSLContext {
        do {
            return try NIOSSLContext(configuration: identity.tlsConfiguration)
        } catch {
            throw .malformed("the certificate and its key do not match: \(error)")
        }
    }

    /// Returns the text of `/metrics`, in the OpenMetrics format.
    package func metrics() async throws -> String { try await MetricsText.gather(sources, on: side.any()).get() }

    /// Stops.
    ///
    /// Providers receive GOAWAY, and connections close after the pending answers: after half a second at least, and
    /// after the patience at most. Requests that wait for servers get no answer.
    package func stop() async {
        try? await listener.close()
        await metricsServer?.stop()
        await gateway?.stop()
        try? await serverQueue?.close().get()
        try? await sources.phones.tellAll({ $0.shutDown() }, answeringOn: side.any()).get()
        // Pending requests get their answers; a connection limits the time for that.
        while let tally = try? await sources.phones.tally(on: side.any()).get(),
            tally.hasConnections || sources.phones.hasLink
        {
            try? await Task.sleep(for: .milliseconds(50))
        }
        await log?.stop()
        try? await workers.shutdownGracefully()
        try? await side.shutdownGracefully()
    }
}

extension ServerBootstrap {
    /// Listens on a port.
    func listen(
        on host: String,
        _ port: Int,
        for purpose: String,
        option: String
    ) async throws(StandInError) -> any Channel {
        do {
            return try await bind(host: host, port: port).get()
        } catch {
            throw .port(PortUnavailable(error, host: host, port: port, for: purpose, option: option).description)
        }
    }
}
