import APNsProtocol
import NIOCore
import NIOHPACK
import NIOHTTP2
import Quantities

/// The frames of a phones' line: one stream on a connection of its own, lines of ASCII both ways.
final class PhoneLine: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let headers: HPACKHeaders
    private let listener: any PhoneLinkListener
    private let begun: EventLoopPromise<Void>
    private let firstLine: String
    private var context: ChannelHandlerContext?
    private var partial = ByteBuffer()
    private var news: [PhoneNews] = []
    private var isBegun = false
    private var isOver = false
    private var consumedByteCount = 0

    private static let stream = HTTP2StreamID(1)
    /// What the stand-in may send before it is granted more [bytes]; a burst of pushes must not wait for a round trip.
    static let window = 4 << 20

    init(
        endpoint: APNsEndpoint,
        secret: String?,
        firstLine: String,
        listener: any PhoneLinkListener,
        begun: EventLoopPromise<Void>
    ) {
        var headers = HPACKHeaders([
            (":method", "POST"), (":scheme", endpoint.trust == nil ? "http" : "https"), (":path", "/freshet/phones"),
            (":authority", endpoint.authority),
        ])
        if let secret { headers.add(name: "authorization", value: "bearer \(secret)", indexing: .neverIndexed) }
        self.headers = headers
        self.firstLine = firstLine
        self.listener = listener
        self.begun = begun
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        write(.windowUpdate(windowSizeIncrement: Self.window - 65_535), stream: .rootStream)
        write(.headers(.init(headers: headers)), stream: Self.stream)
        say(firstLine)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    /// Sends lines, each with its end.
    func say(_ lines: String) {
        guard !isOver else { return }
        write(.data(.init(data: .byteBuffer(ByteBuffer(string: lines)))), stream: Self.stream)
        context?.flush()
    }

    /// Hangs up.
    func end() {
        guard !isOver, let context else { return }
        write(.data(.init(data: .byteBuffer(ByteBuffer(string: "end\n")), endStream: true)), stream: Self.stream)
        isOver = true
        context.flush()
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data).payload {
        case .headers(let block):
            let status = block.headers.first(name: ":status") ?? "none"
            if status != "200" { begun.fail(PhoneLinkError.refused(status: status)) }
        case .data(let block):
            guard case .byteBuffer(var bytes) = block.data else { break }
            consumedByteCount += bytes.readableBytes
            partial.writeBuffer(&bytes)
            readLines()
            if block.endStream { context.close(promise: nil) }
        case .rstStream:
            context.close(promise: nil)
        default:
            break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if !news.isEmpty {
            let heard = news
            news.removeAll(keepingCapacity: true)
            listener.heard(heard)
        }
        if consumedByteCount > Self.window / 4 {
            write(.windowUpdate(windowSizeIncrement: consumedByteCount), stream: .rootStream)
            write(.windowUpdate(windowSizeIncrement: consumedByteCount), stream: Self.stream)
            consumedByteCount = 0
            context.flush()
        }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        begun.fail(PhoneLinkError.closed)
        listener.hungUp(asWished: isOver)
        isOver = true
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func readLines() {
        while let end = partial.readableBytesView.firstIndex(of: 0x0A) {
            let line = partial.readableBytesView[..<end]
            if let item = PhoneNews(line: line) {
                news.append(item)
            } else if !isBegun, line.elementsEqual("begun".utf8) {
                isBegun = true
                begun.succeed()
            } else {
                begun.fail(line.elementsEqual("busy".utf8) ? PhoneLinkError.busy : PhoneLinkError.unreadable)
                context?.close(promise: nil)
            }
            partial.moveReaderIndex(to: end + 1)
        }
        partial.discardReadBytes()
    }

    private func write(_ payload: HTTP2Frame.FramePayload, stream: HTTP2StreamID) {
        context?.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
    }
}
