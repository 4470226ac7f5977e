import Dispatch
import FreshnessCore
import LiveActivityModel
import LoadGenerator
import NIOCore
import Quantities
import Wire

/// The state of one thread of the stand-in, shared by its connections.
///
/// Each connection is on one event loop, and so is all state here: no locks. Events that concern all threads (the start
/// of a run, the end of a token) are sent to each.
final class LoopShard {
    let loop: any EventLoop
    let configuration: StandInConfiguration
    let rules: PushRules
    let tokens: ProviderTokenReader
    let responses = Responses()
    let channels: BroadcastChannels
    let phones: PhoneExchange
    /// The station that decides about requests.
    ///
    /// If requests wait for servers, the stations of the server queue keep the counts instead.
    let apns = APNsStation()
    /// The servers that requests wait for; `nil` if the capacity is unlimited.
    let serverQueue: ServerQueue?
    /// The log of requests; `nil` if they are not logged.
    let log: RequestLog?
    var tally = RequestCounts()
    var newIDs = NewRequestIDs()
    var clock: RunClock
    private var calendar = DueCalendar()
    private var armed: NIODeadline?
    /// The number of runs so far; a request that returns from an earlier one is obsolete.
    private(set) var runs = 0
    /// The times at which tokens of a phone link became invalid.
    private var deaths: [TokenDigest: Instant] = [:]
    /// The open connections.
    private var connections: [ObjectIdentifier: PushConnection] = [:]
    /// Connections with unflushed answers.
    private var unflushed: [PushConnection] = []
    private var isTurnEnding = false
    /// The output to the phones at the end of this turn.
    var outbox = PhoneOutbox()

    init(
        loop: any EventLoop,
        configuration: StandInConfiguration,
        channels: BroadcastChannels,
        phones: PhoneExchange,
        serverQueue: ServerQueue?,
        log: RequestLog?
    ) {
        self.loop = loop
        self.configuration = configuration
        self.channels = channels
        self.phones = phones
        self.serverQueue = serverQueue
        self.log = log
        rules = PushRules(bundleIDs: configuration.bundleIDs)
        tokens = ProviderTokenReader(
            keys: configuration.providerKeys,
            checksSignatures: configuration.checksSignatures,
            environment: configuration.isDevelopment ? .development : .production
        )
        clock = phones.clock
        outbox.mode = configuration.playsPhones ? .screens : .none
        scheduleLosses()
    }

    // MARK: - Connections

    func opened(_ connection: PushConnection) {
        tally.connectionsOpened += 1
        connections[ObjectIdentifier(connection)] = connection
    }

    func closed(_ connection: PushConnection) {
        tally.connectionsClosed += 1
        connections[ObjectIdentifier(connection)] = nil
        if connection.hasQueued { serverQueue?.connectionLost(ObjectIdentifier(connection)) }
    }

    /// Schedules the connection losses of the scenario for the run that starts now.
    private func scheduleLosses() {
        guard configuration.losesConnections, let rules = configuration.apns else { return }
        let (shard, run) = (NIOLoopBound(self, eventLoop: loop), runs)
        for (loss, instant) in rules.connectionLosses.enumerated() {
            clock.wall.schedule(clock.deadline(of: instant), loop) {
                guard shard.value.runs == run else { return }
                shard.value.loseConnections(by: loss, rules)
            }
        }
    }

    private func loseConnections(by loss: Int, _ rules: APNsRules) {
        for connection in connections.values where rules.loses(loss, connection: connection.number) {
            connection.lose()
        }
    }

    // MARK: - Requests

    /// Handles a push whose request satisfies all rules.
    func submit(_ push: consuming PendingPush, for asker: PushAsker, at now: NIODeadline) {
        let instant = clock.instant(at: now)
        push.request.tokenDeadSince = death(of: push, at: instant)
        guard let rules = configuration.apns else {
            if push.publication != nil {
                guard push.request.tokenDeadSince == .never else {
                    return refuse(asker, .push(.channelNotRegistered), push, since: nil)
                }
                accept(asker, push)
                sendOn(push, at: instant)
            } else {
                accept(asker, push)
                arrive(push, at: instant)
            }
            return
        }
        let reception = apns.received(push.request, rules, at: instant)
        switch reception {
        case .silence:
            tally.silenced += 1
            unanswered(push)
            void(push)
        case .queued:
            if let serverQueue { queue(push, for: asker, at: serverQueue, since: instant) }
        case .refused(_, after: let span):
            void(push)
            respond(asker, reception, push, after: span, at: now)
        case .accepted(after: let span, let passage):
            if let passage { follow(push, passage, for: asker, at: instant) }
            respond(asker, reception, push, after: span, at: now)
        }
    }

