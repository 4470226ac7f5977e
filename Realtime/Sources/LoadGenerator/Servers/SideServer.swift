import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import TextFormats

/// An HTTP/1.1 server without TLS for metrics or for Netmera's calls, beside a program's main work.
///
/// Its connections have their own threads, so that none of them delays that work.
package final class SideServer: Sendable {
    /// The port on which it listens.
    package let port: Int
    private let group: ServiceGroup
    private let running: Task<(any Error)?, Never>

    private init(port: Int, group: ServiceGroup, running: Task<(any Error)?, Never>) {
        self.port = port
        self.group = group
        self.running = running
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - port: The port; 0: any free one.
    ///   - connections: The most connections at a time; further ones wait.
    ///   - bodyBytes: The longest accepted body.
    ///   - purpose: The purpose of the server, in messages.
    ///   - option: The option that sets the port, such as `--metrics-port`, in messages.
    /// - Throws: ``PortUnavailable``.
    package static func start(
        host: String,
        port: Int,
        connections: Int,
        bodyBytes: Int = 0,
        for purpose: String,
        option: String? = nil,
        answer: @escaping @Sendable (Request) async throws -> Response
    ) async throws(PortUnavailable) -> SideServer {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: purpose) { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            responder: CallbackResponder { (request, _: BasicRequestContext) in
                if request.head.hasSecondHost { return Response(status: .badRequest, headers: [.connection: "close"]) }
                return request.head.hasOtherTransferCoding
                    ? Response(status: .notImplemented, headers: [.connection: "close"]) : try await answer(request)
            },
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [RequestBounds(.seconds(15), bodyBytes: bodyBytes)],
                    idleTimeout: .seconds(60)
                )
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(connections, logger: logger)
            ),
            onServerRunning: { channel in listening.yield(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        let group = ServiceGroup(configuration: configuration)
        let running = Task { () -> (any Error)? in
            defer { listening.finish() }
            do {
                try await group.run()
                return nil
            } catch {
                return error
            }
        }
        // In its own task, so that a caller that is cancelled meanwhile still gets a server that it can stop.
        let first = Task { () -> Int? in
            for await port in ports { return port }
            return nil
        }
        guard let bound = await first.value else {
            let error = await running.value ?? CancellationError()
            throw PortUnavailable(error, host: host, port: port, for: purpose, option: option)
        }
        return SideServer(port: bound, group: group, running: running)
    }

    /// Answers the requests in progress and closes the port and all connections.
    package func stop() async {
        await group.triggerGracefulShutdown()
        _ = await running.value
    }

    /// Answers a request for `/metrics` or `/health`; any other gets a 404.
    ///
    /// - Parameter metrics: Returns the metrics as OpenMetrics text.
    package static func answer(_ request: Request, metrics: () async throws -> String) async throws -> Response {
        func response(_ status: HTTPResponse.Status, _ text: String, type: String = "text/plain") -> Response {
            let body = ResponseBody(byteBuffer: ByteBuffer(string: text))
            return Response(status: status, headers: [.contentType: type], body: body)
        }
        guard request.method == .get else { return response(.methodNotAllowed, "") }
        switch request.uri.path {
        case "/health":
            return response(.ok, "ok\n")
        case "/metrics":
            return response(.ok, try await metrics(), type: OpenMetricsText.contentType)
        default:
            return response(.notFound, "")
        }
    }
}
