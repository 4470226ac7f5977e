import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes a connection once a response with `Connection: close` is written.
///
/// The surrounding server closes it only if the request asks for that.
final class FinalAnswer: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var isFinal = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): isFinal = head.headerFields[.connection] == "close"
        case .body: break
        case .end:
            guard isFinal else { break }
            let channel = context.channel
            let written = promise ?? context.eventLoop.makePromise()
            written.futureResult.whenComplete { _ in channel.close(promise: nil) }
            context.writeAndFlush(data, promise: written)
            return
        }
        context.write(data, promise: promise)
    }
}
