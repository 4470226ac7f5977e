import NIOCore
import NIOHPACK
import NIOHTTP2

/// The HTTP/2 frames of one connection: performs what ``ConnectionState`` decides.
///
/// It stands at the end of a pipeline of TLS and `NIOHTTP2Handler`, without a channel, a promise or a task for each
/// stream. Frames are flushed when a read is complete or a lane has handed out what it had.
final class APNsConnection: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// What waits for an answer.
    struct Waiting: Sendable {
        var number: UInt64
        var due: NIODeadline
        var sent: NIODeadline
    }

    private struct PartialAnswer {
        var status: Int
        var body: ByteBuffer
    }

    private let lane: APNsLane
    private var state: ConnectionState<Waiting>
    private var context: ChannelHandlerContext?
    /// Answers whose body has not ended, by stream.
    private var partialAnswers: [Int32: PartialAnswer] = [:]
    /// Streams in the order in which their requests expire, which is that of their opening.
    private var expiries = CircularBuffer<(stream: Int32, deadline: NIODeadline)>()
    private var hasUnflushedFrames = false
    /// What has been read and not been granted again.
    private var consumedByteCount = 0
    private(set) var lastActivity = NIODeadline.now()
    private var unansweredPing: NIODeadline?

    init(lane: APNsLane, streamLimit: Int, showsToken: Bool) {
        self.lane = lane
        state = ConnectionState(streamLimit: streamLimit, showsToken: showsToken)
    }

    var hasRoom: Bool { state.hasRoom }
    var inFlight: Int { state.inFlight }

    // MARK: what the lane asks for

    /// Sends a request; precondition: ``hasRoom``.
    func send(_ request: APNsRequest, headers: HPACKHeaders, deadline: NIODeadline, now: NIODeadline) {
        guard let context else { preconditionFailure("a request is sent before there is a connection") }
        let stream = state.open(Waiting(number: request.number, due: request.due, sent: now))
        expiries.append((stream, deadline))
        let isEmpty = request.payload.readableBytes == 0
        let id = HTTP2StreamID(Int(stream))
        write(.headers(.init(headers: headers, endStream: isEmpty)), stream: id, context: context)
        if !isEmpty {
            write(.data(.init(data: .byteBuffer(request.payload), endStream: true)), stream: id, context: context)
        }
        lastActivity = now
    }

    /// Sends on what has been written.
    func flush() {
        guard hasUnflushedFrames else { return }
        hasUnflushedFrames = false
        context?.flush()
    }

    /// Gives up what has waited for too long, and asks for a sign of life where there was none for long.
    func checkTime(now: NIODeadline, pingInterval: TimeAmount, timeout: TimeAmount) {
        while let (stream, deadline) = expiries.first {
            if state.ticket(of: stream) != nil {
                guard deadline <= now else { break }
                if let waiting = state.ended(stream) {
                    partialAnswers[stream] = nil
                    if let context { write(.rstStream(.cancel), stream: HTTP2StreamID(Int(stream)), context: context) }
                    lane.complete(waiting, .timedOut, now: now)
                }
            }
            expiries.removeFirst()
        }
        if let context, state.phase == .open {
            if let asked = unansweredPing {
                if now - asked > timeout { context.close(promise: nil) }
            } else if now - lastActivity > pingInterval {
                unansweredPing = now
                write(.ping(HTTP2PingData(withInteger: 0), ack: false), stream: .rootStream, context: context)
            }
        }
        closeIfSpent()
        flush()
    }

    /// Says goodbye and closes.
    func close() {
        guard let context else { return }
        write(
            .goAway(lastStreamID: .rootStream, errorCode: .noError, opaqueData: nil),
            stream: .rootStream,
            context: context
        )
        flush()
        context.close(promise: nil)
    }

    // MARK: what the channel tells

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { stand(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        stand(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        lose()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error of one stream has ended that stream alone; RST_STREAM or a time-out completes its request.
        if error is NIOHTTP2Errors.StreamError { return }
        lane.noteError(error)
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        let stream = Int32(Int(frame.streamID))
        switch frame.payload {
        case .headers(let block):
            headersReceived(block, stream: stream)
        case .data(let block):
            dataReceived(block, stream: stream, context: context)
        case .rstStream(let code):
            partialAnswers[stream] = nil
            guard let waiting = state.ended(stream) else { break }
            lane.complete(waiting, code == .refusedStream ? .notProcessed : .connectionLost, now: .now())
        case .settings(.settings(let settings)):
            let limit = settings.last { $0.parameter == .maxConcurrentStreams }?.value
            state.settingsReceived(streamLimit: limit)
        case .goAway(let last, _, let note):
            let now = NIODeadline.now()
            for waiting in state.goAwayReceived(lastStream: Int32(Int(last))) {
                lane.complete(waiting, .notProcessed, now: now)
            }
            lane.noteGoAway(reason: note.flatMap { AnswerBody($0).reason })
        case .ping(_, ack: true):
            unansweredPing = nil
        default:
            break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        lastActivity = .now()
        lane.readComplete(of: self)
        flush()
        closeIfSpent()
        context.fireChannelReadComplete()
    }

    // MARK: private

    private func stand(_ context: ChannelHandlerContext) {
        state.opened()
        lane.readComplete(of: self)
        flush()
    }

    private func lose() {
        let now = NIODeadline.now()
        partialAnswers = [:]
        expiries.removeAll()
        for waiting in state.closed() {
            lane.complete(waiting, .connectionLost, now: now)
        }
        lane.lost(self)
    }

    private func headersReceived(_ block: HTTP2Frame.FramePayload.Headers, stream: Int32) {
        guard let status = block.headers.first(name: ":status").flatMap({ Int($0) }) else { return }
        // 1xx announces another block.
        guard status >= 200 else { return }
        if block.endStream {
            answered(stream, APNsAnswer(status: status))
        } else if state.ticket(of: stream) != nil {
            partialAnswers[stream] = PartialAnswer(status: status, body: ByteBuffer())
        }
    }

    private func dataReceived(_ block: HTTP2Frame.FramePayload.Data, stream: Int32, context: ChannelHandlerContext) {
        guard case .byteBuffer(var bytes) = block.data else { return }
        grant(bytes.readableBytes + (block.paddingBytes.map { $0 + 1 } ?? 0), context: context)
        guard var partial = partialAnswers.removeValue(forKey: stream) else { return }
        if partial.body.readableBytes + bytes.readableBytes <= AnswerBody.largestByteCount {
            partial.body.writeBuffer(&bytes)
        }
        guard block.endStream else {
            partialAnswers[stream] = partial
            return
        }
        let body = AnswerBody(partial.body)
        answered(
            stream,
            APNsAnswer(
                status: partial.status,
                reason: body.reason,
                timestampMilliseconds: body.timestampMilliseconds
            )
        )
    }

    private func answered(_ stream: Int32, _ answer: APNsAnswer) {
        guard let waiting = state.answered(stream, objectsToToken: answer.status == 403) else { return }
        if expiries.first?.stream == stream { expiries.removeFirst() }
        lane.complete(waiting, .answered(answer), now: .now())
    }

    /// Lets the server send as much again as has been read; bodies are short, so one stream's window is never used up.
    private func grant(_ byteCount: Int, context: ChannelHandlerContext) {
        consumedByteCount += byteCount
        guard consumedByteCount > 32_768 else { return }
        write(.windowUpdate(windowSizeIncrement: consumedByteCount), stream: .rootStream, context: context)
        consumedByteCount = 0
    }

    private func closeIfSpent() {
        if state.isSpent { context?.close(promise: nil) }
    }

    private func write(_ payload: HTTP2Frame.FramePayload, stream: HTTP2StreamID, context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
        hasUnflushedFrames = true
    }
}
