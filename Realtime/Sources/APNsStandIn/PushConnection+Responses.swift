import FreshnessCore
import HTTP2
import LoadGenerator
import NIOCore
import Wire

/// Outgoing answers.
extension PushConnection {
    /// Records that the answer to a request is pending.
    func awaits(stream: Int32) { awaited.insert(stream) }

    /// Returns `true` if the provider still waits for an answer; may be called once.
    func isAwaited(stream: Int32) -> Bool { awaited.remove(stream) != nil }

    /// Accepts a push; returns `false` if the connection is closed.
    @discardableResult
    func accept(stream: Int32, id: ResponseID, _ idField: IncomingRequest.IDField = .push) -> Bool {
        guard let http2 else { return false }
        shard.tally.accepted += 1
        acceptance.truncate(to: 1)
        acceptance.add(idField.name, id)
        // In lowercase, as observed.
        if shard.configuration.isDevelopment, idField == .push { acceptance.add("apns-unique-id", shard.newIDs.next()) }
        http2.respond(acceptance, body: nil, stream: stream)
        if let streams = allowance.accepted() { tell(streams: streams) }
        return true
    }

    /// Rejects a request.
    func refuse(
        stream: Int32,
        _ reason: APNsResponseReason,
        id: ResponseID,
        since: Int64?,
        idField: IncomingRequest.IDField = .push,
        logged: RequestLog.Number? = nil
    ) {
        if let logged { shard.log?.answered(logged, status: reason.status, reason: reason) }
        guard let http2 else { return }
        shard.tally.count(reason)
        responseFields.truncate(to: 0)
        responseFields.add(":status", shard.responses.status(reason))
        responseFields.add(idField.name, id)
        responseFields.add("content-type", "application/json")
        http2.respond(responseFields, body: shard.responses.body(reason, since: since), stream: stream)
        guard reason.isProviderError else { return }
        if let streams = allowance.refused() { tell(streams: streams) }
        errors += reason == .push(.badDeviceToken) ? 2 : 1
        if let most = shard.configuration.mostErrors, errors > most { goAway(reason) }
    }

    func tell(streams: UInt32) {
        shard.tally.settingsChanges += 1
        http2?.submit(streamLimit: Int(streams))
    }

    /// Writes a piece of the phone link's response; returns the backlog [bytes].
    @discardableResult
    func writeLink(_ bytes: ByteBuffer, isLast: Bool) -> Int {
        guard let link, let http2 else { return 0 }
        http2.append(bytes, isLast: isLast, stream: link.stream)
        return http2.waitingBytes(stream: link.stream)
    }

    /// Ends a phone link whose phones do not read.
    func resetLink() { if let link { http2?.reset(stream: link.stream, .cancel) } }
}

/// Prepared bodies and statuses of rejections.
struct Responses {
    private let bodies = APNsResponseReason.allCases.map { ByteBuffer(string: RefusalBody.text($0)) }
    private let statuses = APNsResponseReason.allCases.map { String($0.status) }

    /// The status as a field's value.
    func status(_ reason: APNsResponseReason) -> String { statuses[reason.place] }

    /// Returns the body of a rejection; for a 410 it has the time since which the token is invalid [UNIX ms].
    func body(_ reason: APNsResponseReason, since milliseconds: Int64?) -> ByteBuffer {
        guard reason.status == 410, let milliseconds else { return bodies[reason.place] }
        return ByteBuffer(string: RefusalBody.text(reason, timestampMilliseconds: milliseconds))
    }
}
