package import HTTP2
package import NIOCore
import NIOTLS

/// A handler that waits for TLS and then gives its place to HTTP/2, on either side of a connection.
package final class TLSReadiness: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = NIOAny

    private let longest: TimeAmount
    private let makeHTTP2: (_ negotiated: String?, ChannelPipeline.SynchronousOperations) throws -> HTTP2Connection
    private let conclude: (Result<Void, any Error>) -> Void
    private var isOver = false
    private var limit: Scheduled<Void>?

    /// A handler at the end of the pipeline.
    ///
    /// - Parameters:
    ///   - longest: The timeout of the handshake.
    ///   - makeHTTP2: Makes the handler that replaces this one from ALPN's result, or throws if HTTP/2 cannot be used.
    ///   - conclude: Called once with the result of the handshake.
    package init(
        within longest: TimeAmount,
        makeHTTP2: @escaping (String?, ChannelPipeline.SynchronousOperations) throws -> HTTP2Connection,
        conclude: @escaping (Result<Void, any Error>) -> Void
    ) {
        self.longest = longest
        self.makeHTTP2 = makeHTTP2
        self.conclude = conclude
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        limit = context.eventLoop.assumeIsolated()
            .scheduleTask(in: longest) {
                if !self.isOver { context.close(promise: nil) }
            }
    }

    package func handlerRemoved(context: ChannelHandlerContext) { limit?.cancel() }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted(let negotiated) = event, !isOver {
            do {
                let pipeline = context.pipeline.syncOperations
                try pipeline.addHandler(makeHTTP2(negotiated, pipeline), position: .after(self))
                end(.success(()))
                pipeline.removeHandler(self, promise: nil)
            } catch {
                end(.failure(error))
                context.close(promise: nil)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isOver {
            context.fireErrorCaught(error)
        } else {
            end(.failure(error))
            context.close(promise: nil)
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        end(.failure(ConnectionError.closedBeforeReady))
        context.fireChannelInactive()
    }

    private func end(_ result: Result<Void, any Error>) {
        guard !isOver else { return }
        isOver = true
        conclude(result)
    }
}

/// The reason why there is no connection.
package enum ConnectionError: Error, CustomStringConvertible {
    case notHTTP2
    case closedBeforeReady

    package var description: String {
        switch self {
        case .notHTTP2: "the server has chosen a protocol that is not HTTP/2"
        case .closedBeforeReady: "the server has closed the connection before it could be used"
        }
    }
}
