public import Quantities
import SimulationKernel

/// The APNs port: it passes requests out and their outcomes in.
///
/// The host calls ``takeOutbox()`` whenever it has run events, and passes incoming messages with the instant of their
/// arrival. The cell acts on a message at that instant, or later, as on an event of its own. Messages about a request
/// that the cell has already finished are ignored.
extension CellSimulation {
    /// A cell before its first event, with some of its stations behind ports.
    ///
    /// - Parameters:
    ///   - seed: Overrides the scenario's seed.
    ///   - watch: The rides whose histories are recorded.
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

    /// Returns the outgoing messages in order, and removes them.
    public mutating func takeOutbox() -> ContiguousArray<OutgoingNews> { ports.takeOutgoing() }

    /// `true` if there are outgoing messages that the host has not taken.
    public var hasOutgoing: Bool { ports.hasOutgoing }

    /// `true` if no event is pending and nothing outside the cell can cause one.
    public var isIdle: Bool { loop.pendingCount == 0 && pushes.takenCount == 0 && !ports.hasOutgoing }

    /// Passes a request to the port; without a response it ends at its timeout.
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
                    alerts: push.payload.alerts,
                    content: push.payload.content,
                    timestamp: push.payload.timestamp,
                    sentAt: push.sentAt,
                    channel: push.kind == .start && groups.isUsed ? channelNumber(of: activities[push.activity]) : nil
                )
            )
        )
    }

    /// Reports that the sender no longer waits for a request; a push that is in flight may still arrive.
    mutating func tellGivenUp(_ push: Handle<Push>) {
        ports.send(.givenUp(push.requestID))
    }

    /// Reports that the last token of an activity has stopped working.
    @inline(__always)
    mutating func tellTokenDied(_ activity: Handle<Activity>) {
        if ports.requests == .remote, activity.tokenNumber > 0 {
            ports.send(.tokenDied(ride: activity.ride, number: activity.tokenNumber, since: loop.now))
        }
    }

    /// Reports a change of a channel.
    @inline(__always)
    mutating func tellChannel(_ news: @autoclosure () -> ChannelNews) {
        if ports.requests == .remote { ports.send(.channel(news())) }
    }

    // MARK: - Incoming messages

    /// Accepts an incoming message.
    ///
    /// - Parameter instant: When it arrived, or will arrive; now if that is past for the cell.
    public mutating func hear(_ news: IncomingNews, at instant: Instant) {
        let instant = max(instant, loop.now)
        switch news {
        case .answered(let id, let response):
            guard let push = awaited(id) else { return }
            // After its accepted end a channel has no members, so the end must have been sent on before.
            if response == .accepted, push.isToChannel, push.service == .remote, ports.isObserved {
                ports.hold(acceptanceOf: id, at: instant)
            } else {
                answered(push, response, at: instant)
            }
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
            // If it was rejected, its response says so.
            if push.responseDue == .never {
                close(push, .notAccepted)
            } else {
                push.service = .void
            }
        case .sentOn(let id, let rides):
            guard let push = undecided(id), push.isToChannel else { return }
            push.service = .none
            sendOn(push, throughPortTo: rides)
            if let heldAt = ports.takeAcceptance(of: id), awaited(id) != nil {
                answered(push, .accepted, at: max(heldAt, instant))
            }
            releaseIfDone(push)
        case .copyArrived(let id, let ride):
            guard let copy = copy(of: id, to: ride) else { return }
            copy.service = .none
            deliverCopy(copy, at: instant)
        case .copyLost(let id, let ride):
            guard let copy = copy(of: id, to: ride) else { return }
            close(copy, .onDevice(.lost))
        case .pushed(let push):
            reach(push, at: instant)
        }
    }

    /// The copy of a channel's push that is on its way to the phone of a ride.
    private mutating func copy(of id: OutgoingRequest.ID, to ride: UInt64) -> Handle<Push>? {
        guard let number = ports.takeCopy(ride: ride, drawIndex: id.drawIndex) else { return nil }
        let copy = pushes[number]
        enterCohort(of: activities[copy.activity])
        return copy
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

    /// The push with an ID, if the sender is still waiting for its response.
    private mutating func awaited(_ id: OutgoingRequest.ID) -> Handle<Push>? {
        guard let push = known(id), push.passage.standing == .underWay, case .timedOut = push.response else {
            return nil
        }
        return push
    }

    /// The push with an ID, if its fate is not known yet.
    private mutating func undecided(_ id: OutgoingRequest.ID) -> Handle<Push>? {
        guard let push = known(id), push.isRemote, !push.isConcluded else { return nil }
        return push
    }

    private mutating func known(_ id: OutgoingRequest.ID) -> Handle<Push>? {
        guard id.place < pushes.count else { return nil }
        let push = pushes[id.place]
        guard push.isInUse, push.requestID == id else { return nil }
        enterCohort(of: activities[push.activity])
        return push
    }

    /// Concludes a push that will not reach the phone.
    private mutating func close(_ push: Handle<Push>, _ conclusion: Conclusion) {
        push.service = .none
        if !push.isConcluded {
            conclude(push, conclusion)
        }
        releaseIfDone(push)
    }

    // MARK: - The sender's view

    /// The sender has received the acceptance of a request; if the remote APNs does not report fates, the model
    /// decides.
    mutating func acceptanceHeardThroughPort(_ push: Handle<Push>) {
        if !ports.isObserved {
            push.service = .none
            decide(push)
        }
    }

    /// The sender has given up on a request; a remote APNs that reports fates may still deliver its push.
    mutating func missedThroughPort(_ push: Handle<Push>) {
        tellGivenUp(push)
        if push.service == .void || push.service == .remote && !ports.isObserved {
            push.service = .none
            if !push.isConcluded {
                conclude(push, .notAccepted)
            }
        }
    }

    /// Concludes a request whose connection is lost, or that is cancelled for another, and reports it.
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
