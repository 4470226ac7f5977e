import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes a connection that has not sent an authorised request in time.
///
/// A silent connection, or one without the secret, occupies the place of another. Without this deadline such
/// connections could keep every page out. Between requests the server's idle timeout applies, which browsers handle.
final class FirstRequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let limit: TimeAmount
    private let isLetThrough: (HTTPRequest) -> Bool
    private var closing: Scheduled<Void>?

    /// Creates the deadline of one connection.
    ///
    /// - Parameters:
    ///   - limit: The maximum time from the start of the connection to the head of an authorised request.
    ///   - isLetThrough: Returns `true` if a request is authorised.
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
