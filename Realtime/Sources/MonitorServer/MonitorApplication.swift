import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import LoadGenerator
package import Logging
import NIOCore
package import NIOSSL
import Servers
import ServiceLifecycle
import Wire

/// The monitor as a process: its API, its work, and the order in which both stop.
package struct MonitorApplication: Sendable {
    private let monitor: Monitor
    private let responder: RouterResponder<MonitorContext>
    private let limits: MonitorLimits
    private let host: String
    private let port: Int
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
        self.host = host
        self.port = port
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
    /// - Throws: `PortUnavailable`.
    package func run(lifetime: Duration?, onReady: @escaping @Sendable (Int) async -> Void) async throws {
        let (requestTime, bodyBytes) = (TimeAmount.seconds(limits.requestSeconds), limits.bodyBytes)
        try await responder.serve(
            host: host,
            port: port,
            for: "requests",
            option: "--port",
            connections: limits.connections,
            idle: .seconds(limits.idleSeconds),
            patience: .seconds(30),
            with: [MonitorLoop(monitor: monitor)],
            lifetime: lifetime,
            logger: logger,
            handlers: { [RequestBounds(requestTime, bodyBytes: bodyBytes)] },
            secure: { plain in try tls.map { try .tls(plain, tlsConfiguration: $0) } ?? plain },
            onReady: onReady
        )
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
