import Foundation
package import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// Serves pages to a browser on this machine, and to nothing else.
///
/// It listens on the loopback address alone. Every path begins with a secret that is drawn when the server starts, so a page
/// from elsewhere cannot guess an address; ``PageGuard`` checks `Host` and `Origin` besides. Pages carry a content
/// policy by which they load nothing from elsewhere.
package struct PageServer: Sendable {
    /// The secret that addresses begin with.
    package let secret: String
    private let responder: RouterResponder<BasicRequestContext>
    private let port: Int
    private let connections: Int
    private let firstRequest: Duration

    /// A server of some routes.
    ///
    /// - Parameters:
    ///   - port: The port; 0: any that is free.
    ///   - connections: The most connections at a time; more have to wait.
    ///   - firstRequest: How long a connection may take until the head of a request with the secret is there; then it
    ///     is closed.
    ///   - secret: What addresses begin with; left out, drawn from the system's generator. Nothing of a result depends on it.
    ///   - routes: Adds what is served, below the secret.
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

    /// 128 bits as hexadecimal digits.
    package static func drawnSecret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2)
            .map { _ in
                let digits = String(generator.next(), radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }
            .joined()
    }

    /// The address of the first page, at a port.
    package func address(port: Int) -> String { "http://127.0.0.1:\(port)/\(secret)/" }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter onReady: Is told the address once pages are served.
    /// - Throws: ``PortInUse`` where the port cannot be had.
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
        // Streams of events end when they are told; a browser that does not listen is not waited for.
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

/// A port that cannot be had.
package struct PortInUse: Error, CustomStringConvertible {
    /// The port.
    package let port: Int
    /// Whether the system does not let this user have it.
    package let isForbidden: Bool

    package var description: String { description(option: "--port") }

    /// What is wrong and what can be done, where an option of this name takes the port.
    package func description(option: String) -> String {
        "port \(port) of 127.0.0.1 \(isForbidden ? "may not be used by this user" : "is in use"); "
            + "another one: \(option) NUMBER, or \(option) 0 for any that is free"
    }
}
