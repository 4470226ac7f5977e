import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix

/// An HTTP/2 server without TLS on the loopback address, with answers by a test.
struct SmallServer {
    /// The answer to a request.
    struct Answer: Sendable {
        var status = 200
        var body = ""
        /// The delay of the answer.
        var delay = TimeAmount.zero
        /// `true` if there is no answer.
        var isMissing = false
    }

    /// The parts of a request that tests use.
    struct Request: Hashable, Sendable {
        var path = ""
        var priority = ""
        var body = ""
    }

    let port: Int
    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup

    /// - Parameter answer: Returns the answer by the number of the request on its connection, counted from 0.
    init(streams: Int = 100, answer: @escaping @Sendable (Int) -> Answer) async throws {
        try await self.init(streams: streams) { number, _ in answer(number) }
    }

    /// - Parameter answer: Returns the answer by the number of the request on its connection, counted from 0, and the request.
    init(streams: Int = 100, answer: @escaping @Sendable (Int, Request) -> Answer) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        channel = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let settings = [HTTP2Setting(parameter: .maxConcurrentStreams, value: streams)]
                    try channel.pipeline.syncOperations.addHandlers([
                        NIOHTTP2Handler(mode: .server, initialSettings: settings), Answering(answer: answer),
                    ])
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        self.port = port
        self.group = group
    }

    func stop() async throws {
        try await channel.close().get()
        try await group.shutdownGracefully()
    }

    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame
        typealias OutboundOut = HTTP2Frame

        private let answer: @Sendable (Int, Request) -> Answer
        private var requests: [HTTP2StreamID: Request] = [:]
        private var count = 0
        private var consumed = 0

        init(answer: @escaping @Sendable (Int, Request) -> Answer) {
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            switch frame.payload {
            case .headers(let block):
                requests[frame.streamID] = Request(
                    path: block.headers.first(name: ":path") ?? "",
                    priority: block.headers.first(name: "apns-priority") ?? ""
                )
                if block.endStream { respond(frame.streamID, context: context) }
            case .data(let block):
                consumed += block.data.readableBytes
                if case .byteBuffer(let part) = block.data {
                    requests[frame.streamID]?.body += String(buffer: part)
                }
                if consumed > 20_000 {
                    let grant = HTTP2Frame(streamID: 0, payload: .windowUpdate(windowSizeIncrement: consumed))
                    context.write(wrapOutboundOut(grant), promise: nil)
                    consumed = 0
                }
                if block.endStream { respond(frame.streamID, context: context) }
            default:
                break
            }
        }

        private func respond(_ stream: HTTP2StreamID, context: ChannelHandlerContext) {
            let answer = answer(count, requests.removeValue(forKey: stream) ?? Request())
            count += 1
            guard !answer.isMissing else { return }
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: answer.delay) {
                let context = bound.value
                let headers = HPACKHeaders([(":status", "\(answer.status)")])
                func write(_ payload: HTTP2Frame.FramePayload) {
                    context.write(NIOAny(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
                }
                write(.headers(.init(headers: headers, endStream: answer.body.isEmpty)))
                if !answer.body.isEmpty {
                    write(.data(.init(data: .byteBuffer(ByteBuffer(string: answer.body)), endStream: true)))
                }
                context.flush()
            }
        }
    }
}
