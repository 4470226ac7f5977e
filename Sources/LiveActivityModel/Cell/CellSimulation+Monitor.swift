import FreshnessCore
import Quantities
import RandomStreams
import SimulationKernel

/// The Freshness Monitor's shell: keeps its appointments, does what the core says, tells it what became known.
extension CellSimulation {
    /// The server has a token: from now on it can push, and the monitor watches.
    mutating func watchInstance(_ activity: Place<Activity>) {
        if !rules.endsAgain, activity.isRideOver || activity.isGivenUp, activity.instance?.isTokenInvalidated ?? false {
            // An end was accepted: to this server the activity is over.
            return
        }
        if activity.instance?.isTokenInvalidated ?? true {
            // What the server knows of the screen is the content that the activity began with.
            activity.instance = InstanceFreshness(
                content: activity.firstContent,
                at: loop.now,
                policy: world.policy
            )
        } else {
            _ = activity.instance?.tokenPublished(at: loop.now)
        }
        // Who posts a token after all that has not been reached by an end that APNs accepted. The decision stands.
        if activity.isRideOver || activity.isGivenUp {
            endInstance(activity)
        } else if !activity.isStageAnnounced {
            // The ride has moved on since the content that the phone began with.
            announce(activity, priority: world.scenario.content.stateChangePriority)
        }
        remindMonitor(activity)
    }

    /// When the monitor has something to do about an instance, at a scan if it scans; `never` if nothing is left.
    mutating func monitorDeadline(_ activity: Place<Activity>) -> Instant {
        guard rules.isMonitored || activity.isRideOver, let due = activity.instance?.nextDue(policy: world.policy)
        else { return .never }
        return appointment(activity, notBefore: max(due, loop.now))
    }

    mutating func appointment(_ activity: Place<Activity>, notBefore instant: Instant) -> Instant {
        // The end of a ride is an event of its own, for which no scan has to come.
        let scans = activity.isRideOver ? nil : world.scans
        return scans?.firstScan(notBefore: instant) ?? instant
    }

    /// Sees to it that the monitor looks at an instance no later than at its deadline.
    mutating func remindMonitor(_ activity: Place<Activity>) {
        activity.resendDue = .never
        remindMonitor(activity, at: monitorDeadline(activity))
    }

    mutating func monitorLooks(_ activity: Place<Activity>) {
        guard activity.instance != nil else {
            guard activity.resendDue == loop.now else { return }
            record(.monitor, of: activity)
            activity.resendDue = .never
            startResendDue(activity)
            return
        }
        let deadline = monitorDeadline(activity)
        guard deadline == loop.now else {
            remindMonitor(activity, at: deadline)
            return
        }
        let resumed = FaultTimeline.firstUncovered(by: world.faults.monitorPaused, notBefore: loop.now)
        guard resumed == loop.now else {
            remindMonitor(activity, at: appointment(activity, notBefore: resumed))
            return
        }
        record(.monitor, of: activity)
        account(activity)
        // One push at a time: what it leads to at this very instant comes before the next decision.
        while !actOnce(activity) {}
        remindMonitor(activity)
    }

    /// Performs one action of the core.
    ///
    /// - Returns: Whether it was one after which others get their turn.
    private mutating func actOnce(_ activity: Place<Activity>) -> Bool {
        let needsDraw = world.policy.retry.jitter != .none
        let pauseDraw = needsDraw ? draw(activity, .retryPause, activity.wakeCount) : 0
        activity.wakeCount += 1
        let action = activity.instance?
            .wake(
                at: loop.now,
                policy: world.policy,
                budget: &budget,
                draw: pauseDraw
            )
        switch action {
        case nil, .nothing:
            return true
        case .becameRecoverable:
            beginEpisode(activity, since: activity.instance?.staleSince ?? loop.now)
            tell(activity, .classified(.recoverable))
            return false
        case .retry(_, let priority):
            sendContent(activity, kind: .retry, priority: priority)
            return true
        case .withholdRetry:
            count(.retriesWithheld)
            tell(activity, .retryWithheld)
            return true
        case .becameSevere:
            if isScreenFresh(activity) {
                count(.falseKills, exampleAt: activity)
            }
            giveUp(activity)
            closeEpisode(activity, .episodesEndedSevere)
            count(in: .endedSevere)
            tell(activity, .classified(.severe))
            return false
        case .sendEnd:
            sendEnd(activity)
            return true
        }
    }

