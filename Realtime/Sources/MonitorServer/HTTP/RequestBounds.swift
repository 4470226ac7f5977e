import NIOCore
import NIOHTTPTypes

/// Closes a connection whose request takes too long to arrive, or does not end.
///
/// The rest of a body is read after its answer, too: a byte a second would hold a connection for ever after the answer 401,
/// and an endless body would keep the process busy after the answer 413.
final class RequestBounds: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let time: TimeAmount
    private let mostBytes: Int
    private var timer: Scheduled<Void>?
    private var bodyBytes = 0

    /// What is read of a body beyond what is accepted [bytes]: a client listens for its 413 once it has sent what it has.
    static let discardedBytes = 1 << 18

    /// - Parameters:
    ///   - time: From a request's head to the end of its body.
    ///   - mostBytes: Of a body, answered or not.
    init(_ time: TimeAmount, mostBytes: Int) {
        self.time = time
        self.mostBytes = mostBytes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            let channel = context.channel
            bodyBytes = 0
            timer?.cancel()
            timer = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        case .body(let part):
            bodyBytes += part.readableBytes
            if bodyBytes > mostBytes {
                context.close(promise: nil)
                return
            }
        case .end: timer?.cancel()
        }
        context.fireChannelRead(data)
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }
}
