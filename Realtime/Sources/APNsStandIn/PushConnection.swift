import HTTP2
import LoadGenerator
import NIOCore
import NIOSSL
import Wire

/// One provider's connection: its requests, from their heads to their answers.
///
/// There is no channel per stream. A request is a head and a short body, so the state of a stream is a value in a
/// table, and an answer is written as soon as it is known. Output written while bytes are read is sent once, at the
/// end.
final class PushConnection {
    let shard: LoopShard
    /// The number of the connection, from 0.
    let number: Int
    let authentication: PushRules.Authentication
    /// The error in the provider's certificate, if any.
    let certificateRefusal: APNsResponseReason?
    /// The rules for all providers, and those of this provider's key.
    var rules: PushRules
    var provider = ProviderConnection()
    var allowance: StreamAllowance
    /// The last token and its claims, which nearly always serve the next request too.
    var lastAuthorization = ""
    var lastClaims: Result<ProviderClaims, APNsResponseReason>?
    /// The HTTP/2 connection; `nil` before it is set up and after it is closed.
    private(set) var http2: HTTP2Connection?

    /// The incoming head, without checks of exclusive access for each field: the functions that read fields call
    /// nothing here.
    @exclusivity(unchecked) var head = RequestFields()
    /// The size of the head, as HPACK counts it [bytes].
    var headBytes = 0
    /// All fields of the head, if requests are logged.
    @exclusivity(unchecked) var headFields: [(name: String, value: String)] = []
    /// The kind of the last push, which is nearly always that of the next one too.
    var lastKind: (variant: Int, kind: PushKind)?
    /// Requests that are still arriving.
    var incoming = IncomingRequests()
    /// Streams with a pending answer.
    var awaited: Set<Int32> = []
    /// Streams that had a pending answer when the connection was lost.
    private(set) var lost: Set<Int32> = []
    /// Sends GOAWAY at the maximum age of the connection.
    private var farewell: Scheduled<Void>?
    /// `true` if any of its requests has waited for APNs' servers.
    var hasQueued = false
    /// The phone link, if this connection carries it.
    var link: (stream: Int32, phones: PhoneSession)?
    /// The fields of an answer; reused for each one.
    var responseFields = HTTP2Fields()
    /// The fields of an acceptance, whose first one is constant.
    var acceptance = HTTP2Fields()

    var highestStream: Int32 = 0
    /// The number of requests whose head has arrived.
    var requests = 0
    private var loop: (any EventLoop)?
    var unwritableSince: NIODeadline?
    var lastRequest: NIODeadline
    var errors = 0
    private var patience: RepeatedTask?
    /// The last stream to process, once the connection is ending.
    private(set) var lastStream: Int32?
    /// `true` if the provider has sent any HTTP/2 frame.
    private var hasSpoken = false
    var isListedForFlush = false

    /// - Parameters:
    ///   - number: The number of the connection, from 0.
    ///   - certificate: The provider's certificate; `nil` for a provider with tokens.
    init(shard: LoopShard, number: Int, certificate: ProviderCertificate?) {
        self.shard = shard
        self.number = number
        lastRequest = shard.clock.now
        authentication = certificate == nil ? .token : .certificate
        certificateRefusal = certificate?
            .refusal(isDevelopment: shard.configuration.isDevelopment, at: WallClock.seconds)
        rules = shard.rules
        acceptance.add(":status", "200")
        allowance = StreamAllowance(
            most: shard.configuration.streams,
            isKnown: certificate != nil && certificateRefusal == nil,
            shrinks: shard.configuration.shrinksStreams
        )
    }

    /// The initial settings; SETTINGS as observed at Apple (jchambers/pushy#878).
    var http2Configuration: HTTP2Configuration {
        let isKnown = authentication == .certificate && certificateRefusal == nil
        let streams = isKnown ? shard.configuration.streams : 1
        var configuration = HTTP2Configuration(
            role: .server,
            settings: [
                .headerTable(4096), .streams(Int(streams)), .streamWindow(65_535), .frame(16_384),
                .head(PushConnection.largestHead),
            ]
        )
        configuration.resetLimit = FloodLimit(shard.configuration.mostResets, in: PushConnection.resetSpan)
        return configuration
    }

    /// The maximum size of a head, as HPACK counts it [bytes].
    ///
    /// A longer one is reset, which counts as a reset of this side. A head of more than ten times that size ends the
    /// connection while it is decoded.
    static var largestHead: Int { 8000 }
    /// The time within which a provider may reset no more streams than its limit.
    private static var resetSpan: TimeAmount { .seconds(30) }

    /// Sends pending output.
    func flush() {
        isListedForFlush = false
        http2?.flush()
    }

