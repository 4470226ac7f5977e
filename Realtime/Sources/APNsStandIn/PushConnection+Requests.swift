import FreshnessCore
import HTTP2
import LiveActivityModel
import LoadGenerator
import NIOCore
import Servers
import Wire

/// Incoming requests: heads are checked when they are complete, requests when their bodies are.
extension PushConnection {
    func headBegan(stream: Int32) {
        head.begin()
        headBytes = 0
        headFields.removeAll(keepingCapacity: true)
    }

    func fieldReceived(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        headBytes += name.count + value.count + 32
        // A head that is too large is not kept.
        guard headBytes <= PushConnection.largestHead else { return }
        head.take(name: name, value: value)
        if shard.log != nil {
            headFields.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
    }

    func headEnded(stream: Int32, isLast: Bool) {
        if stream <= highestStream {
            // Trailers, which are ignored.
            if isLast { bodyEnded(stream: stream) }
            return
        }
        highestStream = stream
        // Excluded by GOAWAY: the provider will send it again on another connection.
        if let lastStream, stream > lastStream { return }
        shard.tally.requests += 1
        countRequest()
        guard headBytes <= PushConnection.largestHead else {
            shard.tally.protocolErrors += 1
            http2?.reset(stream: stream, .enhanceYourCalm)
            return
        }
        if head.path == PhonesLine.path {
            receiveLink(stream, head)
            return
        }
        let loggedHead = shard.log == nil ? nil : LoggedHead(headFields)
        let request = IncomingRequest(judge(head), at: shard.clock.now, loggedHead: loggedHead) { [shard] in
            shard.outbox.wantsPayload(of: $0)
        }
        if isLast {
            complete(stream, request)
            return
        }
        incoming.insert(request, stream: stream)
    }

    /// Counts a request, and sends GOAWAY at the limit of requests per connection.
    private func countRequest() {
        requests += 1
        if requests == shard.configuration.goAwayAfter, link == nil, head.path != PhonesLine.path { goAway(nil) }
    }

    func bodyReceived(_ bytes: UnsafeRawBufferPointer, stream: Int32) {
        http2?.consumed(bytes.count, stream: stream)
        if let count = incoming.take(bytes, stream: stream) {
            limit(count, stream)
        } else if link?.stream == stream {
            link?.phones.receive(bytes)
        }
    }

    func bodyEnded(stream: Int32) {
        if let request = incoming.remove(stream: stream) {
            complete(stream, request)
        } else if link?.stream == stream {
            link?.phones.finish()
        }
    }

    /// Reads and discards part of a body that is much too large, because most clients read their 413 only after sending
    /// everything.
    ///
    /// Then responds anyway and ignores the rest.
    private func limit(_ bodyBytes: Int, _ stream: Int32) {
        if bodyBytes > PushConnection.mostDiscarded { bodyEnded(stream: stream) }
    }

    /// The maximum amount to discard per body [bytes].
    private static var mostDiscarded: Int { 1 << 20 }

    private func judge(_ fields: RequestFields) -> IncomingRequest.Verdict {
        func refused(_ reason: APNsResponseReason) -> IncomingRequest.Verdict {
            .refused(reason, fields.id.flatMap { RequestID(canonical: $0.utf8) })
        }
        let target = RequestTarget(method: fields.method, path: fields.path)
        if case .refused(let reason) = target { return refused(reason) }
        if fields.hasDuplicates { return refused(.wire(.duplicateHeaders)) }
        if let reason = authenticate(fields.authorization) { return refused(reason) }
        guard case .device(let token) = target else {
            // The rules of channels also decide whom the stand-in serves at all.
            let topics = provider.current?.topics ?? []
            let isForeign = target.bundleID.map { !topics.isEmpty && !topics.contains(String($0)) } ?? false
            return isForeign ? refused(.push(.topicDisallowed)) : .channels(target, fields)
        }
        let variant = fields.variant
        let known = lastKind.flatMap { $0.variant == variant ? $0.kind : nil }
        switch rules.judge(fields, token: token, authentication: authentication, known: known) {
        case .accepted(let push):
            if known == nil { lastKind = (variant, push.kind) }
            return .push(push, token: token)
        case .refused(let reason):
            return refused(reason)
        }
    }

    /// Checks the provider's token; returns `nil` if it is valid.
    private func authenticate(_ authorization: String?) -> APNsResponseReason? {
        guard authentication == .token else { return certificateRefusal }
        guard let authorization else { return .wire(.missingProviderToken) }
        let result: Result<ProviderClaims, APNsResponseReason>
        if let lastClaims, authorization == lastAuthorization {
            result = lastClaims
        } else {
            result = shard.tokens.read(authorization)
            lastAuthorization = authorization
            lastClaims = result
        }
        switch result {
        case .failure(let reason):
            return reason
        case .success(let claims):
            let isFirst = provider.current == nil
            if let reason = provider.presented(claims, at: WallClock.seconds) { return reason }
            if isFirst, !claims.topics.isEmpty { rules = PushRules(bundleIDs: claims.topics.sorted()) }
            if let streams = allowance.authenticated() { tell(streams: streams) }
            return nil
        }
    }

    /// Handles a complete request.
    private func complete(_ stream: Int32, _ request: IncomingRequest) {
        let now = shard.clock.now
        lastRequest = now
        shard.tally.bodyBytes += request.bodyBytes
        let id = request.id.map { ResponseID.own($0) } ?? .made(shard.newIDs.next())
        let logged = request.loggedHead.flatMap { head in
            shard.log?
                .received(
                    LoggedRequest(
                        time: WallClock.microseconds,
                        head: head,
                        id: id,
                        bodyBytes: request.bodyBytes,
                        payload: request.body
                    )
                )
        }
        switch request.verdict {
        case .refused(let reason, _):
            refuse(stream: stream, reason, id: id, since: nil, logged: logged)
        case .push(let push, let token):
            if let reason = PushRules.judge(bodyBytes: request.bodyBytes, largest: push.kind.type.largestPayload) {
                refuse(stream: stream, reason, id: id, since: nil, logged: logged)
                return
            }
            let pending = PendingPush(
                push,
                id: id,
                token: token,
                bytes: request.bodyBytes,
                payload: request.body,
                logged: logged
            )
            shard.submit(pending, for: .connection(self, stream: stream), at: now)
        case .channels(let target, let fields):
            completeChannels(stream, target, fields, request, id, logged)
        }
    }

    private func completeChannels(
        _ stream: Int32,
        _ target: RequestTarget,
        _ fields: RequestFields,
        _ request: IncomingRequest,
        _ id: ResponseID,
        _ logged: RequestLog.Number?
    ) {
        let answer = shard.channels.answer(target, fields, body: request.body, bodyBytes: request.bodyBytes)
        switch answer {
        case .publishes(let publication):
            let pending = PendingPush(
                publication,
                id: id,
                bytes: request.bodyBytes,
                payload: shard.outbox.wantsPayload(of: .liveActivity) ? request.body : nil,
                logged: logged
            )
            shard.submit(pending, for: .connection(self, stream: stream), at: shard.clock.now)
        case .refused(let reason):
            refuse(stream: stream, reason, id: id, since: nil, idField: .channels, logged: logged)
        case .done(let status, let channelID, let body):
            shard.tally.accepted += 1
            responseFields.truncate(to: 0)
            responseFields.add(":status", String(status))
            responseFields.add("apns-request-id", id)
            if let channelID { responseFields.add("apns-channel-id", channelID, isIndexed: false) }
            if body != nil { responseFields.add("content-type", "application/json") }
            http2?.respond(responseFields, body: body, stream: stream)
            if let logged {
                shard.log?.answered(logged, status: status)
                shard.log?.settled(logged, nil)
            }
        }
    }

    private func receiveLink(_ stream: Int32, _ fields: RequestFields) {
        let secret = shard.configuration.phoneSecret.map { Secret("bearer " + $0) }
        guard fields.method == "POST", secret?.isSame(as: fields.authorization ?? "") ?? true, link == nil else {
            refuse(stream: stream, .push(.forbidden), id: .made(shard.newIDs.next()), since: nil)
            return
        }
        responseFields.truncate(to: 0)
        responseFields.add(":status", "200")
        http2?.respondWithOpenBody(responseFields, stream: stream)
        link = (stream, PhoneSession(connection: self, shard: shard))
    }
}
