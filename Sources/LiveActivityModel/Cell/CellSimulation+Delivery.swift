import Quantities
import SimulationKernel

/// Pushes at phones, or at the store of APNs for phones without a connection, and how each push ended.
extension CellSimulation {
    mutating func deliveryArrived(_ push: Handle<Push>) {
        guard push.isInUse, push.deliveryDue == loop.now else { return }
        loop.record(event: EventKind.delivery.rawValue, subject: push.ride)
        guard isCurrent(push) else {
            settle(push, .afterEnd)
            releaseIfDone(push)
            return
        }
        if push.isReplaced {
            settle(push, .replacedInStore)
            releaseIfDone(push)
            return
        }
        let activity = activities[push.activity]
        let online = connected(activity, notBefore: loop.now)
        guard online == loop.now else {
            store(push, of: activity, until: online)
            releaseIfDone(push)
            return
        }
        activity.entity.pointee.destination.taken(push.number)
        let fate = applyPush(activity, push)
        settle(push, fate)
        if fate == .ended {
            endActivity(activity, reason: activity.endReason)
        }
        delivered(push, fate)
        releaseIfDone(push)
        releaseIfOver(activity)
    }

    /// The phone has no connection: APNs keeps the push for later, or not.
    private mutating func store(_ push: Handle<Push>, of activity: Handle<Activity>, until online: Instant) {
        let keeping = activity.entity.pointee.destination
            .keep(
                push.number,
                isEnd: push.kind == .end,
                sentAt: push.sentAt,
                until: online,
                at: loop.now,
                world.storage
            )
        switch keeping {
        case .notStored:
            settle(push, .notStored)
        case .expired(let older):
            if let older { pushes[older].isReplaced = true }
            settle(push, .expired)
        case .stored(let older):
            if let older { pushes[older].isReplaced = true }
            pushCame(push, to: .stored)
            tell(activity, .stored(push.kind, until: online))
            push.deliveryDue = online
            schedule(.delivery, subject: push.number, at: online, priority: .delivery)
        }
    }

    /// A push has ended at the phone or on its way there.
    private mutating func settle(_ push: Handle<Push>, _ fate: StoryLine.Fate) {
        push.deliveryDue = .never
        conclude(push, .onDevice(fate))
    }

    /// How a push ended, as counted; every push that was sent ends in exactly one way.
    enum Conclusion {
        case onDevice(StoryLine.Fate)
        case refused
        /// APNs never had it.
        case notAccepted
        /// The sender cancelled the request.
        case cancelled
    }

    /// Counts how a push ended.
    mutating func conclude(_ push: Handle<Push>, _ conclusion: Conclusion) {
        push.isConcluded = true
        let counter: Counter
        switch conclusion {
        case .onDevice(let fate):
            counter = fate.counter
            if let place = fate.whereabouts { pushCame(push, to: place) }
            tell(of: push, .fate(push.kind, fate))
        case .refused: counter = .fateRefused
        case .notAccepted: counter = .fateNotAccepted
        case .cancelled:
            counter = .fateCancelled
            pushCame(push, to: .notSent)
        }
        guard push.isCounted else { return }
        recorder.count(counter)
        if counter == .fateShown {
            recorder.add(1, to: .updatesShown, at: loop.now)
        }
    }
}

extension StoryLine.Fate {
    var counter: Counter {
        switch self {
        case .shown: .fateShown
        case .ended: .fateEnded
        case .started: .fateStarted
        case .older: .fateOlder
        case .throttled: .fateThrottled
        case .undecodable: .fateUndecodable
        case .lost: .fateLost
        case .deadToken: .fateDeadToken
        case .afterEnd: .fateAfterEnd
        case .replacedInStore: .fateReplacedInStore
        case .expired: .fateExpired
        case .notStored: .fateNotStored
        case .startIgnored: .fateStartIgnored
        }
    }
}
