import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import LoadGenerator
package import Logging
import NIOCore
package import NIOSSL
import ServiceLifecycle
import Wire

/// The monitor as a process has it: its interface, its work, and the order in which both stop.
package struct MonitorApplication: Sendable {
    private let monitor: Monitor
    private let responder: RouterResponder<MonitorContext>
    private let limits: MonitorLimits
    private let address: BindAddress
    private let tls: TLSConfiguration?
    private let logger: Logger

    /// A monitor with an interface.
    ///
    /// - Parameters:
    ///   - monitor: Not running yet.
    ///   - secret: What requests have to show.
    ///   - port: 0: any that is free.
    ///   - tls: The server's certificate; nil: without TLS.
    ///   - logger: Hears of failures; never of tokens or content.
    /// - Throws: `PolicyError` for a rate out of range.
    package init(
        monitor: Monitor,
        clock: any MonitorClock,
        secret: String,
        limits: MonitorLimits,
        host: String,
        port: Int,
        tls: TLSConfiguration?,
        logger: Logger
    ) throws {
        self.monitor = monitor
        self.limits = limits
        address = .hostname(host, port: port)
        self.tls = tls
        self.logger = logger
        responder = try MonitorAPI(monitor: monitor, limits: limits, clock: clock)
            .router(secret: secret, logger: logger)
            .buildResponder()
    }

    /// Serves until the task is cancelled or a lifetime is over, then stops in order: no new requests, requests under way
    /// answered, pushes under way answered or given up, everything written, the file closed.
    ///
    /// - Parameter onReady: Is told the port when requests are taken.
    package func run(lifetime: Duration?, onReady: @escaping @Sendable (Int) async -> Void) async throws {
        let (requestTime, bodyBytes) = (TimeAmount.seconds(limits.requestSeconds), limits.bodyBytes)
        let http = HTTP1Channel.Configuration(
            additionalChannelHandlers: [RequestBounds(requestTime, bodyBytes: bodyBytes)],
            idleTimeout: .seconds(limits.idleSeconds),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 8192,
                maxHeaderListSize: 16_384,
                maxHeaderFieldCount: 64
            )
        )
        let plain = HTTPServerBuilder.http1(configuration: http)
        let application = Application(
            responder: responder,
            server: try tls.map { try .tls(plain, tlsConfiguration: $0) } ?? plain,
            configuration: ApplicationConfiguration(
                address: address,
                serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: logger)
            ),
            onServerRunning: { channel in await onReady(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        var configuration = ServiceGroupConfiguration(
            services: [MonitorLoop(monitor: monitor), application],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(30)
        let group = ServiceGroup(configuration: configuration)
        // A task of its own: cancellation has to become an orderly end, not to reach everything at once.
        let running = Task { try await group.run() }
        let life = lifetime.map { span in
            Task {
                try await Task.sleep(for: span)
                await group.triggerGracefulShutdown()
            }
        }
        defer { life?.cancel() }
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
        try Task.checkCancellation()
    }

    /// The monitor's work as a service; it stops after the interface, which is listed behind it.
    private struct MonitorLoop: Service {
        let monitor: Monitor

        func run() async throws {
            await withGracefulShutdownHandler {
                await monitor.run()
            } onGracefulShutdown: {
                monitor.finish()
            }
            await monitor.close()
        }
    }
}

/// What requests may cost.
package struct MonitorLimits: Sendable {
    /// The most bytes of a body.
    package var bodyBytes = 8192
    /// Requests per second of one client, by its address; nil for no limit.
    package var requestsPerSecond: Int?
    /// Connections at a time.
    var connections = 4096
    /// Seconds after which a connection on which nothing comes is closed.
    var idleSeconds: Int64 = 60
    /// Seconds within which a request's body has to arrive after its head.
    var requestSeconds: Int64 = 15
    /// Instances at a time.
    var instances = 2_000_000
    /// Which instances are taken; the others are another monitor's.
    package var shard = LoadShare.whole

    /// The usual limits.
    package init() {}
}