    mutating func isScreenFresh(_ activity: Place<Activity>) -> Bool {
        activity.phase == .live && loop.now < activity.screen.content.staleDate
    }

    // MARK: - What the server comes to know

    /// APNs has accepted a push; to a server that knows no better, that is as good as shown.
    @inline(__always)
    mutating func accepted(_ push: Place<Push>) {
        guard rules.confirmsAcceptance else { return }
        confirm(push, showing: push.payload.content)
    }

    /// A push has reached the phone; theory lets the server know what the screen shows now.
    ///
    /// Where newer content was there, that is what counts.
    @inline(__always)
    mutating func delivered(_ push: Place<Push>, _ fate: StoryLine.Fate) {
        guard !rules.confirmsAcceptance else { return }
        switch fate {
        case .shown, .ended: confirm(push, showing: push.payload.content)
        case .older where push.kind != .end: confirm(push, showing: activities[push.activity].screen.content)
        default: break
        }
    }

    @inline(__always)
    private mutating func confirm(_ push: Place<Push>, showing content: ContentStamp) {
        let activity = activities[push.activity]
        guard push.life == activity.life else { return }
        switch push.kind {
        case .start:
            return
        case .end:
            // An end that APNs accepted for a token since replaced says nothing about the phone behind the new one. What
            // is known to be on the screen is another matter.
            guard push.token == activity.serverToken || !rules.confirmsAcceptance else { return }
            invalidateToken(activity, isReported: false)
        case .update, .retry:
            accountUnlessFresh(activity)
            let confirmation = activity.instance?
                .contentConfirmed(
                    content,
                    at: loop.now,
                    policy: world.policy
                )
            guard let confirmation else { return }
            if case .recovered(let since) = confirmation {
                recover(activity, staleSince: since)
            }
            tell(activity, .confirmed(confirmation))
            // Where the deadline has only moved away, the look that is due anyway finds the new one.
            if confirmation != .stillFresh || activity.monitorReminder.next > activity.instance?.freshUntil ?? .start {
                remindMonitor(activity)
            }
        }
        releaseIfOver(activity)
    }

    /// APNs has refused a push.
    mutating func refused(_ push: Place<Push>, _ reason: APNsReason) {
        let activity = activities[push.activity]
        // A verdict on a token that has been replaced since says nothing about the new one.
        guard push.kind != .start, push.token == activity.serverToken else { return }
        account(activity)
        let refusal =
            push.kind == .end
            ? activity.instance?.endRefused(reason: reason, policy: world.policy)
            : activity.instance?.pushRefused(reason: reason, at: loop.now, policy: world.policy)
        if refusal == .discardToken {
            activity.serverToken = 0
            count(.tokensDiscarded)
            closeEpisode(activity, .episodesCutShort)
            tell(activity, .tokenDiscarded)
        }
        remindMonitor(activity)
        releaseIfOver(activity)
    }

    /// An end has worked, or the phone has reported its own: nothing more is sent.
    mutating func invalidateToken(_ activity: Place<Activity>, isReported: Bool) {
        account(activity)
        let confirmation =
            isReported
            ? activity.instance?.endReported() : activity.instance?.endConfirmed()
        let isNews = confirmation == .invalidateToken
        if hasOutsideMonitor { withdrawOutside(activity) }
        activity.serverToken = 0
        if isNews {
            count(.tokensInvalidated)
            closeEpisode(activity, .episodesCutShort)
            tell(activity, .tokenInvalidated)
        }
        remindMonitor(activity)
    }

    /// The ride is over: end events are due.
    mutating func endInstance(_ activity: Place<Activity>) {
        account(activity)
        guard activity.instance?.rideOver(at: loop.now) ?? false else {
            if hasOutsideMonitor { endOutside(activity) }
            return
        }
        closeEpisode(activity, .episodesCutShort)
        remindMonitor(activity)
    }
}

extension Activity {
    /// Why an end event ends the activity.
    var endReason: StoryLine.EndReason {
        isGivenUp ? .severe : isCancelled ? .cancelled : .rideOver
    }
}
