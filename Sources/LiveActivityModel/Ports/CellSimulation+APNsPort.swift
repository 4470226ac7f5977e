public import Quantities
import SimulationKernel

/// The APNs port: requests go out through it, and what became of them comes back.
///
/// The host takes ``takeOutbox()`` whenever it has run events, and tells news with the instant at which it came: then or
/// later the cell acts on it, as it would on an event of its own. News of a request that the cell has forgotten is ignored.
extension CellSimulation {
    /// A cell before its first event whose stations are not all its own.
    ///
    /// - Parameters:
    ///   - seed: In place of the scenario's.
    ///   - watch: Whose stories are to be told.
    public init(
        world: World,
        cell: Int,
        replication: UInt32 = 0,
        seed: UInt64? = nil,
        remote: RemoteStations,
        watch: Watch = .none
    ) {
        let random = world.scenario.randomSource(ofReplication: replication, seed: seed)
        self.init(world: world, cell: cell, random: random, watch: watch, remote: remote)
    }

    /// What has gone out, in order, for the host to carry.
    public mutating func takeOutbox() -> ContiguousArray<OutgoingNews> { ports.takeOutgoing() }

    /// Whether anything has gone out that the host has not taken.
    public var hasOutgoing: Bool { ports.hasOutgoing }

    /// Whether nothing is left to happen by itself, and nothing outside that could make anything happen.
    public var isIdle: Bool { loop.pendingCount == 0 && pushes.takenCount == 0 && !ports.hasOutgoing }

    /// A request goes out; without an answer it ends with its time-out.
    mutating func submitThroughPort(_ push: Handle<Push>) {
        push.service = .remote
        expectTimeOut(push)
        ports.send(
            .request(
                OutgoingRequest(
                    id: push.requestID,
                    tokenNumber: push.kind == .start ? 0 : push.token,
                    kind: push.kind,
                    priority: push.priority,
                    bytes: Int(push.payload.bytes),
                    content: push.payload.content,
                    timestamp: push.payload.timestamp,
                    sentAt: push.sentAt
                )
            )
        )
    }

    /// The sender no longer waits for a request; what is on its way by then arrives all the same.
    mutating func tellGivenUp(_ push: Handle<Push>) {
        ports.send(.givenUp(push.requestID))
    }

    /// The last token of an activity works no longer.
    @inline(__always)
    mutating func tellTokenDied(_ activity: Handle<Activity>) {
        if ports.requests == .remote, activity.tokenNumber > 0 {
            ports.send(.tokenDied(ride: activity.ride, number: activity.tokenNumber, since: loop.now))
        }
    }

    // MARK: - What comes back

    /// Tells the cell what came in.
    ///
    /// - Parameter instant: When it came, or will; where the cell has passed it already, now.
    public mutating func hear(_ news: IncomingNews, at instant: Instant) {
        let instant = max(instant, loop.now)
        switch news {
        case .answered(let id, let response):
            guard let push = awaited(id) else { return }
            answered(push, response, at: instant)
        case .arrived(let id):
            guard let push = undecided(id) else { return }
            push.service = .none
            deliver(push, at: instant)
        case .lost(let id):
            guard let push = undecided(id) else { return }
            close(push, .onDevice(tokenDeadSince(push) <= loop.now ? .deadToken : .lost))
        case .refused(let id):
            guard let push = undecided(id) else { return }
            close(push, .refused)
        case .void(let id):
            guard let push = undecided(id) else { return }
            // Whether it was refused its answer says.
            if push.responseDue == .never {
                close(push, .notAccepted)
            } else {
                push.service = .void
            }
        case .pushed(let push):
            reach(push, at: instant)
        }
    }

    private mutating func answered(_ push: Handle<Push>, _ response: RemoteResponse, at instant: Instant) {
        guard isHeard(push, at: instant) else { return }
        switch response {
        case .accepted:
            respond(push, .accepted, after: instant - loop.now)
        case .refused(let reason):
            respond(push, .refused(reason), after: instant - loop.now)
            close(push, .refused)
        case .connectionLost:
            respond(push, .connectionLost, after: instant - loop.now)
        }
    }

    /// The push of an ID, if the sender still waits for its answer.
    private mutating func awaited(_ id: OutgoingRequest.ID) -> Handle<Push>? {
        guard let push = known(id), push.passage.standing == .underWay, case .timedOut = push.response else {
            return nil
        }
        return push
    }

    /// The push of an ID, if it is not known yet what becomes of it.
    private mutating func undecided(_ id: OutgoingRequest.ID) -> Handle<Push>? {
        guard let push = known(id), push.isRemote, !push.isConcluded else { return nil }
        return push
    }

    private mutating func known(_ id: OutgoingRequest.ID) -> Handle<Push>? {
        guard id.place < pushes.count else { return nil }
        let push = pushes[id.place]
        return push.isInUse && push.requestID == id ? push : nil
    }

    /// It has become known that nothing reaches the phone.
    private mutating func close(_ push: Handle<Push>, _ conclusion: Conclusion) {
        push.service = .none
        if !push.isConcluded {
            conclude(push, conclusion)
        }
        releaseIfDone(push)
    }

    // MARK: - What the sender makes of it

    /// The sender has heard that a request was accepted; where the APNs behind the port tells no more, the model decides.
    mutating func acceptanceHeardThroughPort(_ push: Handle<Push>) {
        if !ports.isObserved {
            push.service = .none
            decide(push)
        }
    }

    /// The sender has given a request up; an APNs that tells what becomes of pushes may still say that this one arrived.
    mutating func missedThroughPort(_ push: Handle<Push>) {
        tellGivenUp(push)
        if push.service == .void || push.service == .remote && !ports.isObserved {
            push.service = .none
            if !push.isConcluded {
                conclude(push, .notAccepted)
            }
        }
    }

    /// Nothing comes of a request: its connection is lost, or it is given up for another, and the model says so.
    mutating func withdraw(_ push: Handle<Push>, _ news: (OutgoingRequest.ID) -> OutgoingNews) {
        if push.isRemote {
            push.service = .none
            ports.send(news(push.requestID))
        }
    }
}

extension Handle where Entity == Push {
    var requestID: OutgoingRequest.ID {
        OutgoingRequest.ID(ride: self.ride, drawIndex: self.drawIndex, place: number)
    }
}
