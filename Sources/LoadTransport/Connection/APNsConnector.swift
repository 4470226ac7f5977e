import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL

/// Makes connections to one endpoint: TCP, TLS, HTTP/2.
struct APNsConnector: Sendable {
    let endpoint: APNsEndpoint
    private let tls: NIOSSLContext?
    private let streamWindow: Int

    /// - Parameter streamWindow: What the server may send on a stream before it is granted more [bytes].
    /// - Throws: When the file of certificates cannot be read.
    init(endpoint: APNsEndpoint, streamWindow: Int = 65_535) throws {
        self.endpoint = endpoint
        self.streamWindow = streamWindow
        tls = try endpoint.trust.map { trust in
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["h2"]
            switch trust {
            case .system: break
            case .file(let path): configuration.trustRoots = .file(path)
            case .nobodyAsked: configuration.certificateVerification = .none
            }
            return try NIOSSLContext(configuration: configuration)
        }
    }

    /// Connects, with a handler for the frames at the end of the pipeline; succeeds when HTTP/2 may be spoken.
    func connect(on loop: any EventLoop, handler: NIOLoopBound<any ChannelInboundHandler>) -> EventLoopFuture<Void> {
        let ready = loop.makePromise(of: Void.self)
        ClientBootstrap(group: loop)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .connectTimeout(.seconds(10))
            .connect(host: endpoint.host, port: endpoint.port)
            .flatMapThrowing { channel in
                try addHandlers(to: channel.pipeline.syncOperations, frames: handler.value, ready: ready)
            }
            .cascadeFailure(to: ready)
        return ready.futureResult
    }

    private func addHandlers(
        to pipeline: ChannelPipeline.SynchronousOperations,
        frames: any ChannelInboundHandler,
        ready: EventLoopPromise<Void>
    ) throws {
        if let tls {
            try pipeline.addHandler(makeTLSHandler(tls))
            try pipeline.addHandler(TLSReadiness(http2: makeHTTP2(), frames: frames, ready: ready))
        } else {
            try pipeline.addHandler(WriteGathering())
            try pipeline.addHandler(makeHTTP2())
            try pipeline.addHandler(frames)
            ready.succeed()
        }
    }

    private func makeTLSHandler(_ context: NIOSSLContext) throws -> NIOSSLClientHandler {
        do {
            return try NIOSSLClientHandler(context: context, serverHostname: endpoint.host)
        } catch let error as NIOSSLExtraError where error == .cannotUseIPAddressInSNI {
            return try NIOSSLClientHandler(context: context, serverHostname: nil)
        }
    }

    private func makeHTTP2() -> NIOHTTP2Handler {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 0),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 16_384),
            HTTP2Setting(parameter: .initialWindowSize, value: streamWindow),
        ]
        // A load tester is there to see how a server fails: limits that protect a browser would end the test.
        connection.maximumConnectionGlitches = .max
        connection.maximumRecentlyResetStreams = 4096
        connection.controlFrameRateLimit.maximumCount = .max
        connection.contentLengthValidation = .disabled
        // Requests are made here, and answers are read for two fields only.
        connection.headerBlockValidation = .disabled
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.streamResetFrameRateLimit.maximumCount = .max
        stream.streamErrorRateLimit.maximumCount = .max
        return NIOHTTP2Handler(mode: .client, connectionConfiguration: connection, streamConfiguration: stream)
    }
}
