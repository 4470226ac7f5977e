import Foundation
import NIOCore
import NIOHTTP1

/// One connection to the gateway, in HTTP/1.1.
final class NetmeraHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let gateway: NetmeraGateway
    private var request: Incoming?
    /// Whether the connection ends with the answer that is under way.
    private var isEnding = false

    private struct Incoming {
        let head: HTTPRequestHead
        var body = ByteBuffer()
        var byteCount = 0
        /// What is called; nil for what there is not.
        let operation: NetmeraCall.Operation?

        init(head: HTTPRequestHead) {
            self.head = head
            operation = NetmeraCall.Operation(path: head.uri)
        }
    }

    init(gateway: NetmeraGateway) {
        self.gateway = gateway
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnding else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = Incoming(head: head)
        case .body(let bytes):
            take(bytes, context)
        case .end:
            guard let request else { return }
            self.request = nil
            complete(request, context)
        }
    }

    /// Bodies that are too large are read on for a while: most clients listen only when they have sent all.
    private func take(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard var request else { return }
        self.request = nil
        request.byteCount += bytes.readableBytes
        if request.byteCount <= gateway.configuration.largestBody {
            request.body.writeImmutableBuffer(bytes)
        } else if request.byteCount > NetmeraHandler.mostDiscarded {
            answer(tooLarge(request), to: request, keepsAlive: false, context)
            return
        } else {
            request.body = ByteBuffer()
        }
        self.request = request
    }

    private static var mostDiscarded: Int { 1 << 20 }

    private func complete(_ request: Incoming, _ context: ChannelHandlerContext) {
        let keepsAlive = request.head.isKeepAlive
        do throws(NetmeraRefusal) {
            let operation = try operation(request)
            guard request.byteCount <= gateway.configuration.largestBody else { throw tooLarge(request) }
            let answer = try gateway.answer(operation, Data(request.body.readableBytesView))
            gateway.count(operation, status: 200)
            write(.ok, answer, keepsAlive: keepsAlive, context)
        } catch {
            answer(error, to: request, keepsAlive: keepsAlive, context)
        }
    }

    private func operation(_ request: Incoming) throws(NetmeraRefusal) -> NetmeraCall.Operation {
        guard let operation = request.operation else {
            let allowed = NetmeraCall.Operation.allCases.map { NetmeraCall.Operation.root + $0.rawValue }
            throw NetmeraRefusal(404, "no such path", got: "another", allowed: allowed.joined(separator: ", "))
        }
        guard request.head.method == .POST else {
            throw NetmeraRefusal(405, "no such method", got: "another", allowed: "POST")
        }
        if let key = gateway.configuration.key {
            let shown = request.head.headers.first(name: "x-netmera-api-key")
            guard let shown, Secret(key).isSame(as: shown) else {
                let got = shown == nil ? "nothing" : "another"
                throw NetmeraRefusal(401, "X-netmera-api-key is not right", got: got, allowed: "this gateway's key")
            }
        }
        return operation
    }

    private func tooLarge(_ request: Incoming) -> NetmeraRefusal {
        let most = gateway.configuration.largestBody
        return NetmeraRefusal(413, "the body is too large", got: "\(request.byteCount) bytes", allowed: "\(most) bytes")
    }

    private func answer(
        _ refusal: NetmeraRefusal,
        to request: Incoming,
        keepsAlive: Bool,
        _ context: ChannelHandlerContext
    ) {
        gateway.count(request.operation, status: refusal.status)
        write(HTTPResponseStatus(statusCode: refusal.status), refusal, keepsAlive: keepsAlive, context)
    }

    private func write(
        _ status: HTTPResponseStatus,
        _ value: some Encodable,
        keepsAlive: Bool,
        _ context: ChannelHandlerContext
    ) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = ByteBuffer(bytes: (try? encoder.encode(value)) ?? Data())
        var headers: HTTPHeaders = [
            "content-type": "application/json", "content-length": String(body.readableBytes),
        ]
        if status == .methodNotAllowed { headers.add(name: "allow", value: "POST") }
        if !keepsAlive { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let written = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        guard !keepsAlive else { return }
        isEnding = true
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        written.whenComplete { _ in bound.value.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
