import Foundation
package import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Serves pages to a browser on this machine only.
///
/// It listens on the loopback address alone. Every path begins with a secret that is drawn at the start, so a page from
/// elsewhere cannot guess an address; ``PageGuard`` also checks `Host` and `Origin`. The content policy of the pages
/// prevents them from loading anything from elsewhere.
package struct PageServer: Sendable {
    /// The secret at the beginning of every path.
    package let secret: String
    private let responder: RouterResponder<BasicRequestContext>
    private let port: Int
    private let connections: Int
    private let firstRequest: Duration

    /// Creates a server for some routes.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free port.
    ///   - connections: The maximum number of connections; further ones wait.
    ///   - firstRequest: The time until a connection must have sent the head of a request with the secret; otherwise it
    ///     is closed.
    ///   - secret: The secret at the beginning of every path; by default drawn from the system's generator. No result
    ///     depends on it.
    ///   - routes: Adds the routes below the secret.
    package init(
        port: Int,
        connections: Int = 64,
        firstRequest: Duration = .seconds(10),
        secret: String = PageServer.drawnSecret(),
        routes: (RouterGroup<BasicRequestContext>) -> Void
    ) {
        self.secret = secret
        self.port = port
        self.connections = connections
        self.firstRequest = firstRequest
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: PageGuard(secret: secret))
        routes(router.group(RouterPath(secret)))
        responder = router.buildResponder()
    }

    /// Returns 128 random bits as hexadecimal digits.
    package static func drawnSecret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2)
            .map { _ in
                let digits = String(generator.next(), radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }
            .joined()
    }

    /// Returns the address of the first page, for a port.
    package func address(port: Int) -> String { "http://127.0.0.1:\(port)/\(secret)/" }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter onReady: Called with the address once pages are served.
    /// - Throws: ``PortInUse`` if the port is not available.
    package func run(onReady: @escaping @Sendable (String) async -> Void) async throws {
        let logger = Logger(label: "pages") { _ in SwiftLogNoOpLogHandler() }
        let limit = TimeAmount(firstRequest)
        let guardian = PageGuard(secret: secret)
        let application = Application(
            responder: responder,
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [
                        FirstRequestDeadline(limit) { guardian.refusal(of: $0) == nil }, FinalAnswer(),
                    ],
                    idleTimeout: .seconds(120),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 8192,
                        maxHeaderListSize: 16_384,
                        maxHeaderFieldCount: 64
                    )
                )
            ),
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port),
                serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(connections, logger: logger)
            ),
            onServerRunning: { channel in await onReady(address(port: channel.localAddress?.port ?? port)) },
            logger: logger
        )
        var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
        // Event streams end on request; a browser that does not read is not waited for.
        configuration.maximumGracefulShutdownDuration = .seconds(2)
        let group = ServiceGroup(configuration: configuration)
        let running = Task { try await group.run() }
        try await withTaskCancellationHandler {
            do {
                try await running.value
            } catch let error as IOError where error.errnoCode == EADDRINUSE || error.errnoCode == EACCES {
                throw PortInUse(port: port, isForbidden: error.errnoCode == EACCES)
            }
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
        try Task.checkCancellation()
    }
}

/// A port that is not available.
package struct PortInUse: Error, CustomStringConvertible {
    package let port: Int
    /// `true` if the system does not permit this user to use it.
    package let isForbidden: Bool

    package var description: String { description(option: "--port") }

    /// Returns the error and its remedy, for the option that sets the port.
    package func description(option: String) -> String {
        "port \(port) of 127.0.0.1 \(isForbidden ? "may not be used by this user" : "is in use"); "
            + "choose another one: \(option) NUMBER, or \(option) 0 for any free one"
    }
}
