import HTTP2
import NIOCore
import Wire

/// One connection to APNs: performs what ``ConnectionState`` decides.
///
/// A request is a row in a table, without a channel, a promise or a task for each stream. What is asked for leaves when a
/// read is complete or a lane has handed out what it had.
final class APNsConnection {
    /// What waits for an answer.
    struct Waiting: Sendable {
        var number: UInt64
        var due: NIODeadline
        var sent: NIODeadline
    }

    /// An answer that is coming in.
    private struct PartialAnswer {
        var stream: Int32 = 0
        var status = 0
        var body = ByteBuffer()
    }

    private let lane: APNsLane
    private var state: ConnectionState<Waiting>
    /// Nil before there is a connection and after it.
    private var http2: HTTP2Connection?
    /// The status of the head that comes in now; 0: it has none.
    private var status = 0
    /// The answer whose head came last: most bodies follow their heads at once, and then need no table.
    private var latest: PartialAnswer?
    /// Other answers whose body has not ended, by stream.
    private var partialAnswers: [Int32: PartialAnswer] = [:]
    /// Streams in the order in which their requests expire, which is that of their opening.
    private var expiries = CircularBuffer<(stream: Int32, deadline: NIODeadline)>()
    private(set) var lastActivity = NIODeadline.now()
    /// Whether another connection takes this one's place, while it drains.
    var isReplaced = false
    private var unansweredPing: NIODeadline?

    init(lane: APNsLane, streamLimit: Int, showsToken: Bool) {
        self.lane = lane
        state = ConnectionState(streamLimit: streamLimit, showsToken: showsToken)
    }

    /// How the connection begins: nothing may be pushed, and no stream opened, by the server.
    static var http2Configuration: HTTP2Configuration {
        HTTP2Configuration(role: .client, settings: [.push(false), .streams(0), .streamWindow(65_535), .head(16_384)])
    }

    var hasRoom: Bool { state.hasRoom }
    var inFlight: Int { state.inFlight }

    // MARK: what the lane asks for

    /// Sends a request; precondition: ``hasRoom``.
    func send(_ request: APNsRequest, fields: HTTP2Fields, deadline: NIODeadline, now: NIODeadline) {
        guard let http2 else { preconditionFailure("a request is sent before there is a connection") }
        let stream = state.open(Waiting(number: request.number, due: request.due, sent: now))
        expiries.append((stream, deadline))
        let body = request.payload.readableBytes == 0 ? nil : request.payload
        let opened = http2.request(fields, body: body)
        precondition(opened == stream, "stream \(opened) was opened where \(stream) was due")
        lastActivity = now
    }

    /// Sends on what has been asked for.
    func flush() { http2?.flush() }

    /// Gives up what has waited for too long, and asks for a sign of life where there was none for long.
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

    func headBegan(stream: Int32) { status = 0 }

    func fieldReceived(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        guard name.first == 0x3A, name.elementsEqual(":status".utf8) else { return }
        // The library lets three digits through and nothing else.
        status = value.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    func headEnded(stream: Int32, isLast: Bool) {
        // 1xx announces another head; trailers have no status.
        guard status >= 200 else {
            if isLast { bodyEnded(stream: stream) }
            return
        }
        if isLast {
            answered(stream, APNsAnswer(status: status))
        } else if state.request(of: stream) != nil {
            if let latest { partialAnswers[latest.stream] = latest }
            latest = PartialAnswer(stream: stream, status: status)
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
        answered(stream, APNsAnswer(status: partial.status, reason: reason, timestampMilliseconds: timestamp))
    }

    func resetReceived(stream: Int32, _ code: HTTP2ErrorCode) { streamClosed(stream, code) }

    func streamClosed(_ stream: Int32, _ code: HTTP2ErrorCode) {
        // Mostly answered by now. Otherwise the library has closed it: what never left may be sent again.
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
        // An error of one stream has ended that stream alone; its end or a time-out completes its request.
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
    /// Writes bytes unless there would be more than a number of them.
    fileprivate mutating func writeBytes(_ bytes: UnsafeRawBufferPointer, upTo count: Int) {
        if readableBytes + bytes.count <= count { writeBytes(bytes) }
    }
}
