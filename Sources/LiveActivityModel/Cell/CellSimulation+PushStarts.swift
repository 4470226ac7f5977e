import FreshnessCore
import Quantities
import SimulationKernel

/// Push-to-start tokens that change, and activities that are renewed before Apple's limit.
extension CellSimulation {
    // MARK: - Push-to-start tokens

    /// Makes the changes of a phone's push-to-start token up to now.
    ///
    /// Changes are not events: they are made when something depends on them. A new activity changes the time for which the
    /// app runs, so this must be called before it starts.
    mutating func updateStartToken(of activity: Handle<Activity>) {
        guard let sampler = own.samplers.startTokenRotation else { return }
        var token = startTokens[activity.number]
        let phone = RideNumber.first(ofRider: activity.ride)
        // Without a pause between changes, time would not advance.
        func pause(_ number: UInt32) -> TimeSpan {
            max(span(sampler, phone, .startTokenRotation, number), TimeSpan(microseconds: 1))
        }
        if token.changesAt == .never { token.changes(at: activity.requestedAt + pause(0)) }
        while token.changesAt <= loop.now {
            let at = token.changesAt
            let isPosted = at < activity.appAliveUntil && !FaultTimeline.any(world.faults.tokenPostDown, cover: at)
            token.changed(isPosted: isPosted)
            token.changes(at: at + pause(token.number))
        }
        startTokens[activity.number] = token
    }

    /// Handles an app that posts the update token: it posts the push-to-start token, too.
    mutating func postStartToken(_ activity: Handle<Activity>) {
        guard startTokens.isUsed else { return }
        updateStartToken(of: activity)
        let isNews = startTokens[activity.number].deadSince != .never
        startTokens[activity.number].appPosted()
        if isNews { log(activity, .startTokenPosted) }
    }

    /// `true` if the server has a push-to-start token; a start without one is not sent.
    mutating func hasStartToken(_ activity: Handle<Activity>) -> Bool {
        guard startTokens.isUsed else { return true }
        updateStartToken(of: activity)
        guard startTokens[activity.number].isDiscarded else { return true }
        count(.startsWithoutToken)
        return false
    }

    /// Handles a start whose request begins: it goes to the push-to-start token that the server has.
    mutating func startRequested(_ push: Handle<Push>) {
        push.token = 0
        guard startTokens.isUsed, isCurrent(push) else { return }
        let activity = activities[push.activity]
        updateStartToken(of: activity)
        push.token = startTokens[activity.number].serverToken
        if startTokens[activity.number].deadSince <= loop.now { count(.startsToOldToken, exampleAt: activity) }
    }

    /// When the push-to-start token of a start stopped working; `never` while it works.
    func startTokenDeadSince(_ push: Handle<Push>) -> Instant {
        guard startTokens.isUsed, isCurrent(push) else { return .never }
        return startTokens[push.activity].deadSince(push.token, at: loop.now)
    }

    /// Handles a start that APNs has rejected.
    mutating func startRefused(_ push: Handle<Push>, _ reason: APNsReason) {
        guard startTokens.isUsed, reason.verdict == .tokenIsDead else { return }
        startTokens[push.activity].rejected(push.token)
    }

    // MARK: - Renewal

    /// Handles the time before Apple's limit at which a new activity is to replace an old one.
    mutating func renewalCameUp(_ activity: Handle<Activity>) {
        // The draw is after those of the first life's attempts.
        let isForeground = !isInBackground(activity, draw: UInt32(activity.life) << 8)
        let renewer = renewals[activity.number]
            .cameUp(
                isNeeded: !activity.isRideOver && !activity.isGivenUp,
                appMayStart: isAppAlive(activity) && isForeground && appGetsContent(activity)
            )
        switch renewer {
        case .app:
            replaceActivity(activity, with: currentContent(), by: .app)
            scheduleRegistration(activity)
        case .server:
            guard phoneHas(own.devices.pushToStart.hasToken, activity, .hasStartToken),
                hasStartToken(activity)
            else { return }
            send(.start, to: activity, isRenewal: true)
        case nil:
            break
        }
    }

    /// Handles a start by push that renews an activity, unless it comes too late.
    mutating func renew(_ activity: Handle<Activity>, by push: Handle<Push>) -> StoryLine.Fate {
        let isLive = activity.phone.phase == .live
        guard !activity.isRideOver, push.life == activity.life, isLive || activity.lastEnd == .systemLimit else {
            return .startIgnored
        }
        count(.activitiesStartedByPush)
        replaceActivity(activity, with: push.payload.content, by: .push)
        return .started
    }

    /// Replaces an activity by a new one; the server learns of it at once.
    private mutating func replaceActivity(_ activity: Handle<Activity>, with content: ContentStamp, by starter: Starter)
    {
        if activity.phone.phase == .live { endActivity(activity, reason: .renewed, by: .renewal) }
        if activity.registration == .endReport {
            activity.registration = .idle
            activity.entity.pointee.registrationAlarm.callOff()
            log(activity, .endReported)
            endReported(activity)
        }
        count(.activitiesRenewed, exampleAt: activity)
        startActivity(activity, content: content, by: starter)
    }
}
