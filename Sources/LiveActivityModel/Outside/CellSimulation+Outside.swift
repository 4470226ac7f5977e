public import Quantities
import SimulationKernel

/// A cell whose APNs is outside: what it would decide here it is told.
///
/// ```
///   sender ──► outbox ──► shell ──► APNs, somewhere
///     ▲                               │
///     └── answered, arrived, lost … ◄─┘
/// ```
///
/// The shell takes ``outbox`` whenever it has run events, and tells news with the instant at which it came: then or later
/// the cell acts on it, as it would on an event of its own. News of a request that is nobody's any more is ignored.
extension CellSimulation {
    /// A cell before its first event that asks somebody outside what APNs does.
    ///
    /// - Parameters:
    ///   - seed: In place of the scenario's.
    ///   - watch: Whose stories are to be told.
    public init(
        world: World,
        cell: Int,
        replication: UInt32 = 0,
        seed: UInt64? = nil,
        outside: OutsideAPNs,
        watch: Watch = .none
    ) {
        let random = world.scenario.randomSource(ofReplication: replication, seed: seed)
        self.init(world: world, cell: cell, random: random, isInGroup: false, watch: watch, outside: outside)
    }

    /// What there is to tell outside, in order; for the shell to take.
    public mutating func takeOutbox() -> ContiguousArray<OutgoingNews> {
        guard !outbox.isEmpty else { return [] }
        var taken = ContiguousArray<OutgoingNews>()
        taken.reserveCapacity(outbox.count)
        swap(&taken, &outbox)
        return taken
    }

    /// Whether there is anything to tell outside.
    public var hasOutgoing: Bool { !outbox.isEmpty }

    /// Whether nothing is left to happen by itself, and nothing outside that could make anything happen.
    public var isIdle: Bool { loop.pendingCount == 0 && pushes.takenCount == 0 && outbox.isEmpty }

    /// A request goes outside; without an answer it ends with its time-out.
    mutating func submitOutside(_ push: Place<Push>) {
        push.service = .outside
        respond(push, .timedOut, after: rules.timeout)
        outbox.append(
            .request(
                OutgoingRequest(
                    id: push.outsideID,
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

    /// The sender no longer waits for a request.
    mutating func tellGivenUp(_ push: Place<Push>) {
        outbox.append(.givenUp(push.outsideID))
    }

    /// The last token of an activity works no longer.
    @inline(__always)
    mutating func tellTokenDied(_ activity: Place<Activity>) {
        if hasOutsideAPNs, activity.tokenNumber > 0 {
            outbox.append(.tokenDied(ride: activity.ride, number: activity.tokenNumber, since: loop.now))
        }
    }

    // MARK: - News from outside

    /// Tells the cell what came from outside.
    ///
    /// - Parameter instant: When it came, or will; where the cell has passed it already, now.
    public mutating func hear(_ news: IncomingNews, at instant: Instant) {
        let instant = max(instant, loop.now)
        switch news {
        case .answered(let id, let response):
            guard let push = awaited(id) else { return }
            answered(push, response, at: instant)
        case .arrived(let id):
            guard let push = outside(id), !push.isConcluded else { return }
            push.service = .none
            deliver(push, at: instant)
        case .lost(let id):
            guard let push = outside(id), !push.isConcluded else { return }
            close(push, .onDevice(tokenDeadSince(push) <= loop.now ? .deadToken : .lost))
        case .refused(let id):
            guard let push = outside(id), !push.isConcluded else { return }
            close(push, .refused)
        case .void(let id):
            guard let push = outside(id), !push.isConcluded else { return }
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

    private mutating func answered(_ push: Place<Push>, _ response: OutsideResponse, at instant: Instant) {
        guard instant <= push.sentAt + rules.timeout else { return }
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
    private mutating func awaited(_ id: OutgoingRequest.ID) -> Place<Push>? {
        guard let push = known(id), push.standing == .underWay, case .timedOut = push.response else { return nil }
        return push
    }

    /// The push of an ID, if it is not known yet what becomes of it.
    private mutating func outside(_ id: OutgoingRequest.ID) -> Place<Push>? {
        guard let push = known(id), push.service == .outside || push.service == .void else { return nil }
        return push
    }

    private mutating func known(_ id: OutgoingRequest.ID) -> Place<Push>? {
        guard id.place < pushes.count else { return nil }
        let push = pushes[id.place]
        return push.isInUse && push.outsideID == id ? push : nil
    }

    /// It has become known that nothing reaches the phone.
    private mutating func close(_ push: Place<Push>, _ conclusion: Conclusion) {
        push.service = .none
        if !push.isConcluded {
            conclude(push, conclusion)
        }
        releaseIfDone(push)
    }

    // MARK: - What the sender makes of it

    /// The sender has heard that a request was accepted; where nobody tells what becomes of the push, the model does.
    mutating func acceptanceHeardOutside(_ push: Place<Push>) {
        if outsideAPNs == .unobserved {
            push.service = .none
            decide(push)
        }
    }

    /// The sender has given a request up.
    ///
    /// Whoever tells what becomes of pushes may still tell that this one was delivered.
    mutating func missedOutside(_ push: Place<Push>) {
        tellGivenUp(push)
        if push.service == .void || push.service == .outside && outsideAPNs == .unobserved {
            push.service = .none
            if !push.isConcluded {
                conclude(push, .notAccepted)
            }
        }
    }

    /// A request is given up for another, or with its connection, and the model says that nothing comes of it then.
    mutating func withdraw(_ push: Place<Push>) {
        if push.isOutside {
            push.service = .none
            tellGivenUp(push)
        }
    }
}

/// Who answers requests in place of a cell's own APNs.
public enum OutsideAPNs: Hashable, Sendable {
    /// Somebody who tells what becomes of each push on its way to the phone.
    case observed
    /// Somebody who answers, and no more: what becomes of accepted pushes is drawn as the scenario says.
    case unobserved
    /// Nobody answers the cell, since it sends nothing: monitor and sender are outside, too.
    ///
    /// The cell has rides, phones and the app's server; see ``ServerNews`` and ``PhonePush``.
    case withMonitor
}

extension Place where Entity == Push {
    var outsideID: OutgoingRequest.ID {
        OutgoingRequest.ID(ride: self.ride, drawIndex: self.drawIndex, place: number)
    }
}
