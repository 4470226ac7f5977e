import NIOCore
import NIOHTTP1

/// A request on its way.
struct HTTPCall: Sendable {
    /// A receiver of an answer, or of the reason why there is none.
    typealias Conclusion = @Sendable (Result<HTTPResponse, any Error>) -> Void

    struct Request: Sendable {
        let head: HTTPRequestHead
        let body: ByteBuffer?
    }

    let id: UInt64
    let request: Request
    /// The end of its wait for a connection.
    let waitsUntil: NIODeadline
    /// The end of its wait for the answer.
    let endsBy: NIODeadline
    let conclude: Conclusion
}

/// A connection of an ``HTTPClient``, which has one request in flight at a time.
///
/// All of its methods run on its event loop.
final class HTTPConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart
    typealias Reference = NIOLoopBound<HTTPConnection>

    private let client: HTTPClient
    private var context: ChannelHandlerContext?
    private var call: HTTPCall?
    private var limit: Scheduled<Void>?
    private var isWritten = false
    private var head: HTTPResponseHead?
    private var body = ByteBuffer()
    /// The answer, once it is complete.
    private var answer: HTTPResponse?

    private static var largestBody: Int { 1 << 20 }

    init(client: HTTPClient) { self.client = client }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        client.opened(Reference(self, eventLoop: context.eventLoop))
        context.channel.closeFuture.assumeIsolated()
            .whenComplete { _ in
                self.fail(HTTPClientError.closed)
                self.client.closed(self)
            }
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Sends a request.
    func start(_ call: HTTPCall) {
        // The server closed the connection meanwhile: nothing was sent.
        guard let context, context.channel.isActive else { return client.submit(call, isFirst: true) }
        self.call = call
        isWritten = false
        let loop = context.eventLoop.assumeIsolated()
        limit = loop.scheduleTask(deadline: call.endsBy) { self.fail(HTTPClientError.noAnswer) }
        context.write(wrapOutboundOut(.head(call.request.head)), promise: nil)
        if let body = call.request.body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenSuccess { self.isWritten = true }
    }

    /// Lets the call fail if it is the one with this number.
    func cancel(_ id: UInt64) { if call?.id == id { fail(CancellationError()) } }

    /// Closes the connection; its call fails unless the answer is complete.
    func fail(_ error: any Error) {
        end(answer.map { .success($0) } ?? .failure(error), staysOpen: false)
    }

    private func end(_ result: Result<HTTPResponse, any Error>, staysOpen: Bool) {
        limit?.cancel()
        let call = self.call
        (self.call, head, answer) = (nil, nil, nil)
        body = ByteBuffer()
        if staysOpen, let context {
            client.release(Reference(self, eventLoop: context.eventLoop))
        } else {
            context?.close(promise: nil)
        }
        call?.conclude(result)
    }

    // MARK: - The channel's events

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard call != nil else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(var part):
            body.writeBuffer(&part)
            if body.readableBytes > Self.largestBody {
                fail(HTTPClientError.bodyTooLarge(limit: Self.largestBody))
            }
        case .end:
            guard let head else { return }
            answer = HTTPResponse(status: Int(head.status.code), headers: head.headers, body: body)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Not before: bytes after the answer are an error, and no answer to the next request.
        guard let answer, let head else { return }
        end(.success(answer), staysOpen: head.isKeepAlive && isWritten)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.invalidEOFState: fail(HTTPClientError.closed)
        case is HTTPParserError, is NIOHTTPDecoderError:
            fail(isWritten ? HTTPClientError.invalidAnswer : HTTPClientError.invalidRequest)
        default: fail(error)
        }
    }

    func channelInactive(context: ChannelHandlerContext) { fail(HTTPClientError.closed) }
}

extension NIOLoopBound {
    /// Performs a step on the event loop, after those that were submitted before it.
    func perform(_ step: @escaping @Sendable (Value) -> Void) {
        eventLoop.execute { step(value) }
    }
}
