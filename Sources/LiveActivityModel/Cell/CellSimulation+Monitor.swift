import FreshnessCore
import Quantities
import RandomStreams
import SimulationKernel

/// The Freshness Monitor's shell: keeps its appointments, does what the core says, tells it what became known.
extension CellSimulation {
    /// The server has a token: from now on it can push, and the monitor watches.
    mutating func watchInstance(_ slot: UInt32) {
        let activity = activities[Int(slot)]
        if activity.instance?.isTokenInvalidated ?? true {
            // What the server knows of the screen is the content that the activity began with.
            activities[Int(slot)].instance = InstanceFreshness(
                content: activity.screen.firstContent,
                at: loop.now,
                policy: world.policy
            )
        } else {
            _ = activities[Int(slot)].instance?.tokenPublished(at: loop.now)
        }
        // Who posts a token after all that has not been reached by an end that APNs accepted. The decision stands.
        if activity.isRideOver || activity.isGivenUp {
            endInstance(slot)
        } else if activity.announcedStage != activity.stage {
            // The ride has moved on since the content that the phone began with.
            announce(slot, priority: world.scenario.content.stateChangePriority)
        }
        setMonitorAlarm(slot)
    }

    /// Makes the appointment for the instance's next deadline, at the next scan if the monitor scans.
    mutating func setMonitorAlarm(_ slot: UInt32) {
        guard world.scenario.monitor.enabled || activities[Int(slot)].isRideOver,
            let due = activities[Int(slot)].instance?.nextDue(policy: world.policy), due != .never
        else {
            callOffAlarm(.monitor, of: slot)
            return
        }
        setMonitorAlarm(slot, notBefore: max(due, loop.now))
    }

    private mutating func setMonitorAlarm(_ slot: UInt32, notBefore instant: Instant) {
        // The end of a ride is an event of its own, for which no scan has to come.
        let scans = activities[Int(slot)].isRideOver ? nil : world.scans
        setAlarm(.monitor, of: slot, for: scans?.firstScan(notBefore: instant) ?? instant)
    }

    mutating func monitorAlarmRang(_ slot: UInt32) {
        guard activities[Int(slot)].instance != nil else {
            record(.monitor, of: slot)
            startResendDue(slot)
            return
        }
        let resumed = FaultTimeline.firstUncovered(by: world.faults.monitorPaused, notBefore: loop.now)
        guard resumed == loop.now else {
            setMonitorAlarm(slot, notBefore: resumed)
            return
        }
        record(.monitor, of: slot)
        account(slot)
        // One push at a time: what it leads to at this very instant comes before the next decision.
        while !actOnce(slot) {}
        setMonitorAlarm(slot)
    }

    /// Performs one action of the core.
    ///
    /// - Returns: Whether it was one after which others get their turn.
    private mutating func actOnce(_ slot: UInt32) -> Bool {
        let needsDraw = world.policy.retry.jitter != .none
        let pauseDraw = needsDraw ? draw(slot, .retryPause, activities[Int(slot)].wakeCount) : 0
        activities[Int(slot)].wakeCount += 1
        let action = activities[Int(slot)].instance?
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
            beginEpisode(slot, since: activities[Int(slot)].instance?.staleSince ?? loop.now)
            tell(slot, .classified(.recoverable))
            return false
        case .retry(_, let priority):
            sendContent(slot, kind: .retry, priority: priority)
            return true
        case .withholdRetry:
            count(.retriesWithheld)
            tell(slot, .retryWithheld)
            return true
        case .becameSevere:
            if isScreenFresh(slot) {
                count(.falseKills, exampleAt: slot)
            }
            activities[Int(slot)].isGivenUp = true
            closeEpisode(slot, .episodesEndedSevere)
            count(in: .endedSevere)
            tell(slot, .classified(.severe))
            return false
        case .sendEnd:
            sendEnd(slot)
            return true
        }
    }

    private func isScreenFresh(_ slot: UInt32) -> Bool {
        let activity = activities[Int(slot)]
        return activity.phase == .live && loop.now < activity.screen.content.staleDate
    }

    // MARK: - What the server comes to know

    /// APNs has accepted a push; to a server that knows no better, that is as good as shown.
    mutating func accepted(_ push: Push) {
        guard world.scenario.monitor.feedback == .acceptance else { return }
        confirm(push)
    }

    /// A push has reached the phone; theory lets the server know.
    mutating func delivered(_ push: Push, _ fate: StoryLine.Fate) {
        guard world.scenario.monitor.feedback == .delivery, fate == .shown || fate == .ended else { return }
        confirm(push)
    }

    private mutating func confirm(_ push: Push) {
        let slot = push.activity
        guard push.life == activities[Int(slot)].life else { return }
        switch push.kind {
        case .start:
            return
        case .end:
            invalidateToken(slot, isReported: false)
        case .update, .retry:
            account(slot)
            let confirmation = activities[Int(slot)].instance?
                .contentConfirmed(
                    push.content,
                    at: loop.now,
                    policy: world.policy
                )
            guard let confirmation else { return }
            if case .recovered(let since) = confirmation {
                recover(slot, staleSince: since)
            }
            tell(slot, .confirmed(confirmation))
            setMonitorAlarm(slot)
        }
        releaseIfOver(slot)
    }

    /// APNs has refused a push.
    mutating func refused(_ push: Push, _ reason: APNsReason) {
        let slot = push.activity
        // A verdict on a token that has been replaced since says nothing about the new one.
        guard push.kind != .start, push.token == activities[Int(slot)].serverToken else { return }
        account(slot)
        let refusal =
            push.kind == .end
            ? activities[Int(slot)].instance?.endRefused(reason: reason, policy: world.policy)
            : activities[Int(slot)].instance?.pushRefused(reason: reason, at: loop.now, policy: world.policy)
        if refusal == .discardToken {
            activities[Int(slot)].serverToken = 0
            count(.tokensDiscarded)
            closeEpisode(slot, .episodesCutShort)
            tell(slot, .tokenDiscarded)
        }
        setMonitorAlarm(slot)
        releaseIfOver(slot)
    }

    /// An end has worked, or the phone has reported its own: nothing more is sent.
    mutating func invalidateToken(_ slot: UInt32, isReported: Bool) {
        account(slot)
        let confirmation =
            isReported
            ? activities[Int(slot)].instance?.endReported() : activities[Int(slot)].instance?.endConfirmed()
        let isNews = confirmation == .invalidateToken
        activities[Int(slot)].serverToken = 0
        if isNews {
            count(.tokensInvalidated)
            closeEpisode(slot, .episodesCutShort)
            tell(slot, .tokenInvalidated)
        }
        setMonitorAlarm(slot)
    }

    /// The ride is over: end events are due.
    mutating func endInstance(_ slot: UInt32) {
        account(slot)
        guard activities[Int(slot)].instance?.rideOver(at: loop.now) ?? false else { return }
        closeEpisode(slot, .episodesCutShort)
        setMonitorAlarm(slot)
    }
}

extension Activity {
    /// Why an end event ends the activity.
    var endReason: StoryLine.EndReason {
        isGivenUp ? .severe : isCancelled ? .cancelled : .rideOver
    }
}
