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
    mutating func submit(_ slot: UInt32) {
        let push = pushes[Int(slot)]
        if let script = world.scenario.apns.script {
            submitScripted(slot, script)
            return
        }
        if isHit(by: world.faults.apnsSilent, push) {
            conclude(slot, .notAccepted)
            respond(slot, .timedOut, after: world.scenario.sender.timeout)
            return
        }
        if let reason = refusal(push) {
            conclude(slot, .refused)
            respond(slot, .refused(reason), after: roundTrip(push))
            return
        }
        if world.queueing != nil {
            awaitService(slot)
            return
        }
        respond(slot, .accepted, after: roundTrip(push))
        if world.scenario.apns.latencyFrom == .request {
            decide(slot)
        }
    }

    /// How long the response to a request that begins or was served now travels.
    func roundTrip(_ push: Push) -> TimeSpan {
        world.faults.slowed(world.bank.timeSpan(world.samplers.requestTime, draw(push, .requestTime)), at: loop.now)
    }

    /// The draw of a request; its activity may be gone.
    func draw(_ push: Push, _ purpose: Purpose) -> UInt64 {
        random.draw(entity: push.ride, purpose: purpose.rawValue, index: push.drawIndex)
    }

    private func isHit(by stretches: [FaultTimeline.Stretch], _ push: Push) -> Bool {
        stretches.contains { stretch in
            guard stretch.covers(loop.now), stretch.share != .never else { return false }
            let purpose = Purpose.firstFaultHitsRequest.rawValue + UInt16(stretch.number)
            return stretch.share == .always
                || stretch.share.happens(random.draw(entity: push.ride, purpose: purpose, index: push.drawIndex))
        }
    }

    // MARK: - What becomes of an accepted push

    /// Decides now what becomes of a push that APNs has accepted.
    mutating func decide(_ slot: UInt32) {
        let push = pushes[Int(slot)]
        let loss = world.scenario.apns.loss
        let share = push.priority == .considerate ? world.scenario.apns.considerateLoss ?? loss : loss
        if isTokenDead(push) {
            conclude(slot, .onDevice(.deadToken))
        } else if share == .always || share != .never && share.happens(draw(push, .loss)) {
            conclude(slot, .onDevice(.lost))
        } else {
            deliver(slot, after: transit(push))
        }
    }

    /// The sender has heard that APNs accepted a push.
    mutating func acceptanceHeard(_ slot: UInt32) {
        if pushes[Int(slot)].isUndecided {
            decide(slot)
        }
    }

    /// The sender has given a request up.
    ///
    /// Where the latency counts from the response, nothing more comes of the push; else APNs may still deliver it.
    mutating func acceptanceMissed(_ slot: UInt32) {
        if pushes[Int(slot)].isUndecided, world.scenario.apns.latencyFrom == .response {
            conclude(slot, .notAccepted)
        }
    }

    /// Why APNs refuses a push; nil when it accepts it.
    private func refusal(_ push: Push) -> APNsReason? {
        if isHit(by: world.faults.apnsUnavailable, push) {
            return .serviceUnavailable
        }
        if !world.refusals.isEmpty,
            let reason = world.refusals.reason(for: draw(push, .refusal))
        {
            return reason
        }
        if push.bytes > world.scenario.content.payload.limit {
            return .payloadTooLarge
        }
        if isTokenDead(push) {
            let activity = activities[Int(push.activity)]
            let lag = span(world.samplers.expiredTokenLag, push.activity, .expiredTokenLag, push.token)
            if activity.serverTokenDeadSince + lag <= loop.now {
                return .unregistered
            }
        }
        return nil
    }

    /// Whether the update token of a push has stopped working.
    ///
    /// APNs comes to know that late. The token of a push under way may have been replaced, or its activity be over.
    private func isTokenDead(_ push: Push) -> Bool {
        guard push.kind != .start else { return false }
        let activity = activities[Int(push.activity)]
        return !isCurrent(push) || activity.serverTokenDeadSince <= loop.now || push.token < activity.tokenNumber
    }

    /// The way to the phone.
    private func transit(_ push: Push) -> TimeSpan {
        var transit = world.faults.slowed(
            world.bank.timeSpan(world.samplers.latency, draw(push, .latency)),
            at: loop.now
        )
        if push.priority == .considerate {
            transit += world.bank.timeSpan(world.samplers.considerateDelay, draw(push, .considerateDelay))
        }
        return transit
    }

    private mutating func deliver(_ slot: UInt32, after transit: TimeSpan) {
        let activity = Int(pushes[Int(slot)].activity)
        var due = loop.now + transit
        if !world.scenario.apns.reorder, isCurrent(pushes[Int(slot)]) {
            due = max(due, activities[activity].lastDeliveryAt)
            activities[activity].lastDeliveryAt = due
        }
        pushes[Int(slot)].deliveryDue = due
        schedule(.delivery, subject: slot, at: due, priority: .delivery)
    }

    /// The next line of the script, for golden traces.
    private mutating func submitScripted(_ slot: UInt32, _ script: [Scenario.ScriptedOutcome]) {
        let activity = Int(pushes[Int(slot)].activity)
        let index = Int(activities[activity].scriptedRequests)
        activities[activity].scriptedRequests &+= 1
        switch index < script.count ? script[index] : .lost {
        case .delivered(let span):
            respond(slot, .accepted, after: .zero)
            deliver(slot, after: span)
        case .lost:
            respond(slot, .accepted, after: .zero)
            conclude(slot, .onDevice(.lost))
        case .tokenDead(let span):
            conclude(slot, .refused)
            respond(slot, .refused(.unregistered), after: span)
        }
    }

    // MARK: - At the phone

    mutating func deliveryArrived(_ slot: UInt32) {
        let push = pushes[Int(slot)]
        guard push.isInUse, push.deliveryDue == loop.now else { return }
        loop.record(event: EventKind.delivery.rawValue, subject: push.ride)
        guard isCurrent(push) else {
            settle(slot, .afterEnd)
            return
        }
        if push.isReplaced {
            settle(slot, .replacedInStore)
            return
        }
        let online = connected(push.activity, notBefore: loop.now)
        guard online == loop.now else {
            store(slot, until: online)
            return
        }
        if activities[Int(push.activity)].storedPush == slot {
            activities[Int(push.activity)].storedPush = Activity.noPush
        }
        let fate = applyPush(push.activity, push)
        settle(slot, fate)
        if fate == .ended {
            let reason = activities[Int(push.activity)].endReason
            endActivity(push.activity, reason: reason)
        }
        delivered(push, fate)
        releaseIfOver(push.activity)
    }

    /// The phone has no connection: APNs keeps the push for later, or not.
    private mutating func store(_ slot: UInt32, until online: Instant) {
        let push = pushes[Int(slot)]
        let activity = Int(push.activity)
        let storage = world.scenario.apns.storage
        let expiration =
            push.kind == .end ? world.scenario.apns.endExpiration : world.scenario.apns.expiration
        let expiresAt = push.sentAt + expiration
        guard storage != .none, expiresAt > loop.now else {
            settle(slot, .notStored)
            return
        }
        if storage == .one {
            let older = activities[activity].storedPush
            if older != Activity.noPush, older != slot {
                pushes[Int(older)].isReplaced = true
            }
            activities[activity].storedPush = slot
        }
        guard online <= expiresAt else {
            if storage == .one {
                activities[activity].storedPush = Activity.noPush
            }
            settle(slot, .expired)
            return
        }
        tell(push.activity, .stored(push.kind, until: online))
        pushes[Int(slot)].deliveryDue = online
        schedule(.delivery, subject: slot, at: online, priority: .delivery)
    }

    /// A push has ended at the phone or on its way there.
    private mutating func settle(_ slot: UInt32, _ fate: StoryLine.Fate) {
        pushes[Int(slot)].deliveryDue = .never
        conclude(slot, .onDevice(fate))
        releaseIfDone(slot)
    }

    /// Counts how a push ended.
    mutating func conclude(_ slot: UInt32, _ conclusion: Conclusion) {
        pushes[Int(slot)].isConcluded = true
        let push = pushes[Int(slot)]
        let counter: Counter
        switch conclusion {
        case .onDevice(let fate):
            counter = fate.counter
            tell(of: push, .fate(push.kind, fate))
        case .refused: counter = .fateRefused
        case .notAccepted: counter = .fateNotAccepted
        case .cancelled: counter = .fateCancelled
        }
        guard push.isCounted else { return }
        measurements.count(counter)
        if counter == .fateShown {
            measurements.series.add(1, to: .updatesShown, window: window(of: loop.now))
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
