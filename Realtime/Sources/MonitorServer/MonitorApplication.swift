import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import LoadGenerator
package import Logging
import NIOCore
package import NIOSSL
import ServiceLifecycle
import Wire

/// The monitor as a process: its API, its work, and the order in which both stop.
package struct MonitorApplication: Sendable {
    private let monitor: Monitor
    private let responder: RouterResponder<MonitorContext>
    private let limits: MonitorLimits
    private let address: BindAddress
    private let tls: TLSConfiguration?
    private let logger: Logger

    /// Creates a monitor with an API.
    ///
    /// - Parameters:
    ///   - monitor: The monitor, not running yet.
    ///   - secret: The secret that requests must present.
    ///   - port: The port; 0 for any free port.
    ///   - tls: The server's certificate; `nil` for no TLS.
    ///   - logger: Receives failures; never tokens or content.
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

    /// Serves until the task is cancelled or a lifetime is over, then stops in order: no new requests, responses to
    /// requests in flight, answers to pushes in flight or their abandonment, everything written, the file closed.
    ///
    /// - Parameter onReady: Called with the port once requests are accepted.
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
        // A separate task, because a cancellation must start an orderly shutdown instead of reaching everything at
        // once.
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

    /// The monitor's work as a service; it stops after the API, which is listed behind it.
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

/// Limits on requests and instances.
package struct MonitorLimits: Sendable {
    /// The maximum size of a body [bytes].
    package var bodyBytes = 8192
    /// The maximum requests per second of one client, by its address; `nil` for no limit.
    package var requestsPerSecond: Int?
    /// The maximum number of connections.
    var connections = 4096
    /// The time after which an idle connection is closed [s].
    var idleSeconds: Int64 = 60
    /// The time within which a request's body must arrive after its head [s].
    var requestSeconds: Int64 = 15
    /// The maximum number of instances.
    var instances = 2_000_000
    /// The instances that this monitor accepts; the others belong to other monitors.
    package var shard = LoadShare.whole

    /// Creates the default limits.
    package init() {}
}