    private func respond(
        _ asker: PushAsker,
        _ reception: APNsStation.Reception,
        _ push: PendingPush,
        after span: TimeSpan,
        at now: NIODeadline
    ) {
        if span == .zero {
            respond(asker, reception, push, at: now)
        } else {
            if case .connection(let connection, let stream) = asker { connection.awaits(stream: stream) }
            schedule(.response(asker, reception, push), at: clock.deadline(after: span, from: now))
        }
    }

    // MARK: - Passage

    /// Returns the time since which a token is invalid; `never` for a valid token.
    private func death(of token: TokenDigest) -> Instant { deaths.isEmpty ? .never : deaths[token] ?? .never }

    /// Returns the time since which a push's token or channel is invalid; `never` for a valid one.
    func death(of push: PendingPush, at instant: Instant) -> Instant {
        guard let publication = push.publication else { return death(of: push.device) }
        return channels.exists(publication) ? .never : instant
    }

    func follow(_ push: PendingPush, _ passage: APNsStation.Passage, for asker: PushAsker, at instant: Instant) {
        guard push.publication == nil else { return sendOn(push, at: instant) }
        switch passage {
        case .lost:
            tally.lost += 1
            lose(push, "lost")
        case .deadToken:
            tally.deadToken += 1
            lose(push, "dead_token")
        case .arrives(let span):
            var due = instant + span
            if configuration.apns?.keepsOrder ?? false {
                due = phones.order.arrival(ofRide: push.device.ride, notBefore: due, at: instant)
            }
            if due <= instant {
                arrive(push, at: instant)
            } else {
                schedule(.arrival(asker, push), at: clock.deadline(of: due))
            }
        }
    }

    /// Sends a publication on to the phones that follow its channel, each with its own passage.
    private func sendOn(_ push: PendingPush, at instant: Instant) {
        guard let publication = push.publication else { return }
        tally.sentOn += 1
        if let logged = push.logged { log?.settled(logged, "sent_on") }
        guard outbox.mode != .none else { return }
        let followers = channels.followers(of: publication, linked: outbox.mode != .screens)
        outbox.sendOn(push.id, to: followers)
        let copies = Copies(push)
        for follower in followers {
            guard let rules = configuration.apns else {
                arrive(copies, at: follower, instant)
                continue
            }
            switch apns.passage(of: push.request.copy(toRide: follower.ride), rules, at: instant) {
            case .lost, .deadToken:
                tally.copiesLost += 1
                outbox.lose(copies, to: follower)
            case .arrives(let span):
                var due = instant + span
                if rules.channelsKeepOrder {
                    due = phones.order.arrival(ofRide: follower.ride, notBefore: due, at: instant)
                }
                if due <= instant {
                    arrive(copies, at: follower, instant)
                } else {
                    schedule(.copyArrival(copies, follower), at: clock.deadline(of: due))
                }
            }
        }
        endTurnSoon()
    }

    private func arrive(_ copies: Copies, at follower: BroadcastChannels.Follower, _ instant: Instant) {
        tally.copiesDelivered += 1
        outbox.add(copies, for: follower, at: instant)
    }

    private func respond(
        _ asker: PushAsker,
        _ reception: APNsStation.Reception,
        _ push: PendingPush,
        at now: NIODeadline
    ) {
        switch reception {
        case .silence, .queued:
            break
        case .refused(let reason, _):
            // The wall-clock time at which the token became invalid.
            let death = push.request.tokenDeadSince
            let age = clock.instant(at: now) - death
            let since =
                age < .zero
                ? nil : WallClock.microseconds / 1000 - Int64(Double(age.microseconds) / clock.speed / 1000)
            refuse(asker, .push(reason), push, since: since)
        case .accepted(let span, let passage):
            let hasAsker = accept(asker, push)
            guard passage == nil, let rules = configuration.apns else { return }
            // A sender that has already timed out does not receive the answer, whether or not it reset the stream.
            if hasAsker, rules.isHeard(after: span) {
                let instant = clock.instant(at: now)
                var request = push.request
                request.tokenDeadSince = death(of: push, at: instant)
                follow(push, apns.passage(of: request, rules, at: instant), for: asker, at: instant)
            } else {
                void(push)
            }
        }
    }

    /// Accepts a push; returns `false` if the connection is closed.
    @discardableResult
    private func accept(_ asker: PushAsker, _ push: PendingPush) -> Bool {
        switch asker {
        case .connection(let connection, let stream):
            guard connection.accept(stream: stream, id: push.responseID, push.idField) else {
                unanswered(push)
                return false
            }
        case .gateway:
            tally.accepted += 1
        }
        if let logged = push.logged { log?.answered(logged, status: 200) }
        return true
    }