    /// Ends the connection with a reason; requests that have arrived still get an answer.
    func goAway(_ reason: APNsResponseReason?) {
        guard let loop, announceEnd(after: highestStream, reason) else { return }
        closeWhenAnswered(by: shard.clock.now + .seconds(shard.configuration.patienceSeconds), on: loop)
    }

    /// Drops the connection with its requests: those without an answer count as not processed.
    ///
    /// A phone link is kept, because it is not a provider's.
    func lose() {
        guard link == nil else { return }
        // GOAWAY closes their streams, which the provider did not cause.
        lost = awaited
        let unanswered = [awaited.min(), incoming.lowestStream].compactMap { $0 }.min()
        if hasQueued { shard.serverQueue?.connectionLost(ObjectIdentifier(self)) }
        announceEnd(after: unanswered.map { max(0, $0 - 2) } ?? highestStream, nil)
        http2?.close()
    }

    /// Sends GOAWAY with the last stream to process; returns `false` if it has been sent before.
    @discardableResult
    private func announceEnd(after stream: Int32, _ reason: APNsResponseReason?) -> Bool {
        guard lastStream == nil, let http2 else { return false }
        lastStream = stream
        shard.tally.goAways += 1
        http2.goAway(lastStream: stream, note: reason.map { shard.responses.body($0, since: nil) })
        http2.flush()
        return true
    }

    /// Closes after a delay: a provider that is still sending would lose the answers with the connection.
    private func closeWhenAnswered(by limit: NIODeadline, on loop: any EventLoop) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: .milliseconds(500)) {
            let connection = bound.value
            let isAnswered = connection.awaited.isEmpty && connection.incoming.isEmpty
            if isAnswered || connection.shard.clock.now >= limit {
                connection.http2?.close()
            } else {
                connection.closeWhenAnswered(by: limit, on: loop)
            }
        }
    }

    // MARK: - Upkeep

    func forget(_ stream: Int32) {
        incoming.remove(stream: stream)
        if !awaited.isEmpty { awaited.remove(stream) }
        if link?.stream == stream {
            link?.phones.closed()
            link = nil
        }
    }

    /// Ends requests and connections that take too long.
    private func checkPatience(at now: NIODeadline) {
        guard let http2 else { return }
        let patience = TimeAmount.seconds(shard.configuration.patienceSeconds)
        if let unwritableSince, now - unwritableSince > patience {
            shard.tally.streamsTimedOut += 1
            http2.close()
            return
        }
        for stream in incoming.remove(before: now - patience) {
            shard.tally.streamsTimedOut += 1
            http2.reset(stream: stream, .cancel)
        }
        http2.flush()
        // A provider that only connects occupies the place of another.
        let idle = hasSpoken ? .seconds(shard.configuration.idleSeconds) : patience
        if link == nil, now - lastRequest > idle { goAway(.wire(.idleTimeout)) }
    }
}

extension PushConnection: HTTP2Peer {
    func connected(_ connection: HTTP2Connection, on loop: any EventLoop) {
        http2 = connection
        self.loop = loop
        shard.opened(self)
        let bound = NIOLoopBound(self, eventLoop: loop)
        let every = TimeAmount.seconds(max(1, min(5, shard.configuration.patienceSeconds / 3)))
        patience = loop.scheduleRepeatedTask(initialDelay: every, delay: every) { _ in
            bound.value.checkPatience(at: bound.value.shard.clock.now)
        }
        if let span = shard.configuration.goAwayEvery {
            farewell = loop.scheduleTask(in: span) { bound.value.goAwayByAge() }
        }
    }

    /// Sends GOAWAY because of the connection's age; a phone link is kept.
    private func goAwayByAge() { if link == nil { goAway(nil) } }

    func disconnected() {
        guard http2 != nil else { return }
        http2 = nil
        shard.closed(self)
        patience?.cancel()
        farewell?.cancel()
        incoming = IncomingRequests()
        lost.formUnion(awaited)
        awaited.removeAll()
        link?.phones.closed()
        link = nil
    }

    func readCompleted() { shard.endTurn() }

    func writabilityChanged(isWritable: Bool) { unwritableSince = isWritable ? nil : shard.clock.now }

    func resetReceived(stream: Int32, _ code: HTTP2ErrorCode) { shard.tally.streamsReset += 1 }

    func streamClosed(_ stream: Int32, _ code: HTTP2ErrorCode) {
        if code != .noError || link?.stream == stream { forget(stream) }
    }

    func settingsReceived(streamLimit: Int?) { hasSpoken = true }

    func failed(_ error: any Error) {
        // Many clients close without a shutdown.
        if let error = error as? NIOSSLError, case .uncleanShutdown = error { return }
        shard.tally.protocolErrors += 1
    }
}
