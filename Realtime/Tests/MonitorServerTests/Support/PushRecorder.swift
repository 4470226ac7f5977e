import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import Synchronization

/// Accepts every push, over HTTP/2 without TLS, and records its time and token.
final class PushRecorder: Sendable {
    struct Arrival: Sendable {
        let token: String
        let path: String
        /// The fields whose names begin with `apns-`.
        let fields: [String: String]
        let at: ContinuousClock.Instant
    }

    private let recorded = Mutex<[Arrival]>([])
    private let channel = Mutex<(any Channel)?>(nil)

    static func start() async throws -> PushRecorder {
        let recorder = PushRecorder()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        NIOHTTP2Handler(mode: .server),
                        Answering(recorder: recorder)
                    )
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        recorder.channel.withLock { $0 = channel }
        return recorder
    }

    var port: Int { channel.withLock { $0?.localAddress?.port ?? 0 } }
    var arrivals: [Arrival] { recorded.withLock { $0 } }

    func stop() async throws {
        try await channel.withLock { $0 }?.close()
    }

    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame
        typealias OutboundOut = HTTP2Frame

        private let recorder: PushRecorder

        init(recorder: PushRecorder) {
            self.recorder = recorder
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            switch frame.payload {
            case .headers(let headers):
                let path = headers.headers.first(name: ":path") ?? ""
                let fields = headers.headers.filter { $0.name.hasPrefix("apns-") }.map { ($0.name, $0.value) }
                let arrival = Arrival(
                    token: String(path.split(separator: "/").last ?? ""),
                    path: path,
                    fields: Dictionary(uniqueKeysWithValues: fields),
                    at: .now
                )
                recorder.recorded.withLock { $0.append(arrival) }
            case .data(let data):
                let count = data.data.readableBytes
                if count > 0 { write(.windowUpdate(windowSizeIncrement: count), to: .rootStream, context) }
                guard data.endStream else { return }
                let answer = HTTP2Frame.FramePayload.Headers(headers: [":status": "200"], endStream: true)
                write(.headers(answer), to: frame.streamID, context)
            default:
                break
            }
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            context.flush()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        private func write(
            _ payload: HTTP2Frame.FramePayload,
            to stream: HTTP2StreamID,
            _ context: ChannelHandlerContext
        ) {
            context.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
        }
    }
}
