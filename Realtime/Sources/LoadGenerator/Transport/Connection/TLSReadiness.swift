import HTTP2
import NIOCore
import NIOSSL
import NIOTLS

/// Waits for TLS and then makes room for HTTP/2.
final class TLSReadiness: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let http2: HTTP2Connection
    private let ready: EventLoopPromise<Void>
    private var isReady = false
    private var limit: Scheduled<Void>?

    /// How long a server may take over the handshake.
    private static let longestHandshake = TimeAmount.seconds(10)

    init(http2: HTTP2Connection, ready: EventLoopPromise<Void>) {
        self.http2 = http2
        self.ready = ready
    }

    func handlerAdded(context: ChannelHandlerContext) {
        limit = context.eventLoop.assumeIsolated()
            .scheduleTask(in: Self.longestHandshake) {
                if !self.isReady { context.close(promise: nil) }
            }
    }

    func handlerRemoved(context: ChannelHandlerContext) { limit?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted(let negotiated) = event, !isReady {
            isReady = true
            // A server that negotiates nothing may still speak HTTP/2; one that negotiates something else does not.
            guard negotiated == nil || negotiated == "h2" else {
                ready.fail(ConnectionError.notHTTP2)
                context.close(promise: nil)
                return
            }
            do {
                try context.pipeline.syncOperations.addHandler(http2)
                ready.succeed()
                context.pipeline.syncOperations.removeHandler(self, promise: nil)
            } catch {
                ready.fail(error)
                context.close(promise: nil)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isReady {
            context.fireErrorCaught(error)
        } else {
            isReady = true
            ready.fail(error)
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isReady {
            isReady = true
            ready.fail(ConnectionError.closedBeforeReady)
        }
        context.fireChannelInactive()
    }
}

/// Why there is no connection.
enum ConnectionError: Error, CustomStringConvertible {
    case notHTTP2
    case closedBeforeReady

    var description: String {
        switch self {
        case .notHTTP2: "the server has chosen a protocol that is not HTTP/2"
        case .closedBeforeReady: "the server has closed the connection before it could be used"
        }
    }
}
