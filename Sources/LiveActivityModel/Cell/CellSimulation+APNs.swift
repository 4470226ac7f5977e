import FreshnessCore
import Quantities
import SimulationKernel

/// The cell as host of ``APNsStation`` and ``APNsDestination``: it submits requests, returns responses to the sender,
/// delivers pushes to phones, and counts how each push ended.
extension CellSimulation {
    // MARK: - Requests

    /// A request reaches APNs.
    @inline(__always)
    mutating func submit(_ push: Handle<Push>) {
        guard ports.requests == .station else {
            if ports.requests == .remote { submitThroughPort(push) } else { submitScripted(push) }
            return
        }
        switch apns.received(request(push), apnsRules, at: loop.now) {
        case .silence:
            conclude(push, .notAccepted)
            expectTimeOut(push)
        case .refused(let reason, let span):
            conclude(push, .refused)
            respond(push, .refused(reason), after: span)
        case .queued:
            awaitService(push)
        case .accepted(let span, let passage):
            respond(push, .accepted, after: span)
            if let passage { follow(push, passage) }
        }
    }

    /// The properties of a push that APNs uses.
    @inline(__always)
    func request(_ push: Handle<Push>) -> APNsStation.Request {
        APNsStation.Request(
            ride: push.ride,
            drawIndex: push.drawIndex,
            tokenNumber: push.token,
            tokenDeadSince: tokenDeadSince(push),
            priority: push.priority,
            bytes: Int(push.payload.bytes),
            isToChannel: push.isToChannel
        )
    }

    /// When the token of a push stopped working; `never` while it works.
    ///
    /// Once the activity has ended, or has another token, the exact instant does not matter, because APNs has checked
    /// it before.
    @inline(__always)
    func tokenDeadSince(_ push: Handle<Push>) -> Instant {
        guard push.kind != .start else { return startTokenDeadSince(push) }
        guard isCurrent(push) else { return loop.now }
        let activity = activities[push.activity]
        let isReplaced = push.token < activity.tokenNumber
        return isReplaced ? min(activity.tokenDeadSince, loop.now) : activity.tokenDeadSince
    }

    /// Answers with the next line of the script, for golden traces.
    private mutating func submitScripted(_ push: Handle<Push>) {
        let script = world.scenario.apns.script ?? []
        let activity = activities[push.activity]
        // This request is counted already.
        let index = Int(activity.requestCount) - 1
        switch index < script.count ? script[index] : .lost {
        case .delivered(let span):
            respond(push, .accepted, after: .zero)
            deliver(push, at: loop.now + span)
        case .lost:
            respond(push, .accepted, after: .zero)
            conclude(push, .onDevice(.lost))
        case .tokenDead(let span):
            conclude(push, .refused)
            respond(push, .refused(.unregistered), after: span)
        }
    }

    // MARK: - Servers

    /// Queues a request for a server; the sender receives nothing until it is served or times out.
    private mutating func awaitService(_ push: Handle<Push>) {
        push.service = .waiting
        apns.join(push.number)
        expectTimeOut(push)
        startServices()
    }

    /// Assigns waiting requests to free servers.
    private mutating func startServices() {
        while let next = apns.nextInTurn(apnsRules) {
            let push = pushes[next]
            if case .connectionLost = push.response {
                apns.serviceEnded()
                leaveAPNs(push)
                continue
            }
            switch apns.beginService(of: request(push), sentAt: push.sentAt, apnsRules, at: loop.now) {
            case .ends(let end):
                push.service = .underWay
                schedule(.service, subject: push.number, at: end)
            case .discarded:
                if push.isUndecided { conclude(push, .notAccepted) }
                leaveAPNs(push)
            }
        }
    }

    mutating func serviceEnded(_ push: Handle<Push>) {
        loop.record(event: EventKind.service.rawValue, subject: push.ride)
        apns.serviceEnded()
        if push.isUndecided,
            case .accepted(let span, let passage) = apns.served(request(push), apnsRules, at: loop.now)
        {
            // A sender that is paused beyond the timeout has not given up yet, but will.
            if push.responseDue != .never, isHeard(push, at: loop.now) {
                respond(push, .accepted, after: span)
            }
            if let passage { follow(push, passage) }
        }
        leaveAPNs(push)
        startServices()
    }

    /// Removes a request from the servers and their queue.
    private mutating func leaveAPNs(_ push: Handle<Push>) {
        push.service = .none
        releaseIfDone(push)
    }

    // MARK: - The fate of an accepted push

    /// The sender has received the acceptance of a push.
    mutating func acceptanceHeard(_ push: Handle<Push>) {
        if push.isUndecided {
            if push.isRemote {
                acceptanceHeardThroughPort(push)
            } else {
                decide(push)
            }
        }
    }

    /// Determines the fate of a push that APNs has accepted.
    mutating func decide(_ push: Handle<Push>) {
        follow(push, apns.passage(of: request(push), apnsRules, at: loop.now))
    }

    @inline(__always)
    private mutating func follow(_ push: Handle<Push>, _ passage: APNsStation.Passage) {
        if push.isToChannel { return sendOn(push) }
        switch passage {
        case .deadToken: conclude(push, .onDevice(.deadToken))
        case .lost: conclude(push, .onDevice(.lost))
        case .arrives(let span): deliver(push, at: loop.now + span)
        }
    }

