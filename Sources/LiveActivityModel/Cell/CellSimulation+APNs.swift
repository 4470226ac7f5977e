import FreshnessCore
import Quantities
import RandomStreams
import SimulationKernel

/// APNs: what it answers to a request, and what becomes of the push on the way to the phone.
extension CellSimulation {
    /// How a push ended, as counted; every push that was sent ends in exactly one way.
    enum Conclusion {
        case onDevice(StoryLine.Fate)
        case refused
        /// APNs never had it.
        case notAccepted
        /// The sender cancelled the request.
        case cancelled
    }

    /// A request reaches APNs.
    @inline(__always)
    mutating func submit(_ push: Place<Push>) {
        if rules.isDecidedOtherwise {
            if hasOutsideAPNs {
                submitOutside(push)
            } else {
                submitScripted(push)
            }
            return
        }
        if isStraightforward {
            submitStepByStep(push)
            return
        }
        // Drawn before anything is decided: draws wait for nothing, so the processor works on all of them at a time, while
        // what becomes of a push can only be guessed until they are there.
        let roundTrip = roundTrip(push)
        let transit = rules.decidesAtRequest ? transit(push) : .zero
        if isHit(by: world.faults.apnsSilent, push) {
            conclude(push, .notAccepted)
            respond(push, .timedOut, after: rules.timeout)
            return
        }
        if let reason = refusal(push) {
            conclude(push, .refused)
            respond(push, .refused(reason), after: roundTrip)
            return
        }
        if rules.hasQueue {
            awaitService(push)
            return
        }
        respond(push, .accepted, after: roundTrip)
        if rules.decidesAtRequest {
            decide(push, transit: transit)
        }
    }

    /// How long the response to a request that begins or was served now travels.
    @inline(__always)
    mutating func roundTrip(_ push: Place<Push>) -> TimeSpan {
        world.roundTrip(push.key, random, at: loop.now)
    }

    @inline(__always)
    mutating func isHit(by stretches: [FaultTimeline.Stretch], _ push: Place<Push>) -> Bool {
        world.isHit(by: stretches, push.key, random, at: loop.now)
    }

    // MARK: - What becomes of an accepted push

    /// Decides now what becomes of a push that APNs has accepted, on a way that takes so long.
    @inline(__always)
    private mutating func decide(_ push: Place<Push>, transit: TimeSpan) {
        if isTokenDead(push) {
            conclude(push, .onDevice(.deadToken))
        } else if world.isLost(push.key, push.priority, random) {
            conclude(push, .onDevice(.lost))
        } else {
            deliver(push, after: transit)
        }
    }

    /// Decides now what becomes of a push that APNs has accepted.
    mutating func decide(_ push: Place<Push>) {
        decide(push, transit: transit(push))
    }

    /// The sender has heard that APNs accepted a push.
    mutating func acceptanceHeard(_ push: Place<Push>) {
        if push.isUndecided {
            if push.isOutside {
                acceptanceHeardOutside(push)
            } else {
                decide(push)
            }
        }
    }

    /// The sender has given a request up.
    ///
    /// Where the latency counts from the response, nothing more comes of the push; else APNs may still deliver it.
    mutating func acceptanceMissed(_ push: Place<Push>) {
        if hasOutsideAPNs {
            missedOutside(push)
        } else if push.isUndecided, !rules.decidesAtRequest {
            conclude(push, .notAccepted)
        }
    }

    /// Why APNs refuses a push; nil when it accepts it.
    @inline(__always)
    mutating func refusal(_ push: Place<Push>) -> APNsReason? {
        if let reason = world.refusal(push.key, bytes: Int(push.payload.bytes), random, at: loop.now) {
            return reason
        }
        guard isTokenDead(push) else { return nil }
        let death = activities[push.activity].serverTokenDeadSince
        let isKnown = world.isKnownDead(token: push.token, of: push.ride, since: death, random, at: loop.now)
        return isKnown ? .unregistered : nil
    }

    /// Whether the update token of a push has stopped working.
    ///
    /// APNs comes to know that late. The token of a push under way may have been replaced, or its activity be over.
    @inline(__always)
    mutating func isTokenDead(_ push: Place<Push>) -> Bool {
        guard push.kind != .start else { return false }
        let activity = activities[push.activity]
        return !isCurrent(push) || activity.serverTokenDeadSince <= loop.now || push.token < activity.tokenNumber
    }

    /// The way to the phone.
    @inline(__always)
    private mutating func transit(_ push: Place<Push>) -> TimeSpan {
        world.transit(push.key, push.priority, random, at: loop.now)
    }

    @inline(__always)
    private mutating func deliver(_ push: Place<Push>, after transit: TimeSpan) {
        deliver(push, at: loop.now + transit)
    }

    /// Sends a push on its way to the phone, where it is to be at an instant, or later so as not to overtake another.
    @inline(__always)
    mutating func deliver(_ push: Place<Push>, at instant: Instant) {
        var due = instant
        if !rules.reorders, isCurrent(push) {
            let activity = activities[push.activity]
            due = max(due, activity.lastDeliveryAt)
            activity.lastDeliveryAt = due
        }
        push.deliveryDue = due
        schedule(.delivery, subject: push.number, at: due, priority: .delivery)
    }

    /// The next line of the script, for golden traces.
    private mutating func submitScripted(_ push: Place<Push>) {
        let script = world.scenario.apns.script ?? []
        let activity = activities[push.activity]
        let index = Int(activity.scriptedRequests)
        activity.scriptedRequests &+= 1
        switch index < script.count ? script[index] : .lost {
        case .delivered(let span):
            respond(push, .accepted, after: .zero)
            deliver(push, after: span)
        case .lost:
            respond(push, .accepted, after: .zero)
            conclude(push, .onDevice(.lost))
        case .tokenDead(let span):
            conclude(push, .refused)
            respond(push, .refused(.unregistered), after: span)
        }
    }

    // MARK: - At the phone

    mutating func deliveryArrived(_ push: Place<Push>) {
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
        if activity.storedPush == push.number {
            activity.storedPush = Activity.noPush
        }
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
    private mutating func store(_ push: Place<Push>, of activity: Place<Activity>, until online: Instant) {
        let storage = world.scenario.apns.storage
        let expiration =
            push.kind == .end ? world.scenario.apns.endExpiration : world.scenario.apns.expiration
        let expiresAt = push.sentAt + expiration
        guard storage != .none, expiresAt > loop.now else {
            settle(push, .notStored)
            return
        }
        if storage == .one {
            let older = activity.storedPush
            if older != Activity.noPush, older != push.number {
                pushes[older].isReplaced = true
            }
            activity.storedPush = push.number
        }
        guard online <= expiresAt else {
            if storage == .one {
                activity.storedPush = Activity.noPush
            }
            settle(push, .expired)
            return
        }
        pushCame(push, to: .stored)
        tell(activity, .stored(push.kind, until: online))
        push.deliveryDue = online
        schedule(.delivery, subject: push.number, at: online, priority: .delivery)
    }

    /// A push has ended at the phone or on its way there.
    private mutating func settle(_ push: Place<Push>, _ fate: StoryLine.Fate) {
        push.deliveryDue = .never
        conclude(push, .onDevice(fate))
    }

    /// Counts how a push ended.
    mutating func conclude(_ push: Place<Push>, _ conclusion: Conclusion) {
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
        ledger.count(counter)
        if counter == .fateShown {
            ledger.add(1, to: .updatesShown, at: loop.now)
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
