import APNsProtocol
import FreshnessCore
import LiveActivityModel
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOSSL

/// One provider's connection, in frames.
///
/// There is no channel per stream: a request is a head and a short body, so the state of a stream is a value in a table, and
/// a response is written as soon as it is known. What is written while bytes are read is flushed once, at the end.
final class PushConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let shard: LoopShard
    private let authentication: PushRules.Authentication
    private var provider = ProviderConnection()
    private var allowance: StreamAllowance
    /// The last token, and what it said: nearly always that of the next request too.
    private var lastAuthorization = ""
    private var lastClaims: Result<ProviderClaims, ProviderTokenReader.Refusal>?
    private var context: ChannelHandlerContext?

    /// Requests that are still coming in.
    private var incoming: [HTTP2StreamID: IncomingRequest] = [:]
    /// The one whose head came last: most bodies follow their heads at once, and then need no table.
    private var latest: (id: HTTP2StreamID, request: IncomingRequest)?
    /// Streams whose response comes later.
    private var awaited: Set<Int> = []
    /// The phone link, if this connection carries it.
    private var link: (id: HTTP2StreamID, phones: PhoneLink)?

    private var highestStream = HTTP2StreamID.rootStream
    private var unacknowledged = 0
    private var wroteFrames = false
    private var isReadSuspended = false
    private var unwritableSince: NIODeadline?
    private var lastRequest = NIODeadline.now()
    private var errors = 0
    private var patience: RepeatedTask?
    private var isGoingAway = false
    var isListedForFlush = false

    init(shard: LoopShard, hasCertificate: Bool) {
        self.shard = shard
        authentication = hasCertificate ? .certificate : .token
        allowance = StreamAllowance(
            most: shard.configuration.streams,
            isKnown: hasCertificate,
            shrinks: shard.configuration.shrinksStreams
        )
    }

    /// The settings that the connection begins with, as seen at Apple (jchambers/pushy#878).
    static func initialSettings(streams: UInt32) -> HTTP2Settings {
        [
            HTTP2Setting(parameter: .headerTableSize, value: 4096),
            HTTP2Setting(parameter: .maxConcurrentStreams, value: Int(streams)),
            HTTP2Setting(parameter: .initialWindowSize, value: 65_535),
            HTTP2Setting(parameter: .maxFrameSize, value: 16_384),
            HTTP2Setting(parameter: .maxHeaderListSize, value: largestHead),
        ]
    }

    // MARK: - The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        shard.opened(self)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let every = TimeAmount.seconds(max(1, min(5, shard.configuration.patienceSeconds / 3)))
        patience = context.eventLoop.scheduleRepeatedTask(initialDelay: every, delay: every) { _ in
            bound.value.checkPatience(at: .now())
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        shard.closed(self)
        patience?.cancel()
        incoming.removeAll()
        latest = nil
        awaited.removeAll()
        link?.phones.closed()
        link = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let headers):
            receiveHead(frame.streamID, headers)
        case .data(let data):
            receiveBody(frame.streamID, data)
        case .rstStream:
            shard.tally.streamsReset += 1
            forget(frame.streamID)
        default:
            break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        returnWindow()
        flush()
        shard.endTurn()
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            unwritableSince = nil
            if isReadSuspended {
                isReadSuspended = false
                context.read()
            }
        } else {
            unwritableSince = .now()
        }
        context.fireChannelWritabilityChanged()
    }

    /// Who does not read responses is not read from: that bounds what waits for it here.
    func read(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            context.read()
        } else {
            isReadSuspended = true
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let closed = event as? StreamClosedEvent, closed.reason != nil {
            forget(closed.streamID)
        } else if event as? ChannelEvent == .inputClosed {
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? NIOSSLError, case .uncleanShutdown = error {
            // Many clients just hang up.
            context.close(promise: nil)
            return
        }
        shard.tally.protocolErrors += 1
        if let error = error as? NIOHTTP2Errors.StreamError {
            forget(error.streamID)
            write(error.streamID, .rstStream(.protocolError))
            flush()
        } else {
            context.close(promise: nil)
        }
    }

    // MARK: - Requests

    private func receiveHead(_ id: HTTP2StreamID, _ head: HTTP2Frame.FramePayload.Headers) {
        if id <= highestStream {
            // Trailers, which mean nothing here.
            if head.endStream { finish(id) }
            return
        }
        highestStream = id
        shard.tally.requests += 1
        var fields = RequestFields()
        var size = 0
        for (name, value, _) in head.headers {
            fields.take(name: name, value: value)
            size += name.utf8.count + value.utf8.count + 32
        }
        // NIO refuses 16 KB and more, and less only once the provider has acknowledged our settings.
        guard size <= PushConnection.largestHead else {
            shard.tally.protocolErrors += 1
            write(id, .rstStream(.enhanceYourCalm))
            return
        }
        if fields.path == PhoneLink.path {
            receiveLink(id, fields)
            return
        }
        let request = IncomingRequest(judge(fields), fields, at: .now())
        if head.endStream {
            complete(id, request)
            return
        }
        if let latest {
            incoming[latest.id] = latest.request
        }
        latest = (id, request)
    }

    private func judge(_ fields: RequestFields) -> IncomingRequest.Verdict {
        let target = RequestTarget(method: fields.method, path: fields.path)
        if case .refused(let reason) = target { return .refused(reason) }
        if fields.hasDuplicates { return .refused(.duplicateHeaders) }
        if let reason = authenticate(fields.authorization) { return .refused(reason) }
        guard case .device(let token) = target else { return .channels(target, fields) }
        switch shard.rules.judge(fields, token: token, authentication: authentication) {
        case .accepted(let push): return .push(push, token: token)
        case .refused(let reason): return .refused(reason)
        }
    }

    /// Judges the provider's token; nil when it will do.
    private func authenticate(_ authorization: String?) -> APNsResponseReason? {
        guard authentication == .token else { return nil }
        guard let authorization else { return .missingProviderToken }
        let result: Result<ProviderClaims, ProviderTokenReader.Refusal>
        if let lastClaims, authorization == lastAuthorization {
            result = lastClaims
        } else {
            result = shard.tokens.read(authorization)
            lastAuthorization = authorization
            lastClaims = result
        }
        switch result {
        case .failure(let refusal):
            return refusal.reason
        case .success(let claims):
            if let reason = provider.presented(claims, at: Wall.seconds()) { return reason }
            if let streams = allowance.authenticated() { tell(streams: streams) }
            return nil
        }
    }

    private func receiveBody(_ id: HTTP2StreamID, _ data: HTTP2Frame.FramePayload.Data) {
        unacknowledged += data.data.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0)
        guard case .byteBuffer(let bytes) = data.data else { return }
        let bodyBytes: Int
        if latest?.id == id {
            latest?.request.take(bytes)
            bodyBytes = latest?.request.bodyBytes ?? 0
        } else if incoming[id] != nil {
            incoming[id]?.take(bytes)
            bodyBytes = incoming[id]?.bodyBytes ?? 0
        } else {
            if link?.id == id { link?.phones.receive(bytes, isLast: data.endStream) }
            return
        }
        if !data.endStream, bodyBytes > PushConnection.freeBody {
            receiveMore(id, bytes.readableBytes, of: bodyBytes)
            return
        }
        if data.endStream { finish(id) }
    }

    /// A body is much too large: the rest is read and thrown away for a while, as most clients listen for their 413 only when
    /// they have sent all; then it is answered all the same, and nothing more is read.
    private func receiveMore(_ id: HTTP2StreamID, _ bytes: Int, of bodyBytes: Int) {
        if bodyBytes <= PushConnection.mostDiscarded {
            write(id, .windowUpdate(windowSizeIncrement: bytes))
        } else {
            finish(id)
            // A reset drops what is not flushed.
            flush()
            write(id, .rstStream(.noError))
        }
    }

    /// The most bytes of a head, as HPACK counts them.
    private static var largestHead: Int { 8000 }
    /// What comes of a body without the stream's window being opened again [bytes].
    private static var freeBody: Int { 32_768 }
    private static var mostDiscarded: Int { 1 << 20 }

    private func finish(_ id: HTTP2StreamID) {
        if let latest, latest.id == id {
            self.latest = nil
            complete(id, latest.request)
        } else if let request = incoming.removeValue(forKey: id) {
            complete(id, request)
        }
    }

    /// A request is all here.
    private func complete(_ id: HTTP2StreamID, _ request: IncomingRequest) {
        let stream = Int(id)
        let now = NIODeadline.now()
        lastRequest = now
        shard.tally.bodyBytes += request.bodyBytes
        switch request.verdict {
        case .refused(let reason):
            refuse(stream: stream, reason, id: request.answerID, since: nil, idField: request.idField)
        case .push(let push, let token):
            if let reason = PushRules.judge(bodyBytes: request.bodyBytes, largest: push.type.largestPayload) {
                refuse(stream: stream, reason, id: request.answerID, since: nil)
                return
            }
            let id = push.id ?? RequestID.random()
            shard.submit(
                PendingPush(
                    id: request.id ?? id.canonical,
                    token: token,
                    device: push.token,
                    type: push.type,
                    priority: push.priority,
                    request: APNsConduct.Request(
                        ride: id.ride,
                        drawIndex: id.drawIndex,
                        tokenNumber: push.token.number,
                        priority: push.priority == 10 ? .immediate : .considerate,
                        bytes: request.bodyBytes
                    ),
                    payload: shard.outbox.wantsPayload(of: push.type) ? request.body : nil
                ),
                for: .connection(self, stream: stream),
                at: now
            )
        case .channels(let target, let fields):
            completeChannels(id, target, fields, request)
        }
    }

    private func completeChannels(
        _ id: HTTP2StreamID,
        _ target: RequestTarget,
        _ fields: RequestFields,
        _ request: IncomingRequest
    ) {
        let answer = shard.channels.answer(target, fields, body: request.body, bodyBytes: request.bodyBytes)
        switch answer {
        case .refused(let reason):
            refuse(stream: Int(id), reason, id: request.answerID, since: nil, idField: "apns-request-id")
        case .done(let status, let channelID, let body):
            shard.tally.accepted += 1
            var headers = HPACKHeaders([(":status", String(status)), ("apns-request-id", request.answerID)])
            if let channelID { headers.add(name: "apns-channel-id", value: channelID) }
            if body != nil { headers.add(name: "content-type", value: "application/json") }
            write(id, .headers(.init(headers: headers, endStream: body == nil)))
            if let body { write(id, .data(.init(data: .byteBuffer(body), endStream: true))) }
        }
    }

    private func receiveLink(_ id: HTTP2StreamID, _ fields: RequestFields) {
        let secret = shard.configuration.phoneSecret
        guard fields.method == "POST", secret == nil || fields.authorization == "bearer \(secret ?? "")", link == nil
        else {
            refuse(stream: Int(id), .forbidden, id: RequestID.random().canonical, since: nil)
            return
        }
        write(id, .headers(.init(headers: HPACKHeaders([(":status", "200")]))))
        flush()
        link = (id, PhoneLink(connection: self, shard: shard))
    }

    // MARK: - Responses

    /// The response to a request comes later.
    func awaits(stream: Int) {
        awaited.insert(stream)
    }

    /// Whether anybody still waits for a response.
    func isAwaited(stream: Int) -> Bool {
        awaited.remove(stream) != nil
    }

    /// Accepts a push.
    ///
    /// - Returns: Whether there was anybody to tell.
    @discardableResult
    func accept(stream: Int, id: String) -> Bool {
        guard context != nil else { return false }
        shard.tally.accepted += 1
        let uniqueID = shard.configuration.isDevelopment ? RequestID.random().canonical : nil
        let headers = shard.responses.acceptance(id: id, uniqueID: uniqueID)
        write(HTTP2StreamID(stream), .headers(.init(headers: headers, endStream: true)))
        if let streams = allowance.accepted() { tell(streams: streams) }
        return true
    }

    /// Refuses a request.
    func refuse(
        stream: Int,
        _ reason: APNsResponseReason,
        id: String,
        since: Int64?,
        idField: String = "apns-id"
    ) {
        guard context != nil else { return }
        shard.tally.count(reason)
        let headers = shard.responses.refusal(reason, id: id, idField: idField)
        let body = shard.responses.body(reason, since: since)
        let streamID = HTTP2StreamID(stream)
        write(streamID, .headers(.init(headers: headers)))
        write(streamID, .data(.init(data: .byteBuffer(body), endStream: true)))
        guard reason.isProviderError else { return }
        if let streams = allowance.refused() { tell(streams: streams) }
        errors += reason == .badDeviceToken ? 2 : 1
        if let most = shard.configuration.mostErrors, errors > most {
            goAway(reason)
        }
    }

    private func tell(streams: UInt32) {
        shard.tally.settingsChanges += 1
        let setting = HTTP2Setting(parameter: .maxConcurrentStreams, value: Int(streams))
        write(.rootStream, .settings(.settings([setting])))
    }

    /// Ends the connection, saying why; what has come in is still answered.
    func goAway(_ reason: APNsResponseReason?) {
        guard !isGoingAway, let context else { return }
        isGoingAway = true
        shard.tally.goAways += 1
        let data = reason.map { shard.responses.body($0, since: nil) }
        write(.rootStream, .goAway(lastStreamID: highestStream, errorCode: .noError, opaqueData: data))
        flush()
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(500)) { bound.value.close(promise: nil) }
    }

    /// Writes a piece of the phone link's response.
    func writeLink(_ bytes: ByteBuffer, isLast: Bool, promise: EventLoopPromise<Void>?) {
        guard let link, let context else {
            promise?.succeed()
            return
        }
        let frame = HTTP2Frame(streamID: link.id, payload: .data(.init(data: .byteBuffer(bytes), endStream: isLast)))
        context.write(wrapOutboundOut(frame), promise: promise)
        wroteFrames = true
    }

    /// Lets the sender of the phone link's lines go on.
    func returnLinkWindow(_ bytes: Int) {
        guard let link, bytes > 0 else { return }
        write(link.id, .windowUpdate(windowSizeIncrement: bytes))
    }

    private func write(_ id: HTTP2StreamID, _ payload: HTTP2Frame.FramePayload) {
        guard let context else { return }
        context.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: nil)
        wroteFrames = true
    }

    func flush() {
        isListedForFlush = false
        guard wroteFrames, let context else { return }
        wroteFrames = false
        context.flush()
    }

    // MARK: - Upkeep

    private func returnWindow() {
        guard unacknowledged >= 16_384 else { return }
        write(.rootStream, .windowUpdate(windowSizeIncrement: unacknowledged))
        unacknowledged = 0
    }

    private func forget(_ id: HTTP2StreamID) {
        if latest?.id == id { latest = nil }
        if !incoming.isEmpty { incoming[id] = nil }
        if !awaited.isEmpty { awaited.remove(Int(id)) }
        if link?.id == id {
            link?.phones.closed()
            link = nil
        }
    }

    /// Ends what takes too long.
    private func checkPatience(at now: NIODeadline) {
        guard let context else { return }
        let patience = TimeAmount.seconds(shard.configuration.patienceSeconds)
        if let unwritableSince, now - unwritableSince > patience {
            shard.tally.streamsTimedOut += 1
            context.close(promise: nil)
            return
        }
        if let latest {
            incoming[latest.id] = latest.request
            self.latest = nil
        }
        for (id, request) in incoming where now - request.since > patience {
            shard.tally.streamsTimedOut += 1
            incoming[id] = nil
            write(id, .rstStream(.cancel))
        }
        flush()
        let isIdle = link == nil && now - lastRequest > .seconds(shard.configuration.idleSeconds)
        if isIdle {
            goAway(.idleTimeout)
        }
    }
}
