package import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

/// Closes a connection whose request takes too long to arrive, or does not end.
///
/// Of a body that is too long no more is passed on than shows that it is: the rest is read and dropped, so that many such
/// bodies at once fill no memory.
///
/// The rest of a body is read after its answer, too: a byte a second would hold a connection for ever after the answer 401,
/// and an endless body would keep the process busy after the answer 413. Where a body in a transfer coding that is not
/// understood ends is for the coding to say, so what comes behind it cannot be told from the next request: the connection
/// ends with the answer.
package final class RequestBounds: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart

    private let time: TimeAmount
    private let acceptedBytes: Int
    private var timer: Scheduled<Void>?
    private var bodyBytes = 0

    /// What is read of a body beyond what is accepted [bytes]: a client listens for its 413 once it has sent what it has.
    private static let discardedBytes = 1 << 18

    /// Bounds for one connection, in front of a server that closes where a request wants that.
    ///
    /// - Parameters:
    ///   - time: From a request's head to the end of its body.
    ///   - bodyBytes: The longest body that the server accepts; a longer one is read on for a while, then its connection ends.
    package init(_ time: TimeAmount, bodyBytes: Int) {
        self.time = time
        acceptedBytes = bodyBytes
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(var head):
            let channel = context.channel
            bodyBytes = 0
            timer?.cancel()
            timer = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
            if head.hasOtherTransferCoding {
                head.headerFields[.connection] = "close"
                context.fireChannelRead(wrapInboundOut(.head(head)))
                return
            }
        case .body(let part):
            let isAlreadyTooLong = bodyBytes > acceptedBytes
            bodyBytes += part.readableBytes
            if bodyBytes > acceptedBytes + RequestBounds.discardedBytes {
                context.close(promise: nil)
                return
            }
            if isAlreadyTooLong { return }
        case .end: timer?.cancel()
        }
        context.fireChannelRead(data)
    }

    package func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    package func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }
}

extension HTTPRequest {
    /// Whether the body comes in any other transfer coding than `chunked` alone, which is to be answered 501 (RFC 9112,
    /// section 6.1).
    package var hasOtherTransferCoding: Bool {
        guard let codings = headerFields[.transferEncoding] else { return false }
        return codings.lowercased() != "chunked"
    }

    /// `true` if there are two fields `Host`.
    ///
    /// The answer must be 400 (RFC 9112, section 3.2): a proxy might go by the other one.
    package var hasSecondHost: Bool {
        // The first one is the authority.
        HTTPField.Name("Host").map { headerFields.contains($0) } ?? false
    }
}
