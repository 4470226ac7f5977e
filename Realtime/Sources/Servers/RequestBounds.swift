package import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

/// A handler that closes a connection whose request takes too long to arrive or does not end.
///
/// Of a body that is too long, only as much is passed on as shows that it is too long. The rest is read and dropped, so that
/// many such bodies at once do not fill the memory.
///
/// The bounds also hold after the answer. Otherwise one byte per second would hold a connection for ever after a 401, and an
/// endless body would keep the process busy after a 413. The end of a body in an unknown transfer coding cannot be found, and
/// the next request cannot be distinguished from it, so the connection ends with the answer.
package final class RequestBounds: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart

    private let time: TimeAmount
    private let acceptedBytes: Int
    private var timer: Scheduled<Void>?
    private var bodyBytes = 0

    /// The number of bytes read beyond the longest accepted body, so that clients finish sending and read their 413.
    private static let discardedBytes = 1 << 18

    /// Bounds for one connection, in front of a server that closes connections on request.
    ///
    /// - Parameters:
    ///   - time: The longest time from a request's head to the end of its body.
    ///   - bodyBytes: The longest body that the server accepts; a longer one is read for a while, and then its connection ends.
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
    /// `true` if the body is in a transfer coding other than `chunked` alone.
    ///
    /// The answer must be 501 (RFC 9112, section 6.1).
    package var hasOtherTransferCoding: Bool {
        guard let codings = headerFields[.transferEncoding] else { return false }
        return codings.lowercased() != "chunked"
    }

    /// `true` if there are two fields `Host`.
    ///
    /// The answer must be 400 (RFC 9112, section 3.2), because a proxy might use the other one.
    package var hasSecondHost: Bool {
        // The first one is the authority.
        HTTPField.Name("Host").map { headerFields.contains($0) } ?? false
    }
}