    func refuse(_ asker: PushAsker, _ reason: APNsResponseReason, _ push: PendingPush, since: Int64?) {
        switch asker {
        case .connection(let connection, let stream):
            connection.refuse(
                stream: stream,
                reason,
                id: push.responseID,
                since: since,
                idField: push.idField,
                logged: push.logged
            )
        case .gateway(let delivery):
            if let logged = push.logged { log?.answered(logged, status: reason.status, reason: reason) }
            tally.count(reason)
            delivery.refused(reason)
        }
    }

    private func arrive(_ push: PendingPush, at instant: Instant) {
        tally.delivered += 1
        // Screens report the effects of the pushes that they process.
        if !outbox.add(push, at: instant), let logged = push.logged { log?.settled(logged, "delivered") }
    }

    /// Loses an accepted push, for a reason that the log records.
    private func lose(_ push: PendingPush, _ fate: String) {
        outbox.lose(push.id)
        if let logged = push.logged { log?.settled(logged, fate) }
    }

    /// Records a push that APNs never received.
    func void(_ push: PendingPush) {
        outbox.void(push.id)
        if let logged = push.logged { log?.settled(logged, nil) }
    }

    /// Records a request without an answer.
    func unanswered(_ push: PendingPush) { if let logged = push.logged { log?.unanswered(logged) } }

    // MARK: - Time

    func schedule(_ due: Due, at deadline: NIODeadline) {
        guard deadline < .distantFuture else { return }
        calendar.schedule(due, at: deadline)
        arm()
    }

    /// Keeps one timer for the earliest time; a timer that fires too early is harmless.
    private func arm() {
        guard let earliest = calendar.earliest, armed.map({ earliest < $0 }) ?? true else { return }
        armed = earliest
        let shard = NIOLoopBound(self, eventLoop: loop)
        clock.wall.schedule(earliest, loop) { shard.value.turn(armedFor: earliest) }
    }

    private func turn(armedFor deadline: NIODeadline) {
        guard armed == deadline else { return }
        armed = nil
        let now = clock.now
        while let due = calendar.takeFirst(by: now) {
            switch due {
            case .response(let asker, let answer, let push):
                if asker.isWaiting {
                    respond(asker, answer, push, at: now)
                } else {
                    tally.unheard += 1
                    unanswered(push)
                    if case .accepted(_, nil) = answer { void(push) }
                }
                if case .connection(let connection, _) = asker { flushLater(connection) }
            case .arrival(let asker, let push):
                if asker.isLost {
                    void(push)
                } else {
                    arrive(push, at: clock.instant(at: now))
                }
            case .copyArrival(let copies, let follower):
                arrive(copies, at: follower, clock.instant(at: now))
            }
        }
        for connection in unflushed { connection.flush() }
        unflushed.removeAll(keepingCapacity: true)
        endTurn()
        arm()
    }

    private func flushLater(_ connection: PushConnection) {
        guard !connection.isListedForFlush else { return }
        connection.isListedForFlush = true
        unflushed.append(connection)
    }

    /// Sends the output to the phones at the end of the current turn of the loop: one batch for simultaneous events.
    func endTurnSoon() {
        guard !isTurnEnding else { return }
        isTurnEnding = true
        let shard = NIOLoopBound(self, eventLoop: loop)
        loop.execute {
            shard.value.isTurnEnding = false
            shard.value.endTurn()
        }
    }

    /// Sends the collected output to the phones.
    func endTurn() {
        guard !outbox.isEmpty else { return }
        tally.overflowed += phones.take(outbox.release(), from: loop)
    }

    // MARK: - Events for all threads

    /// Starts a run when a phone link opens or closes.
    func begin(_ clock: RunClock, mode: PhoneOutbox.Mode) {
        self.clock = clock
        runs += 1
        deaths.removeAll()
        calendar.removeAll()
        armed = nil
        _ = outbox.release()
        outbox.mode = mode
        phones.order.forget()
        log?.closeAll()
        scheduleLosses()
    }

    /// Shuts the server down: sends GOAWAY to providers.
    ///
    /// Connections close after the pending answers or a timeout.
    func shutDown() { for connection in connections.values { connection.goAway(.push(.shutdown)) } }

    /// Records tokens that have become invalid.
    func noteDeaths(_ tokens: [(TokenDigest, Instant)]) {
        for (token, since) in tokens { deaths[token] = APNsStation.death(deaths[token], toldSince: since) }
    }
}
