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
        /// The requests in flight with their due times, by the pool's number.
        var underWay: [UInt64: (id: OutgoingRequest.ID, due: Instant)] = [:]
        var nextNumber: UInt64 = 0
        var hasLostPhones = false
        var latencies = LatencyCourse()
    }

    private let topic: String
    private let apns: Scenario.APNs
    private let dismissal: Scenario.Dismissal
    /// The beginning of the measured time.
    private let measuredFrom: Instant
    private let state = Mutex(State())

    /// A wire without connections.
    package init(topic: String, scenario: Scenario) {
        self.topic = topic
        apns = scenario.apns
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

    /// Sends requests over the pool and reports dead tokens to the phone line, without waiting for either.
    package func send(_ news: ContiguousArray<OutgoingNews>, at now: Instant) {
        var requests: [APNsRequest] = []
        var deaths: [(token: TokenDigest, since: Instant)] = []
        let (pool, link) = state.withLock { state -> (APNsPool?, PhoneLink?) in
            guard let clock = state.clock else { return (nil, nil) }
            for news in news {
                switch news {
                case .request(let request):
                    let number = state.nextNumber
                    state.nextNumber += 1
                    state.underWay[number] = (request.id, request.sentAt)
                    requests.append(pushRequest(request, number: number, clock))
                case .tokenDied(let ride, let number, let since):
                    deaths.append((TokenDigest(ride: ride, number: number), since))
                case .givenUp, .disconnected, .server:
                    break
                }
            }
            return (state.pool, state.link)
        }
        // Dead tokens first, because a later request of the batch may go to one of them.
        link?.tellDead(deaths)
        if !requests.isEmpty { pool?.send(requests) }
    }

    private func pushRequest(_ request: OutgoingRequest, number: UInt64, _ clock: LiveClock) -> APNsRequest {
        let expiration = request.kind == .end ? apns.endExpiration : apns.expiration
        return APNsRequest(
            number: number,
            id: RequestID(ride: request.id.ride, drawIndex: request.id.drawIndex, suffix: request.id.place),
            token: DeviceToken(ride: request.id.ride, number: request.tokenNumber),
            topic: topic,
            priority: request.priority == .immediate ? 10 : 5,
            expiration: expiration == .zero ? 0 : clock.unixSeconds(request.sentAt + expiration),
            payload: ByteBuffer(bytes: LivePayload.bytes(request, clock, dismissal: dismissal))
        )
    }

    // MARK: - From APNs

    /// Takes the outcomes of requests at the current instant of the run.
    package func completed(_ completions: [APNsCompletion]) {
        state.withLock { state in
            guard let clock = state.clock, let inbox = state.inbox else { return }
            let now = clock.now
            var items: [LiveInbox.Item] = []
            items.reserveCapacity(completions.count)
            for completion in completions {
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
