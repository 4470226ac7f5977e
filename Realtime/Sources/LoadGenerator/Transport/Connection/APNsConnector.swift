import HTTP2
import NIOCore
import NIOPosix
import NIOSSL

/// A maker of connections to one endpoint, with TCP, TLS and HTTP/2.
struct APNsConnector: Sendable {
    let endpoint: APNsEndpoint
    private let tls: NIOSSLContext?

    /// A connector for an endpoint.
    ///
    /// - Throws: If the file of certificates cannot be read.
    init(endpoint: APNsEndpoint) throws {
        self.endpoint = endpoint
        tls = try endpoint.trust.map { trust in
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["h2"]
            switch trust {
            case .system: break
            case .file(let path): configuration.trustRoots = .file(path)
            case .unchecked: configuration.certificateVerification = .none
            }
            return try NIOSSLContext(configuration: configuration)
        }
    }

    /// Connects; succeeds once HTTP/2 can be used and the handler's peer has been notified.
    func connect(on loop: any EventLoop, handler: NIOLoopBound<HTTP2Connection>) -> EventLoopFuture<Void> {
        let ready = loop.makePromise(of: Void.self)
        ClientBootstrap(group: loop)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .connectTimeout(.seconds(10))
            .connect(host: endpoint.host, port: endpoint.port)
            .flatMapThrowing { channel in
                let pipeline = channel.pipeline.syncOperations
                if let tls {
                    try pipeline.addHandler(makeTLSHandler(tls))
                    let readiness = TLSReadiness(within: .seconds(10)) { negotiated, _ in
                        // A server that negotiates nothing may still use HTTP/2; a server that negotiates another protocol does not.
                        guard negotiated == nil || negotiated == "h2" else { throw ConnectionError.notHTTP2 }
                        return handler.value
                    } conclude: {
                        ready.completeWith($0)
                    }
                    try pipeline.addHandler(readiness)
                } else {
                    try pipeline.addHandler(handler.value)
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
