import NIOCore

/// Closes a connection on which no whole request head has come in time.
///
/// A connection that says nothing takes the place of one that would: without this, as many silent ones as there may be
/// keep every page out. Between requests the server's idle timeout holds, which browsers know to live with.
final class FirstRequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let limit: TimeAmount
    private var closing: Scheduled<Void>?

    /// The deadline of one connection.
    ///
    /// - Parameter limit: How long a head may take from the connection's beginning.
    init(_ limit: TimeAmount) { self.limit = limit }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        closing = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
    }

    /// Stands behind the decoder, so that what comes first is a head.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        stop()
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
