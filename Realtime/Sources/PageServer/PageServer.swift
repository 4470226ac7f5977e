package import Hummingbird
import NIOCore
package import Servers

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
    private let option: String
    private let connections: Int
    private let firstRequest: Duration

    /// Creates a server for some routes.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free port.
    ///   - option: The option that sets the port, in messages.
    ///   - connections: The maximum number of connections; further ones wait.
    ///   - firstRequest: The time until a connection must have sent the head of a request with the secret; otherwise it
    ///     is closed.
    ///   - secret: The secret at the beginning of every path; by default drawn from the system's generator. No result
    ///     depends on it.
    ///   - routes: Adds the routes below the secret.
    package init(
        port: Int,
        option: String = "--port",
        connections: Int = 64,
        firstRequest: Duration = .seconds(10),
        secret: String = PageServer.drawnSecret(),
        routes: (RouterGroup<BasicRequestContext>) -> Void
    ) {
        self.secret = secret
        self.port = port
        self.option = option
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

    /// Starts to serve beside other work, and returns the address of the first page.
    ///
    /// - Throws: ``PortUnavailable``.
    package func start() async throws -> (address: String, server: RunningServer) {
        let server = try await RunningServer { try await serve(onReady: $0) }
        return (address(port: server.port), server)
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter onReady: Called with the address once pages are served.
    /// - Throws: ``PortUnavailable``.
    package func run(onReady: @escaping @Sendable (String) async -> Void) async throws {
        try await serve { await onReady(address(port: $0)) }
    }

    private func serve(onReady: @escaping @Sendable (Int) async -> Void) async throws {
        let limit = TimeAmount(firstRequest)
        let guardian = PageGuard(secret: secret)
        try await responder.serve(
            port: port,
            option: option,
            connections: connections,
            idle: .seconds(120),
            // Event streams end on request; a browser that does not read is not waited for.
            patience: .seconds(2),
            handlers: { [FirstRequestDeadline(limit) { guardian.refusal(of: $0) == nil }, FinalAnswer()] },
            onReady: onReady
        )
    }
}
