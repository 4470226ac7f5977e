package import NIOCore
import NIOPosix
import NIOSSL

/// A maker of connections to one endpoint, with TCP and TLS.
package struct EndpointConnector: Sendable {
    let endpoint: APNsEndpoint
    private let applicationProtocol: String
    private let tls: NIOSSLContext?

    /// A connector for an endpoint.
    ///
    /// - Parameter applicationProtocol: The protocol that TLS negotiates.
    /// - Throws: If the file of certificates cannot be read.
    package init(_ endpoint: APNsEndpoint, applicationProtocol: String = "h2") throws {
        self.endpoint = endpoint
        self.applicationProtocol = applicationProtocol
        tls = try endpoint.trust.map { trust in
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = [applicationProtocol]
            switch trust {
            case .system: break
            case .file(let path): configuration.trustRoots = .file(path)
            case .unchecked: configuration.certificateVerification = .none
            }
            return try NIOSSLContext(configuration: configuration)
        }
    }

    /// Connects; succeeds once the protocol can be used and its handlers are in the pipeline.
    ///
    /// - Parameter longest: The timeout of the connection, and then of the TLS handshake.
    package func connect(
        on loop: any EventLoop,
        within longest: TimeAmount = .seconds(10),
        addingHandlers addHandlers: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
    ) -> EventLoopFuture<Void> {
        let ready = loop.makePromise(of: Void.self)
        ClientBootstrap(group: loop)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .connectTimeout(longest)
            .connect(host: endpoint.host, port: endpoint.port)
            .flatMapThrowing { channel in
                let pipeline = channel.pipeline.syncOperations
                if let tls {
                    try pipeline.addHandler(makeTLSHandler(tls))
                    let readiness = TLSReadiness(within: longest) { negotiated, pipeline in
                        // A server may use the protocol without negotiating it, but not after negotiating another.
                        guard negotiated == nil || negotiated == applicationProtocol else {
                            throw ConnectionError.otherProtocol
                        }
                        try addHandlers(pipeline)
                    } conclude: {
                        ready.completeWith($0)
                    }
                    try pipeline.addHandler(readiness)
                } else {
                    try addHandlers(pipeline)
                    ready.succeed()
                }
            }
            .cascadeFailure(to: ready)
        return ready.futureResult
    }

    private func makeTLSHandler(_ context: NIOSSLContext) throws -> NIOSSLClientHandler {
        do {
            return try NIOSSLClientHandler(context: context, serverHostname: endpoint.host)
        } catch let error as NIOSSLExtraError where error == .cannotUseIPAddressInSNI {
            return try NIOSSLClientHandler(context: context, serverHostname: nil)
        }
    }
}
