package import NIOCore
import NIOTLS

/// A handler that waits for TLS and then gives its place to the protocol above, on either side of a connection.
package final class TLSReadiness: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = NIOAny

    private let longest: TimeAmount
    private let addHandlers: (_ negotiated: String?, ChannelPipeline.SynchronousOperations) throws -> Void
    private let conclude: (Result<Void, any Error>) -> Void
    private var isOver = false
    private var limit: Scheduled<Void>?

    /// A handler at the end of the pipeline.
    ///
    /// - Parameters:
    ///   - longest: The timeout of the handshake.
    ///   - addHandlers: Adds the handlers that replace this one, or throws if ALPN's result rules them out.
    ///   - conclude: Called once with the result of the handshake.
    package init(
        within longest: TimeAmount,
        addingHandlers addHandlers: @escaping (String?, ChannelPipeline.SynchronousOperations) throws -> Void,
        conclude: @escaping (Result<Void, any Error>) -> Void
    ) {
        self.longest = longest
        self.addHandlers = addHandlers
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
                try addHandlers(negotiated, pipeline)
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
    case otherProtocol
    case closedBeforeReady

    package var description: String {
        switch self {
        case .otherProtocol: "the server has chosen a protocol that was not offered"
        case .closedBeforeReady: "the server has closed the connection before it could be used"
        }
    }
}
