import HTTP2
import NIOCore
import Wire

/// One connection to APNs, which performs the decisions of ``ConnectionState``.
///
/// A request is a row in a table; no stream has a channel, a promise or a task of its own. Requests are flushed when a read is
/// complete or a lane has submitted all it had.
final class APNsConnection {
    /// A request in flight.
    struct Waiting: Sendable {
        var number: UInt64
        var due: NIODeadline
        var sent: NIODeadline
    }

    /// An answer that is being received.
    private struct PartialAnswer {
        var stream: Int32 = 0
        var status = 0
        var channelID: String?
        var body = ByteBuffer()
    }

    private let lane: APNsLane
    private var state: ConnectionState<Waiting>
    /// The HTTP/2 connection; nil before it is made and after its end.
    private var http2: HTTP2Connection?
    /// The status of the head that is being received; 0: none yet.
    private var status = 0
    /// The broadcast channel in the head that is being received.
    private var channelID: String?
    /// The answer with the latest head, which needs no table because most bodies follow their heads at once.
    private var latest: PartialAnswer?
    /// Other answers without a complete body, by stream.
    private var partialAnswers: [Int32: PartialAnswer] = [:]
    /// Streams in the order in which their requests expire, which is the order of opening.
    private var expiries = CircularBuffer<(stream: Int32, deadline: NIODeadline)>()
    private(set) var lastActivity = NIODeadline.now()
    /// `true` if another connection has replaced this one, which drains.
    var isReplaced = false
    private var unansweredPing: NIODeadline?

    init(lane: APNsLane, streamLimit: Int, showsToken: Bool) {
        self.lane = lane
        state = ConnectionState(streamLimit: streamLimit, showsToken: showsToken)
    }

    /// The initial settings, which allow the server neither pushes nor streams.
    static var http2Configuration: HTTP2Configuration {
        HTTP2Configuration(role: .client, settings: [.push(false), .streams(0), .streamWindow(65_535), .head(16_384)])
    }

    var hasRoom: Bool { state.hasRoom }
    var inFlight: Int { state.inFlight }

    // MARK: calls of the lane

    /// Sends a request.
    ///
    /// - Precondition: ``hasRoom``.
    func send(_ request: APNsRequest, fields: HTTP2Fields, deadline: NIODeadline, now: NIODeadline) {
        guard let http2 else { preconditionFailure("a request is sent before there is a connection") }
        let stream = state.open(Waiting(number: request.number, due: request.due, sent: now))
        expiries.append((stream, deadline))
        let body = request.payload.readableBytes == 0 ? nil : request.payload
        let opened = http2.request(fields, body: body)
        precondition(opened == stream, "stream \(opened) was opened where \(stream) was due")
        lastActivity = now
    }

    /// Flushes the requests.
    func flush() { http2?.flush() }

    /// Times out requests, and sends a PING if the connection was idle for long.
    func checkTime(now: NIODeadline, pingInterval: TimeAmount, timeout: TimeAmount) {
        while let (stream, deadline) = expiries.first {
            if state.request(of: stream) != nil {
                guard deadline <= now else { break }
                if let waiting = state.ended(stream) {
                    forget(stream)
                    http2?.reset(stream: stream, .cancel)
                    lane.complete(waiting, .timedOut, now: now)
                }
            }
            expiries.removeFirst()
        }
        if let http2, state.phase == .open {
            if let asked = unansweredPing {
                if now - asked > timeout { http2.close() }
            } else if now - lastActivity > pingInterval {
                unansweredPing = now
                http2.ping()
            }
        }
        closeIfSpent()
        flush()
    }

    /// Sends a GOAWAY and closes.
    func close() {
        guard let http2 else { return }
        http2.goAway(lastStream: 0)
        http2.flush()
        http2.close()
    }

    // MARK: private

    private func forget(_ stream: Int32) {
        if latest?.stream == stream { latest = nil }
        if !partialAnswers.isEmpty { partialAnswers[stream] = nil }
    }

    private func answered(_ stream: Int32, _ answer: APNsAnswer) {
        guard let waiting = state.answered(stream, objectsToToken: answer.status == 403) else { return }
        if expiries.first?.stream == stream { expiries.removeFirst() }
        lane.complete(waiting, .answered(answer), now: .now())
    }

