import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport

/// A server on this machine that answers each request with bytes that a test selects.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        /// The number of the connection, from 1.
        let connection: Int
        /// The number of the request, of all connections, from 1.
        let number: Int
        let text: String
    }

    struct Reply: Sendable {
        var bytes = ""
        var closes = false
        var after = TimeAmount.zero

        static func answer(
            _ body: String = "",
            status: Int = 200,
            closes: Bool = false,
            after: TimeAmount = .zero
        ) -> Reply {
            let head =
                "HTTP/1.1 \(status) \(status == 200 ? "OK" : "Other")\r\ncontent-length: \(body.utf8.count)\r\n\r\n"
            return Reply(bytes: head + body, closes: closes, after: after)
        }

        static let silence = Reply()
    }

    let port: Int
    private let channel: any Channel
    private let requests: Observed<[Request]>
    private let connections: NIOLockedValueBox<Int>

    var url: String { "http://127.0.0.1:\(port)" }
    /// All requests so far.
    var received: [Request] { requests.value }
    /// Waits until this number of requests have come.
    func hasReceived(_ count: Int) async -> Bool { await requests.reaches { $0.count == count } }
    /// The number of connections so far.
    var connectionCount: Int { connections.withLockedValue { $0 } }

    init(
        port: Int = 0,
        tls: TLSConfiguration? = nil,
        _ script: @escaping @Sendable (Request) -> Reply
    ) async throws {
        let requests = Observed<[Request]>([])
        let connections = NIOLockedValueBox(0)
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = connections.withLockedValue { count in
                        count += 1
                        return count
                    }
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    let handler = Handler { text in
                        script(
                            requests.change { requests in
                                let number = requests.count + 1
                                let request = Request(connection: connection, number: number, text: text)
                                requests.append(request)
                                return request
                            }
                        )
                    }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        self.port = channel.localAddress?.port ?? 0
        (self.requests, self.connections) = (requests, connections)
    }

    func stop() async throws { try await channel.close() }

    /// Splits the bytes of a connection into requests, whose heads have a content-length or no body.
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let reply: (String) -> Reply
        private var text = ""

        init(reply: @escaping (String) -> Reply) { self.reply = reply }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += String(buffer: unwrapInboundIn(data))
            while let blank = text.firstRange(of: "\r\n\r\n") {
                let length =
                    text[..<blank.lowerBound].split(separator: "content-length: ").dropFirst().first
                    .flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
                let rest = text[blank.upperBound...]
                guard rest.utf8.count >= length else { return }
                let end = text.utf8.index(blank.upperBound, offsetBy: length)
                let reply = reply(String(text[..<end]))
                text = String(text[end...])
                let loop = context.eventLoop.assumeIsolated()
                loop.scheduleTask(in: reply.after) {
                    context.writeAndFlush(self.wrapOutboundOut(ByteBuffer(string: reply.bytes)), promise: nil)
                    if reply.closes { context.close(promise: nil) }
                }
            }
        }
    }
}
