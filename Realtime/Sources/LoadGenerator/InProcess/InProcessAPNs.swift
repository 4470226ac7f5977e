import HeapModule
package import LiveActivityModel
package import Quantities
import Wire

/// APNs without a network: a host of ``APNsStation`` for the requests of cells in this process.
///
/// For each request it reports at once all consequences that are certain, with their instants. Consequences that depend on the
/// state at a later instant (the end of a service, a delivery that is decided with the answer) wait for
/// ``proceed(to:tell:)``.
///
/// ```
///  received ─► silence, refused            ─► void, answered
///           ─► accepted with a passage     ─► answered, arrived or lost
///           ─► accepted without            ─► answered   … proceed: arrived, lost or void
///           ─► queued                      … proceed: as accepted, or void
/// ```
package struct InProcessAPNs: Sendable {
    /// An event of a request at an instant.
    private struct TimedEvent: Comparable {
        enum Kind {
            case serviceEnd
            /// The arrival of the answer at its sender, unless the sender gives up before.
            case response(isTooLate: Bool)
        }

        let at: Instant
        let request: UInt32
        let kind: Kind

        static func < (left: Self, right: Self) -> Bool { (left.at, left.request) < (right.at, right.request) }
        static func == (left: Self, right: Self) -> Bool { (left.at, left.request) == (right.at, right.request) }
    }

    /// A request with further events.
    private struct Pending {
        let request: OutgoingRequest
        var isGivenUp = false
        var isDisconnected = false
        /// `true` if it can still have consequences.
        var isAlive: Bool { !isGivenUp && !isDisconnected }
    }

    private let rules: APNsRules
    /// The stations by cell.
    private var stations: [APNsStation]
    private var deaths: [TokenDigest: Instant] = [:]
    /// The channels by number, with the rides whose cards follow them.
    private var channels: ChannelStation<UInt64, UInt64>
    /// The pending requests by number.
    private var pending: [UInt32: Pending] = [:]
    private var numbers: [OutgoingRequest.ID: UInt32] = [:]
    private var nextNumber: UInt32 = 0
    private var events = Heap<TimedEvent>()
    /// The news to report.
    private var told: [LiveInbox.Item] = []

    /// An APNs before the first request.
    package init(_ rules: APNsRules) {
        self.rules = rules
        stations = [APNsStation](repeating: APNsStation(), count: rules.cells)
        channels = ChannelStation(most: rules.mostChannels)
    }

    /// The instant at which ``proceed(to:tell:)`` must be called next; `never` if nothing is to be decided.
    package var nextDue: Instant { events.min?.at ?? .never }

    /// Takes a piece of news from the sender's side.
    ///
    /// - Complexity: O(log *n*) in the pending requests.
    package mutating func hear(_ news: OutgoingNews, at now: Instant, tell: (LiveInbox.Item) -> Void) {
        defer { flush(tell) }
        switch news {
        case .request(let request):
            received(request, at: now)
        case .tokenDied(let ride, let number, let since):
            let token = TokenDigest(ride: ride, number: number)
            deaths[token] = APNsStation.death(deaths[token], toldSince: since)
        case .givenUp(let id):
            // A server may still be busy with it, and the push may still arrive unless the answer decides.
            guard rules.decidesWithResponse, let number = numbers[id] else { return }
            pending[number]?.isGivenUp = true
            note(.void(id), at: now)
        case .disconnected(let id):
            if let number = numbers[id] { pending[number]?.isDisconnected = true }
        case .channel(let news):
            changed(news)
        case .server:
            // APNs does not learn of it.
            break
        }
    }

    private mutating func changed(_ news: ChannelNews) {
        switch news {
        case .created(let channel):
            let isCreated = channels.create(channel, storesNewest: true)
            precondition(isCreated, "the server has created more channels than APNs allows")
        case .vanishes(let channel, let instant): deaths[TokenDigest(ride: channel, number: 1)] = instant
        case .closed(let channel):
            channels.delete(channel)
            deaths[TokenDigest(ride: channel, number: 1)] = nil
        case .followed(let channel, let ride): channels.follow(channel, ride)
        case .left(let channel, let ride): channels.leave(channel, ride)
        }
    }

    /// Handles the events that are due.
    package mutating func proceed(to now: Instant, tell: (LiveInbox.Item) -> Void) {
        defer { flush(tell) }
        while let next = events.min, next.at <= now {
            events.removeMin()
            switch next.kind {
            case .serviceEnd: serviceEnded(next.request, at: next.at)
            case .response(let isTooLate): responded(next.request, isTooLate, at: next.at)
            }
        }
    }

    private mutating func flush(_ tell: (LiveInbox.Item) -> Void) {
        for item in told { tell(item) }
        told.removeAll(keepingCapacity: true)
    }

    private mutating func note(_ news: IncomingNews, at instant: Instant) {
        told.append(LiveInbox.Item(news, at: instant))
    }

    // MARK: - Requests

    private mutating func received(_ request: OutgoingRequest, at now: Instant) {
        let cell = rules.cell(ofRide: request.id.ride)
        switch stations[cell].received(seen(request), rules, at: now) {
        case .silence:
            note(.void(request.id), at: now)
        case .refused(let reason, let span):
            note(.answered(request.id, .refused(reason)), at: now + span)
            note(.refused(request.id), at: now)
        case .accepted(let span, let passage):
            accepted(request, after: span, passage, at: now)
        case .queued:
            stations[cell].join(hold(request))
            startServices(cell, at: now)
        }
    }

    private mutating func accepted(
        _ request: OutgoingRequest,
        after span: TimeSpan,
        _ passage: APNsStation.Passage?,
        at now: Instant
    ) {
        note(.answered(request.id, .accepted), at: now + span)
        if let passage {
            follow(request, passage, at: now)
        } else {
            let hearing = rules.hearing(ofRequestAt: request.sentAt, answeredAt: now + span)
            schedule(hold(request), at: hearing.at, .response(isTooLate: hearing.isTimeOut))
        }
    }

    private mutating func responded(
        _ number: UInt32,
        _ isTooLate: Bool,
        at now: Instant
    ) {
        guard let pending = forget(number), pending.isAlive else { return }
        let request = pending.request
        guard !isTooLate else {
            note(.void(request.id), at: now)
            return
        }
        let passage = stations[rules.cell(ofRide: request.id.ride)].passage(of: seen(request), rules, at: now)
        follow(request, passage, at: now)
    }

    private mutating func follow(
        _ request: OutgoingRequest,
        _ passage: APNsStation.Passage,
        at now: Instant
    ) {
        if request.isToChannel { return sendOn(request, at: now) }
        switch passage {
        case .lost, .deadToken: note(.lost(request.id), at: now)
        case .arrives(let span): note(.arrived(request.id), at: now + span)
        }
    }

    /// Sends a publication on to the phones that follow its channel.
    private mutating func sendOn(_ request: OutgoingRequest, at now: Instant) {
        let (rides, station) = (channels.phones(of: request.id.ride), stations[rules.cell(ofRide: request.id.ride)])
        note(.sentOn(request.id, to: rides), at: now)
        for ride in rides {
            switch station.passage(of: seen(request).copy(toRide: ride), rules, at: now) {
            case .lost, .deadToken: note(.copyLost(request.id, ride: ride), at: now)
            // The cell keeps the order of copies where no one may overtake another.
            case .arrives(let span): note(.copyArrived(request.id, ride: ride), at: now + span)
            }
        }
    }

    // MARK: - Servers

    private mutating func startServices(_ cell: Int, at now: Instant) {
        while let number = stations[cell].nextInTurn(rules) {
            guard let held = pending[number], !held.isDisconnected else {
                stations[cell].serviceEnded()
                _ = forget(number)
                continue
            }
            let request = held.request
            switch stations[cell].beginService(of: seen(request), sentAt: request.sentAt, rules, at: now) {
            case .ends(let end):
                schedule(number, at: end, .serviceEnd)
            case .discarded:
                if let held = forget(number), held.isAlive {
                    note(.void(request.id), at: now)
                }
            }
        }
    }

    private mutating func serviceEnded(_ number: UInt32, at now: Instant) {
        guard let pending = forget(number) else { return }
        let request = pending.request
        let cell = rules.cell(ofRide: request.id.ride)
        stations[cell].serviceEnded()
        if pending.isAlive,
            case .accepted(let span, let passage) = stations[cell].served(seen(request), rules, at: now)
        {
            accepted(request, after: span, passage, at: now)
        }
        startServices(cell, at: now)
    }

    // MARK: - Keeping

    private mutating func schedule(_ number: UInt32, at instant: Instant, _ kind: TimedEvent.Kind) {
        // An event that is halted for good never happens.
        guard instant < .never else { return }
        events.insert(TimedEvent(at: instant, request: number, kind: kind))
    }

    private mutating func hold(_ request: OutgoingRequest) -> UInt32 {
        let number = nextNumber
        nextNumber &+= 1
        pending[number] = Pending(request: request)
        numbers[request.id] = number
        return number
    }

    private mutating func forget(_ number: UInt32) -> Pending? {
        guard let held = pending.removeValue(forKey: number) else { return nil }
        numbers[held.request.id] = nil
        return held
    }

    /// A request as APNs sees it now.
    private func seen(_ request: OutgoingRequest) -> APNsStation.Request {
        let token = TokenDigest(ride: request.id.ride, number: request.tokenNumber)
        return request.atAPNs(tokenDeadSince: deaths[token] ?? .never)
    }
}
