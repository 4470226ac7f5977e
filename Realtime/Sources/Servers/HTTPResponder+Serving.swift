package import Hummingbird
package import HummingbirdCore
package import Logging
package import NIOCore
package import ServiceLifecycle

extension HTTPResponder where Context: InitializableFromSource<ApplicationRequestContextSource> {
    /// Serves HTTP/1.1 until the task is cancelled or a lifetime is over, and then shuts down in order.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free port.
    ///   - purpose: The purpose of the port, in messages; `nil` if the program has no other port.
    ///   - option: The option that sets the port, in messages; `nil` if there is none.
    ///   - connections: The maximum number of connections; further ones wait.
    ///   - idle: The time after which an idle connection is closed.
    ///   - patience: The maximum time of the shutdown.
    ///   - services: Services that run with the server and stop after it.
    ///   - logger: Receives failures of the server; by default nothing does.
    ///   - handlers: Returns the handlers of a connection.
    ///   - secure: Adds TLS; by default there is none.
    ///   - onReady: Called with the port once requests are accepted.
    /// - Throws: ``PortUnavailable``, `CancellationError`, or an error of a service.
    package func serve(
        host: String = "127.0.0.1",
        port: Int,
        for purpose: String? = nil,
        option: String?,
        connections: Int,
        idle: TimeAmount,
        patience: Duration,
        with services: [any Service] = [],
        lifetime: Duration? = nil,
        logger: Logger = Logger(label: "server") { _ in SwiftLogNoOpLogHandler() },
        handlers: @escaping @Sendable () -> [any RemovableChannelHandler],
        secure: (HTTPServerBuilder) throws -> HTTPServerBuilder = { $0 },
        onReady: @escaping @Sendable (Int) async -> Void
    ) async throws {
        let http = HTTP1Channel.Configuration(
            additionalChannelHandlers: handlers(),
            idleTimeout: idle,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 8192,
                maxHeaderListSize: 16_384,
                maxHeaderFieldCount: 64
            )
        )
        let application = Application(
            responder: self,
            server: try secure(.http1(configuration: http)),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(connections, logger: logger)
            ),
            onServerRunning: { channel in await onReady(channel.localAddress?.port ?? port) },
            logger: logger
        )
        var configuration = ServiceGroupConfiguration(services: services + [application], logger: logger)
        configuration.maximumGracefulShutdownDuration = patience
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
            do {
                try await running.value
            } catch  where PortUnavailable.isReason(error) {
                throw PortUnavailable(error, host: host, port: port, for: purpose, option: option)
            }
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
        try Task.checkCancellation()
    }
}