    /// The sender has given up on a request.
    ///
    /// If the latency counts from the response, the push is not delivered. Otherwise APNs may still deliver it.
    mutating func acceptanceMissed(_ push: Handle<Push>) {
        if ports.requests == .remote {
            missedThroughPort(push)
        } else if push.isUndecided, apnsRules.decidesWithResponse {
            conclude(push, .notAccepted)
        }
    }

    /// Schedules the delivery of a push at an instant, or later if it must not overtake another push.
    @inline(__always)
    mutating func deliver(_ push: Handle<Push>, at instant: Instant) {
        var due = instant
        if !rules.reorders, isCurrent(push) {
            due = activities[push.activity].entity.pointee.destination.arrival(notBefore: instant)
        }
        push.deliveryDue = due
        schedule(.delivery, of: push, at: due)
    }

    // MARK: - At the phone, or in the store for one without a connection

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
        if groups.isUsed, fate == .shown { contentShown(push) }
        if fate == .shown, push.payload.photo != nil || push.payload.alerts {
            photoShown(push, by: activity)
            if push.payload.alerts { alertShown(push, by: activity) }
        }
        if fate == .ended {
            let content = push.payload.content
            let hadContent = !FaultTimeline.any(world.faults.contentDown, cover: content.generatedAt)
            endActivity(
                activity,
                reason: activity.endReason,
                by: .push(sentAt: push.sentAt),
                showing: hadContent ? content : nil
            )
        }
        delivered(push, fate)
        releaseIfDone(push)
        scheduleRegistration(activity)
        releaseIfOver(activity)
    }

    /// The phone is offline: APNs stores the push, or drops it.
    private mutating func store(_ push: Handle<Push>, of activity: Handle<Activity>, until online: Instant) {
        let keeping = activity.entity.pointee.destination.keep(
            push.number,
            sentAt: push.sentAt,
            expiration: expiration(of: push),
            storage: storage(of: push),
            until: online,
            at: loop.now
        )
        if keeping != .notStored, world.scenario.apns.storage == .onePerPhone { replaceOthers(besides: activity) }
        switch keeping {
        case .notStored:
            settle(push, .notStored)
        case .expired(let older):
            if let older { replaced(pushes[older]) }
            settle(push, .expired)
            let expiresAt = APNsDestination.expiry(
                sentAt: push.sentAt,
                expiration: expiration(of: push),
                storage: storage(of: push)
            )
            lastTakesEffect(at: expiresAt, of: push)
        case .stored(let older):
            if let older { replaced(pushes[older]) }
            pushCame(push, to: .stored)
            log(activity, .stored(push.kind, until: online))
            push.deliveryDue = online
            schedule(.delivery, of: push, at: online)
        }
    }

    /// A newer push has replaced a stored one, which ends when the phone is online.
    mutating func replaced(_ push: Handle<Push>) {
        push.isReplaced = true
        if push.payload.photo != nil { photoLost(of: push, isOutdated: false) }
    }

    /// How long APNs stores a push for a phone that is offline.
    func expiration(isEnd: Bool) -> TimeSpan {
        isEnd ? world.scenario.apns.endExpiration : world.scenario.apns.expiration
    }

    /// How long APNs stores a push.
    private func expiration(of push: Handle<Push>) -> TimeSpan {
        let asked = expiration(isEnd: push.kind == .end)
        return push.isFromChannel ? min(asked, Scenario.Channel.longestStorage) : asked
    }

    /// How many pushes APNs stores with a push.
    private func storage(of push: Handle<Push>) -> Scenario.PushStorage {
        guard push.isFromChannel, let groups = world.scenario.groups else { return world.scenario.apns.storage }
        return groups.channel.storage == .none ? .none : .one
    }

    /// A push has ended at the phone or on its way there.
    private mutating func settle(_ push: Handle<Push>, _ fate: StoryLine.Fate) {
        push.deliveryDue = .never
        conclude(push, .onDevice(fate))
    }

    /// How a push ended; every push that was sent ends in exactly one way.
    enum Conclusion {
        case onDevice(StoryLine.Fate)
        case refused
        /// APNs never accepted it.
        case notAccepted
        /// The sender cancelled the request.
        case cancelled
        /// APNs sends it on to the phones of its channel.
        case sentOn
    }

    /// Counts how a push ended.
    mutating func conclude(_ push: Handle<Push>, _ conclusion: Conclusion) {
        push.isConcluded = true
        let counter: Counter
        switch conclusion {
        case .onDevice(let fate):
            let end = fate.end
            counter = end.counter
            if let place = end.place { pushCame(push, to: place) }
            log(of: push, .fate(push.kind, fate))
        case .refused: counter = .fateRefused
        case .notAccepted: counter = .fateNotAccepted
        case .sentOn: counter = .fateSentOn
        case .cancelled:
            counter = .fateCancelled
            pushCame(push, to: .notSent)
        }
        if push.payload.photo != nil, counter != .fateShown { photoLost(of: push, isOutdated: counter == .fateOlder) }
        if push.isCounted { countEnd(counter) }
    }

    /// Counts the end of a push if the push itself is counted.
    @inline(__always)
    mutating func countEnd(_ counter: Counter) {
        recorder.count(counter)
        if counter == .fateShown {
            recorder.add(1, to: .updatesShown, at: loop.now)
        }
    }
}
