import FreshnessCore
package import LiveActivityModel
import NIOCore
package import Quantities
import Synchronization
package import Wire

/// A wire from the cells of a load to an APNs endpoint over HTTP/2, and back by the phone line if there is one.
///
/// Requests carry their names as `apns-id`, so that answers and reports find their cells. The cells have their own timeouts;
/// the pool's timeout only frees streams.
package final class EndpointWire: LiveWire, APNsCompletionHandler, PhoneLinkListener {
    private struct State {
        var clock: LiveClock?
        var inbox: LiveInbox?
        var pool: APNsPool?
        var link: PhoneLink?
        /// The pushes in flight with their due times, by the pool's number.
        var underWay: [UInt64: (id: OutgoingRequest.ID, due: Instant)] = [:]
        /// The calls about channels in flight, by the pool's number.
        var calls: [UInt64: ChannelCall] = [:]
        var channels = LiveChannels()
        var nextNumber: UInt64 = 0
        var hasLostPhones = false
        var latencies = LatencyCourse()
    }

    private enum ChannelCall {
        case create(UInt64)
        case delete
    }

    private let topic: String
    private let apns: Scenario.APNs
    /// The channels' storage policy.
    private let storage: Scenario.ChannelStorage
    private let dismissal: Scenario.Dismissal
    /// The beginning of the measured time.
    private let measuredFrom: Instant
    private let state = Mutex(State())

    /// A wire without connections.
    package init(topic: String, scenario: Scenario) {
        self.topic = topic
        apns = scenario.apns
        storage = (scenario.groups?.channel ?? Scenario.Channel()).storage
        dismissal = scenario.devices.dismissal
        measuredFrom = .start + scenario.clock.warmUp
    }

    /// Sets the connections and the phone line, if there is one, before the run begins.
    package func attach(_ pool: APNsPool, _ link: PhoneLink?) {
        state.withLock {
            $0.pool = pool
            $0.link = link
        }
    }

    /// `true` if the phone line was lost during the run.
    package var hasLostPhones: Bool { state.withLock { $0.hasLostPhones } }

    /// Times from the due times of requests to their answers.
    package var latencies: LatencyCourse? { state.withLock { $0.latencies } }

    // MARK: - From the cells

    /// Begins a run; news for its cells go to an inbox.
    package func begin(_ clock: LiveClock, _ inbox: LiveInbox) {
        state.withLock {
            $0.clock = clock
            $0.inbox = inbox
        }
    }

    /// The work that follows from news, to be done without the lock.
    private struct Work {
        var pool: APNsPool?
        var link: PhoneLink?
        var requests: [APNsRequest] = []
        var deaths: [(token: TokenDigest, since: Instant)] = []
        var reports: [PhoneReport] = []

        /// Does it, without waiting for APNs or for the phones.
        func perform() {
            // Dead tokens first, because a later request of the batch may go to one of them; followers before publications.
            link?.tellDead(deaths)
            link?.report(reports)
            if !requests.isEmpty { pool?.send(requests) }
        }
    }

    /// Sends requests over the pool, and reports dead tokens and the followers of channels to the phone line, without waiting
    /// for either.
    package func send(_ news: ContiguousArray<OutgoingNews>, at now: Instant) {
        state.withLock { state -> Work? in
            guard let clock = state.clock else { return nil }
            var work = Work(pool: state.pool, link: state.link)
            for news in news {
                switch news {
                case .request(let request):
                    if request.isToChannel || request.channel != nil {
                        add(state.channels.offered(request), to: &work, &state, clock)
                    } else {
                        work.requests.append(pushRequest(request, &state, clock))
                    }
                case .tokenDied(let ride, let number, let since):
                    work.deaths.append((TokenDigest(ride: ride, number: number), since))
                case .channel(let news):
                    add(state.channels.changed(news), to: &work, &state, clock)
                case .givenUp, .disconnected, .server:
                    break
                }
            }
            return work
        }?
        .perform()
    }

    /// Deletes channels at their instants.
    package func proceed(to now: Instant) {
        state.withLock { state -> Work? in
            guard let clock = state.clock else { return nil }
            var work = Work(pool: state.pool, link: state.link)
            add(state.channels.proceed(to: now), to: &work, &state, clock)
            return work
        }?
        .perform()
    }

    /// Deletes the channels that are left.
    package func end() {
        state.withLock { state -> Work? in
            guard let clock = state.clock else { return nil }
            var work = Work(pool: state.pool, link: state.link)
            add(state.channels.ended(), to: &work, &state, clock)
            return work
        }?
        .perform()
    }

    /// Waits for the answers to the deletion of channels, for a limited time.
    package func settle(within patience: Duration) async {
        let limit = ContinuousClock.now + patience
        while ContinuousClock.now < limit, !state.withLock({ $0.channels.isSettled }) {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The number of channels that APNs has refused to create.
    package var refusedChannels: Int { state.withLock { $0.channels.refusedCount } }

    private func add(
        _ actions: [LiveChannels.Action],
        to work: inout Work,
        _ state: inout State,
        _ clock: LiveClock
    ) {
        for action in actions {
            switch action {
            case .create(let channel):
                let policy = storage == .mostRecent ? 1 : 0
                let body = "{\"message-storage-policy\":\(policy),\"push-type\":\"LiveActivity\"}"
                work.requests.append(call(.create(channel), channel, .newChannel, body, &state))
            case .delete(let channel, let id):
                work.requests.append(call(.delete, channel, .deletion(channel: id), "", &state))
            case .send(let request, let id):
                work.requests.append(pushRequest(request, &state, clock, channel: id))
            case .refuse(let id):
                state.inbox?.put([LiveInbox.Item(.answered(id, .refused(.channelNotRegistered)), at: clock.now)])
            case .report(let report):
                work.reports.append(report)
            }
        }
    }

    /// A call about a channel.
    private func call(
        _ call: ChannelCall,
        _ channel: UInt64,
        _ target: APNsRequest.Target,
        _ body: String,
        _ state: inout State
    ) -> APNsRequest {
        let number = state.nextNumber
        state.nextNumber += 1
        state.calls[number] = call
        return APNsRequest(
            number: number,
            id: RequestID(ride: channel, drawIndex: 0),
            target: target,
            topic: topic,
            payload: ByteBuffer(string: body)
        )
    }

    /// A push to a phone, or to the phones that follow a channel.
    private func pushRequest(
        _ request: OutgoingRequest,
        _ state: inout State,
        _ clock: LiveClock,
        channel: String? = nil
    ) -> APNsRequest {
        let number = state.nextNumber
        state.nextNumber += 1
        state.underWay[number] = (request.id, request.sentAt)
        var expiration = request.kind == .end ? apns.endExpiration : apns.expiration
        if request.isToChannel {
            expiration = storage == .none ? .zero : min(expiration, Scenario.Channel.longestStorage)
        }
        let target: APNsRequest.Target =
            if request.isToChannel, let channel { .broadcast(channel: channel) } else {
                .device(DeviceToken(ride: request.id.ride, number: request.tokenNumber))
            }
        let payload = LivePayload.bytes(
            request,
            clock,
            dismissal: dismissal,
            input: channel.map { .channel($0) } ?? .token
        )
        return APNsRequest(
            number: number,
            id: RequestID(ride: request.id.ride, drawIndex: request.id.drawIndex, suffix: request.id.place),
            target: target,
            topic: topic,
            priority: request.priority == .immediate ? 10 : 5,
            expiration: expiration == .zero ? 0 : clock.unixSeconds(request.sentAt + expiration),
            payload: ByteBuffer(bytes: payload)
        )
    }

    // MARK: - From APNs

    /// Takes the outcomes of requests at the current instant of the run.
    package func completed(_ completions: [APNsCompletion]) {
        state.withLock { state -> Work? in
            guard let clock = state.clock, let inbox = state.inbox else { return nil }
            let now = clock.now
            var work = Work(pool: state.pool, link: state.link)
            var items: [LiveInbox.Item] = []
            items.reserveCapacity(completions.count)
            for completion in completions {
                if let call = state.calls.removeValue(forKey: completion.number) {
                    add(answered(call, completion.outcome, &state), to: &work, &state, clock)
                    continue
                }
                guard let (id, due) = state.underWay.removeValue(forKey: completion.number) else { continue }
                switch completion.outcome {
                case .answered(let answer):
                    state.latencies.record(
                        clock.wall(now - due),
                        at: clock.wall(now - .start),
                        isMeasured: due >= measuredFrom
                    )
                    items.append(LiveInbox.Item(.answered(id, answer.response), at: now))
                case .timedOut, .notSent:
                    // The cell times out on its own.
                    break
                case .connectionLost:
                    items.append(LiveInbox.Item(.answered(id, .connectionLost), at: now))
                case .notProcessed:
                    items.append(LiveInbox.Item(.void(id), at: now))
                    items.append(LiveInbox.Item(.answered(id, .connectionLost), at: now))
                }
            }
            inbox.put(items)
            return work
        }?
        .perform()
    }

    private func answered(
        _ call: ChannelCall,
        _ outcome: APNsOutcome,
        _ state: inout State
    ) -> [LiveChannels.Action] {
        switch call {
        case .create(let channel):
            guard case .answered(let answer) = outcome, answer.status == 201 else {
                return state.channels.answered(creationOf: channel, id: nil)
            }
            return state.channels.answered(creationOf: channel, id: answer.channelID)
        case .delete:
            return state.channels.deletionAnswered()
        }
    }

    // MARK: - From the phone line

    /// Takes the reports of the phone line about pushes.
    package func heard(_ news: [PhoneNews]) {
        state.withLock { state in
            guard let clock = state.clock, let inbox = state.inbox else { return }
            let now = clock.now
            inbox.put(
                news.map { news in
                    switch news {
                    case .push(let id, _, _, _, _): LiveInbox.Item(.arrived(id.outgoing), at: now)
                    case .lost(let id): LiveInbox.Item(.lost(id.outgoing), at: now)
                    case .void(let id): LiveInbox.Item(.void(id.outgoing), at: now)
                    case .sentOn(let id, let rides): LiveInbox.Item(.sentOn(id.outgoing, to: rides), at: now)
                    case .copy(let id, let ride, _, _, _):
                        LiveInbox.Item(.copyArrived(id.outgoing, ride: ride), at: now)
                    case .missed(let id, let ride): LiveInbox.Item(.copyLost(id.outgoing, ride: ride), at: now)
                    }
                }
            )
        }
    }

    /// Notes that the phone line has ended.
    package func hungUp(asWished: Bool) { if !asWished { state.withLock { $0.hasLostPhones = true } } }
}

extension RequestID {
    /// The request of a cell with this id.
    fileprivate var outgoing: OutgoingRequest.ID {
        OutgoingRequest.ID(ride: ride, drawIndex: drawIndex, place: UInt32(truncatingIfNeeded: low))
    }
}

extension APNsAnswer {
    /// The answer as a value of the model.
    fileprivate var response: RemoteResponse {
        isAccepted ? .accepted : .refused(APNsReason(status: status, reason: reason))
    }
}
