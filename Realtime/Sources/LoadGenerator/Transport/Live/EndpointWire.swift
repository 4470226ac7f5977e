import FreshnessCore
package import LiveActivityModel
import NIOCore
package import Quantities
import Synchronization
package import Wire

/// A wire from the cells of a live run to an APNs endpoint over HTTP/2, and back by the phones' line where there is one.
///
/// Requests carry their names as `apns-id`, so what is heard of them finds its way back to the cell. Time-outs are the
/// cells' own; the pool's only free streams.
package final class EndpointWire: LiveWire, APNsCompletionHandler, PhoneLinkListener {
    private struct State {
        var clock: LiveClock?
        var inbox: LiveInbox?
        var pool: APNsPool?
        var link: PhoneLink?
        /// Requests without an outcome, and when they were due, by the pool's number.
        var underWay: [UInt64: (id: OutgoingRequest.ID, due: Instant)] = [:]
        var nextNumber: UInt64 = 0
        var hasLostPhones = false
        var latencies = LatencyCourse()
    }

    private let topic: String
    private let apns: Scenario.APNs
    /// What came before is not measured.
    private let measuredFrom: Instant
    private let state = Mutex(State())

    /// A wire that leads nowhere yet.
    package init(topic: String, scenario: Scenario) {
        self.topic = topic
        apns = scenario.apns
        measuredFrom = .start + scenario.clock.warmUp
    }

    /// Gives the wire its connections, and the phones' line where there is one, before the run begins.
    package func attach(_ pool: APNsPool, _ link: PhoneLink?) {
        state.withLock {
            $0.pool = pool
            $0.link = link
        }
    }

    /// Whether the phones' line was lost during the run.
    package var hasLostPhones: Bool { state.withLock { $0.hasLostPhones } }

    /// From when requests were due to their answers.
    package var latencies: LatencyCourse? { state.withLock { $0.latencies } }

    // MARK: - From the cells

    /// Begins a run, whose news go to an inbox.
    package func begin(_ clock: LiveClock, _ inbox: LiveInbox) {
        state.withLock {
            $0.clock = clock
            $0.inbox = inbox
        }
    }

    /// Sends requests over the pool and deaths of tokens to the phones' line; returns without waiting for either.
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
        // First the deaths: a request that follows one in a batch may go to the dead token.
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
            payload: ByteBuffer(bytes: LivePayload.bytes(request, clock))
        )
    }

    // MARK: - From APNs

    /// Requests have come to an end, at the current instant of the run.
    package func completed(_ completions: [APNsCompletion], lane: Int) {
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
                    // The cell knows by itself.
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

    // MARK: - From the phones' line

    /// The phones' line tells what becomes of pushes.
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

    /// The phones' line has ended.
    package func hungUp(asWished: Bool) { if !asWished { state.withLock { $0.hasLostPhones = true } } }
}

extension RequestID {
    /// The request of a cell that bears this id.
    fileprivate var outgoing: OutgoingRequest.ID {
        OutgoingRequest.ID(ride: ride, drawIndex: drawIndex, place: UInt32(truncatingIfNeeded: low))
    }
}

extension APNsAnswer {
    /// What the answer means to the model.
    fileprivate var response: RemoteResponse {
        isAccepted ? .accepted : .refused(APNsReason(status: status, reason: reason))
    }
}