    private func closeIfSpent() { if state.isSpent { http2?.close() } }
}

extension APNsConnection: HTTP2Peer {
    func connected(_ connection: HTTP2Connection, on loop: any EventLoop) {
        http2 = connection
        state.opened()
        lane.dispatch()
    }

    func headBegan(stream: Int32) { (status, channelID) = (0, nil) }

    func fieldReceived(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        guard name.first == 0x3A, name.elementsEqual(":status".utf8) else {
            if name.count == 15, name.elementsEqual("apns-channel-id".utf8) {
                channelID = String(decoding: value, as: UTF8.self)
            }
            return
        }
        // The library accepts exactly three digits.
        status = value.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    func headEnded(stream: Int32, isLast: Bool) {
        // A 1xx is followed by another head; trailers have no status.
        guard status >= 200 else {
            if isLast { bodyEnded(stream: stream) }
            return
        }
        if isLast {
            var answer = APNsAnswer(status: status)
            answer.channelID = channelID
            answered(stream, answer)
        } else if state.request(of: stream) != nil {
            if let latest { partialAnswers[latest.stream] = latest }
            latest = PartialAnswer(stream: stream, status: status, channelID: channelID)
        }
    }

    func bodyReceived(_ bytes: UnsafeRawBufferPointer, stream: Int32) {
        http2?.consumed(bytes.count, stream: stream)
        if latest?.stream == stream {
            latest?.body.writeBytes(bytes, upTo: RefusalBody.largestByteCount)
        } else if !partialAnswers.isEmpty {
            partialAnswers[stream]?.body.writeBytes(bytes, upTo: RefusalBody.largestByteCount)
        }
    }

    func bodyEnded(stream: Int32) {
        let partial: PartialAnswer
        if let latest, latest.stream == stream {
            self.latest = nil
            partial = latest
        } else if let other = partialAnswers.removeValue(forKey: stream) {
            partial = other
        } else {
            return
        }
        let body = RefusalBody(Array(buffer: partial.body))
        let (reason, timestamp) = (body.reason, body.timestampMilliseconds)
        var answer = APNsAnswer(status: partial.status, reason: reason, timestampMilliseconds: timestamp)
        answer.channelID = partial.channelID
        answered(stream, answer)
    }

    func resetReceived(stream: Int32, _ code: HTTP2ErrorCode) { streamClosed(stream, code) }

    func streamClosed(_ stream: Int32, _ code: HTTP2ErrorCode) {
        // Most streams are answered by now. Others were closed by the library, and requests that never left may be sent again.
        guard let waiting = state.ended(stream) else { return }
        forget(stream)
        lane.complete(waiting, code == .refusedStream ? .notProcessed : .connectionLost, now: .now())
    }

    func settingsReceived(streamLimit: Int?) { state.settingsReceived(streamLimit: streamLimit) }

    func goAwayReceived(lastStream: Int32, _ code: HTTP2ErrorCode, note: UnsafeRawBufferPointer) {
        let now = NIODeadline.now()
        for waiting in state.goAwayReceived(lastStream: lastStream) {
            lane.complete(waiting, .notProcessed, now: now)
        }
        lane.noteGoAway(of: self, reason: RefusalBody(Array(note)).reason)
    }

    func pingAnswered() { unansweredPing = nil }

    func readCompleted() {
        lastActivity = .now()
        lane.dispatch()
        closeIfSpent()
    }

    func failed(_ error: any Error) {
        // An error of one stream ends that stream alone; its end or a timeout completes its request.
        if case .brokenStream(let stream, _)? = error as? HTTP2Error {
            streamClosed(stream, .cancel)
            return
        }
        lane.noteError(error)
    }

    func disconnected() {
        http2 = nil
        latest = nil
        partialAnswers = [:]
        expiries.removeAll()
        let now = NIODeadline.now()
        for waiting in state.closed() { lane.complete(waiting, .connectionLost, now: now) }
        lane.lost(self)
    }
}

extension ByteBuffer {
    /// Writes bytes unless the buffer would then hold more than a number of them.
    fileprivate mutating func writeBytes(_ bytes: UnsafeRawBufferPointer, upTo count: Int) {
        if readableBytes + bytes.count <= count { writeBytes(bytes) }
    }
}
