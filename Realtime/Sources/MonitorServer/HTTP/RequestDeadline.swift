import NIOCore
import NIOHTTPTypes

/// Closes a connection whose request takes too long to arrive.
///
/// A body of one byte a second would hold a connection for ever, also after the answer 401: the rest of it is read all the same.
final class RequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let limit: TimeAmount
    private var timer: Scheduled<Void>?

    /// - Parameter limit: From a request's head to the end of its body.
    init(_ limit: TimeAmount) {
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            let channel = context.channel
            timer?.cancel()
            timer = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
        case .end: timer?.cancel()
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }
}
