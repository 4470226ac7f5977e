import NIOConcurrencyHelpers
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL

/// A minimal provider's connection: frames out, frames in.
final class TestProvider: Sendable {
    struct Response: Hashable {
        var status = ""
        var headers: [String: String] = [:]
        var body = ""
        var isReset = false
    }

    let channel: any Channel
    private let inbox: Inbox

    private init(channel: any Channel, inbox: Inbox) {
        self.channel = channel
        self.inbox = inbox
    }

    /// - Parameters:
    ///   - port: The server's port.
    ///   - authority: The certificate of the server's authority (PEM).
    ///   - protocols: The protocols to offer by ALPN.
    ///   - certificate: The provider's own certificate.
    static func connect(
        to port: Int,
        authority: String,
        protocols: [String] = ["h2"],
        certificate: TestCertificate? = nil,
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws -> TestProvider {
        let inbox = Inbox()
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
        tls.applicationProtocols = protocols
        if let certificate {
            tls.certificateChain = [.certificate(try NIOSSLCertificate(bytes: certificate.der, format: .der))]
            tls.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(certificate.key.utf8), format: .pem))
        }
        let context = try NIOSSLContext(configuration: tls)
        let channel = try await ClientBootstrap(group: group)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(try NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                    var configuration = NIOHTTP2Handler.ConnectionConfiguration()
                    configuration.headerBlockValidation = .disabled
                    configuration.contentLengthValidation = .disabled
                    try pipeline.addHandler(NIOHTTP2Handler(mode: .client, connectionConfiguration: configuration))
                    try pipeline.addHandler(InboxHandler(inbox: inbox))
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        return TestProvider(channel: channel, inbox: inbox)
    }

    func send(_ id: Int, _ payload: HTTP2Frame.FramePayload) {
        let channel = channel
        let frame = NIOLoopBoundBox.makeBoxSendingValue(
            HTTP2Frame(streamID: HTTP2StreamID(id), payload: payload),
            eventLoop: channel.eventLoop
        )
        channel.eventLoop.execute { channel.writeAndFlush(frame.value, promise: nil) }
    }

    /// Begins a request.
    func begin(_ id: Int, path: String, _ fields: [(String, String)], method: String = "POST", isLast: Bool = false) {
        var pseudo = [(":method", method), (":scheme", "https"), (":path", path)]
        // One of the two is required (RFC 9113, section 8.3.1).
        if !fields.contains(where: { $0.0 == "host" }) { pseudo.append((":authority", "localhost")) }
        let headers = HPACKHeaders(pseudo + fields)
        send(id, .headers(.init(headers: headers, endStream: isLast)))
    }

    func body(_ id: Int, _ text: String, isLast: Bool = true) {
        send(id, .data(.init(data: .byteBuffer(ByteBuffer(string: text)), endStream: isLast)))
    }

    /// Sends a request and waits for its response.
    func request(
        _ id: Int,
        path: String,
        _ fields: [(String, String)],
        body: String = "{}",
        method: String = "POST"
    ) async throws -> Response {
        begin(id, path: path, fields, method: method, isLast: body.isEmpty)
        if !body.isEmpty { self.body(id, body) }
        return try await response(id)
    }

    /// Waits for the end of a response.
    func response(_ id: Int) async throws -> Response {
        try await eventually { $0.finished.contains(id) ? $0.responses[id] : nil }
    }

    /// Waits until the received data yields a value.
    func eventually<Value: Sendable>(_ value: (Inbox.State) -> Value?) async throws -> Value {
        while true {
            let change = channel.eventLoop.makePromise(of: Void.self)
            let found = inbox.state.withLockedValue { state in
                let found = value(state)
                if found == nil { state.waiting.append(change) }
                return found
            }
            if let found {
                change.succeed()
                return found
            }
            // Ends a test that would otherwise hang.
            let limit = channel.eventLoop.scheduleTask(in: .minutes(10)) { change.fail(Late()) }
            try await change.futureResult.get()
            limit.cancel()
        }
    }

    struct Late: Error {}

    /// Waits until the other side has read all sent data and this side all responses, or the connection is closed.
    func roundTrip() async throws {
        let before = inbox.state.withLockedValue { $0.pongs }
        send(0, .ping(HTTP2PingData(withInteger: 1), ack: false))
        _ = try await eventually { $0.pongs > before || $0.isClosed ? true : nil }
    }

    /// The streams whose responses are complete.
    var finished: Set<Int> { inbox.state.withLockedValue { $0.finished } }

    /// `true` if the connection is closed.
    var isClosed: Bool { inbox.state.withLockedValue { $0.isClosed } }

    func close() async {
        try? await channel.close()
    }

    final class Inbox: Sendable {
        struct State {
            var responses: [Int: Response] = [:]
            var finished: Set<Int> = []
            var finishedAt: [Int: ContinuousClock.Instant] = [:]
            /// The number of acknowledged PINGs.
            var pongs = 0
            /// Promises that the next change fulfils.
            fileprivate var waiting: [EventLoopPromise<Void>] = []
            var streamLimits: [Int] = []
            var goAways: [String] = []
            /// The last streams in GOAWAY frames.
            var lastStreams: [Int] = []
            var isClosed = false
        }

        let state = NIOLockedValueBox(State())

        /// Records received data.
        func change(_ change: (inout State) -> Void) {
            let waiting = state.withLockedValue { state in
                change(&state)
                defer { state.waiting = [] }
                return state.waiting
            }
            for promise in waiting { promise.succeed() }
        }
    }

    private final class InboxHandler: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame
        private let inbox: Inbox

        init(inbox: Inbox) {
            self.inbox = inbox
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            let id = Int(frame.streamID)
            inbox.change { state in
                switch frame.payload {
                case .headers(let headers):
                    var response = Response()
                    for (name, value, _) in headers.headers { response.headers[name] = value }
                    response.status = response.headers[":status"] ?? ""
                    state.responses[id] = response
                    if headers.endStream { state.finished.insert(id) }
                case .data(let data):
                    if case .byteBuffer(let bytes) = data.data {
                        state.responses[id, default: Response()].body += String(buffer: bytes)
                    }
                    if data.endStream { state.finished.insert(id) }
                case .rstStream:
                    state.responses[id, default: Response()].isReset = true
                    state.finished.insert(id)
                case .settings(.settings(let settings)):
                    for setting in settings where setting.parameter == .maxConcurrentStreams {
                        state.streamLimits.append(setting.value)
                    }
                case .goAway(let last, _, let data):
                    state.lastStreams.append(Int(last))
                    state.goAways.append(data.map { String(buffer: $0) } ?? "")
                case .ping(_, ack: true): state.pongs += 1
                default: break
                }
                if state.finished.contains(id) { state.finishedAt[id] = .now }
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {}

        func channelInactive(context: ChannelHandlerContext) {
            inbox.change { $0.isClosed = true }
        }
    }
}
