import HTTP2
import LoadGenerator
import NIOCore
import NIOSSL
import Wire

/// One provider's connection: its requests, from their heads to their responses.
///
/// There is no channel per stream: a request is a head and a short body, so the state of a stream is a value in a table, and
/// a response is written as soon as it is known. What is written while bytes are read is sent once, at the end.
final class PushConnection {
    let shard: LoopShard
    /// Its number among all connections, from 0.
    let number: Int
    let authentication: PushRules.Authentication
    /// What is wrong with the provider's certificate.
    let certificateRefusal: APNsResponseReason?
    /// The rules for all providers, and those of the provider's key.
    var rules: PushRules
    var provider = ProviderConnection()
    var allowance: StreamAllowance
    /// The last token, and what it said: nearly always that of the next request too.
    var lastAuthorization = ""
    var lastClaims: Result<ProviderClaims, APNsResponseReason>?
    /// Nil before there is a connection and after it.
    private(set) var http2: HTTP2Connection?

    /// The head that comes in now, without checks of exclusive access for each field: what takes fields calls nothing here.
    @exclusivity(unchecked) var head = RequestFields()
    /// Its size as HPACK counts it [bytes].
    var headBytes = 0
    /// All its fields, where requests are logged.
    @exclusivity(unchecked) var headFields: [(name: String, value: String)] = []
    /// What the last push asked for: nearly always what the next one asks for too.
    var lastKind: (variant: Int, kind: PushKind)?
    /// Requests that are still coming in.
    var incoming = IncomingRequests()
    /// Streams whose response comes later.
    var awaited: Set<Int32> = []
    /// Those that waited for a response when the connection was lost.
    private(set) var lost: Set<Int32> = []
    /// Sends GOAWAY when the connection is old.
    private var farewell: Scheduled<Void>?
    /// Whether any of its requests has waited for APNs' servers.
    var hasQueued = false
    /// The phone link, if this connection carries it.
    var link: (stream: Int32, phones: PhoneSession)?
    /// What a head, and each later one, is written into.
    var responseFields = HTTP2Fields()
    /// The same for acceptances, whose first field stays.
    var acceptance = HTTP2Fields()

    var highestStream: Int32 = 0
    /// The number of requests whose head has come.
    var requests = 0
    private var loop: (any EventLoop)?
    var unwritableSince: NIODeadline?
    var lastRequest: NIODeadline
    var errors = 0
    private var patience: RepeatedTask?
    /// The last stream that is acted on, once the connection ends.
    private(set) var lastStream: Int32?
    /// Whether the provider has said anything in HTTP/2.
    private var hasSpoken = false
    var isListedForFlush = false

    /// - Parameters:
    ///   - number: Its number among all connections, from 0.
    ///   - certificate: The provider's; nil for a provider with tokens.
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

    /// How the connection begins; its SETTINGS are as seen at Apple (jchambers/pushy#878).
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

    /// The most bytes of a head, as HPACK counts them.
    ///
    /// A longer one is reset, which counts among the resets of this side; one
    /// of more than ten times as many ends the connection while it is decoded.
    static var largestHead: Int { 8000 }
    /// In what time a provider may give up no more streams than its limit.
    private static var resetSpan: TimeAmount { .seconds(30) }

    /// Sends what has been written.
    func flush() {
        isListedForFlush = false
        http2?.flush()
    }

    /// Ends the connection, saying why; what has come in is still answered.
    func goAway(_ reason: APNsResponseReason?) {
        guard let loop, announceEnd(after: highestStream, reason) else { return }
        closeWhenAnswered(by: shard.clock.now + .seconds(shard.configuration.patienceSeconds), on: loop)
    }

    /// Loses the connection with what it carries: what is not answered yet counts as not processed.
    ///
    /// A phones' line stays: it is no provider's.
    func lose() {
        guard link == nil else { return }
        // GOAWAY closes their streams, which is not the provider's doing.
        lost = awaited
        let unanswered = [awaited.min(), incoming.lowestStream].compactMap { $0 }.min()
        if hasQueued { shard.serverQueue?.connectionLost(ObjectIdentifier(self)) }
        announceEnd(after: unanswered.map { max(0, $0 - 2) } ?? highestStream, nil)
        http2?.close()
    }

    /// Sends GOAWAY with the last stream that is acted on; false where it has been sent before.
    @discardableResult
    private func announceEnd(after stream: Int32, _ reason: APNsResponseReason?) -> Bool {
        guard lastStream == nil, let http2 else { return false }
        lastStream = stream
        shard.tally.goAways += 1
        http2.goAway(lastStream: stream, note: reason.map { shard.responses.body($0, since: nil) })
        http2.flush()
        return true
    }

    /// Closes in a while: a provider that still sends would lose the words with the connection.
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

    /// Ends what takes too long.
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
        // A provider that only connects keeps a place from others.
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

    /// Sends GOAWAY because of the connection's age; a phones' line stays.
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
        // Many clients just hang up.
        if let error = error as? NIOSSLError, case .uncleanShutdown = error { return }
        shard.tally.protocolErrors += 1
    }
}
