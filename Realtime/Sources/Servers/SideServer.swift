import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore
import TextFormats

/// HTTP/1.1 servers without TLS for metrics or for Netmera's calls, beside a program's main work.
///
/// Their connections have their own threads, so that none of them delays that work.
package enum SideServer {
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
    ) async throws(PortUnavailable) -> RunningServer {
        let responder = CallbackResponder { (request, _: BasicRequestContext) in
            if request.head.hasSecondHost { return Response(status: .badRequest, headers: [.connection: "close"]) }
            return request.head.hasOtherTransferCoding
                ? Response(status: .notImplemented, headers: [.connection: "close"]) : try await answer(request)
        }
        do {
            return try await RunningServer { onReady in
                try await responder.serve(
                    host: host,
                    port: port,
                    for: purpose,
                    option: option,
                    connections: connections,
                    idle: .seconds(60),
                    patience: .seconds(5),
                    handlers: { [RequestBounds(.seconds(15), bodyBytes: bodyBytes)] },
                    onReady: onReady
                )
            }
        } catch {
            throw error as? PortUnavailable
                ?? PortUnavailable(error, host: host, port: port, for: purpose, option: option)
        }
    }

    /// Answers a request for `/metrics` or `/health`; any other gets a 404.
    ///
    /// - Parameter metrics: Returns the metrics as OpenMetrics text.
    package static func answer(_ request: Request, metrics: () async throws -> String) async throws -> Response {
        guard request.method == .get else { return Response(.methodNotAllowed, "") }
        switch request.uri.path {
        case "/health": return Response(.ok, "ok\n")
        case "/metrics": return Response(.ok, try await metrics(), type: OpenMetricsText.contentType)
        default: return Response(.notFound, "")
        }
    }
}
