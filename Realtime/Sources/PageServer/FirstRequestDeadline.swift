import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes a connection on which no request that is let through has come in time.
///
/// A connection that says nothing, or knows no secret, takes the place of one that would: without this, as many of
/// them as there may be keep every page out. Between requests the server's idle timeout holds, which browsers know to
/// live with.
final class FirstRequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let limit: TimeAmount
    private let isLetThrough: (HTTPRequest) -> Bool
    private var closing: Scheduled<Void>?

    /// The deadline of one connection.
    ///
    /// - Parameters:
    ///   - limit: How long it may take from the connection's beginning until the head of such a request is there.
    ///   - isLetThrough: Whether a request is one of those.
    init(_ limit: TimeAmount, isLetThrough: @escaping (HTTPRequest) -> Bool) {
        self.limit = limit
        self.isLetThrough = isLetThrough
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        closing = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if closing != nil, case .head(let head) = unwrapInboundIn(data), isLetThrough(head) { stop() }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    private func stop() {
        closing?.cancel()
        closing = nil
    }
}
