import NIOCore
import NIOHTTP1

/// Serves `/metrics` and `/health`, without TLS.
final class MetricsHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let sources: MetricsText.Sources

    init(_ sources: MetricsText.Sources) {
        self.sources = sources
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        guard head.method == .GET else {
            respond(context, .methodNotAllowed, "")
            return
        }
        switch head.uri {
        case "/health":
            respond(context, .ok, "ok\n")
        case "/metrics":
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            MetricsText.gather(sources, on: context.eventLoop)
                .whenSuccess { text in
                    let (handler, context) = bound.value
                    handler.respond(context, .ok, text, type: MetricsText.contentType)
                }
        default:
            respond(context, .notFound, "")
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    private func respond(
        _ context: ChannelHandlerContext,
        _ status: HTTPResponseStatus,
        _ text: String,
        type: String = "text/plain"
    ) {
        let body = ByteBuffer(string: text)
        let headers: HTTPHeaders = [
            "content-type": type, "content-length": String(body.readableBytes), "connection": "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in bound.value.close(promise: nil) }
    }
}
