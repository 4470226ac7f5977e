import FreshnessCore
import Quantities
import SimulationKernel

/// The cell as host of ``MonitorStation``: it keeps the monitor's timers, performs its actions, reports events to it,
/// and measures.
extension CellSimulation {
    /// The server has a token: from now on it can push, and the monitor watches.
    mutating func watchInstance(_ activity: Handle<Activity>) {
        activity.resendDue = .never
        // The server knows that the screen shows the content the activity started with.
        let publication = activity.monitor.tokenPublished(
            activity.tokenNumber,
            showing: activity.firstContent,
            // The ride may have entered another stage since the phone's first content.
            newest: activity.isStageAnnounced ? .unconfirmed : .unsent,
            at: loop.now,
            own.monitor
        )
        switch publication {
        case .over:
            return
        case .ends(let isNews):
            if isNews { closeEpisode(activity, .episodesCutShort) }
        case .watched(let sendsContent):
            sendContentOnToken(activity, isStageNew: sendsContent)
        }
        remindMonitor(activity)
    }

    /// Sends content to a token that the server has just received: about a stage that no content has announced yet, or about any if
    /// the server does that always.
    mutating func sendContentOnToken(_ activity: Handle<Activity>, isStageNew: Bool) {
        if isStageNew {
            announce(activity, priority: own.content.stateChangePriority)
        } else if own.content.isSentOnNewToken {
            sendUpdate(activity, priority: rules.refreshPriority)
        }
    }

    /// Sets a timer so that the monitor checks an instance no later than at its deadline.
    ///
    /// A lapse after the ride's next refresh or stage change gets no timer yet, because most lapses are postponed
    /// before they occur. The refresh and the stage change therefore call this function when they are done, as does any
    /// sender of content that may lapse sooner.
    mutating func remindMonitor(_ activity: Handle<Activity>) {
        let next = min(activity.movesOnAt, activity.refreshAlarm.due)
        if let lapse = activity.instance?.freshUntil, next < lapse { return }
        remindMonitor(activity, at: activity.monitor.nextCheck(at: loop.now, own.monitor))
    }

    mutating func checkMonitor(_ activity: Handle<Activity>) {
        guard activity.instance != nil else {
            guard activity.resendDue == loop.now else { return }
            record(.monitor, of: activity)
            activity.resendDue = .never
            startResendDue(activity)
            return
        }
        if activity.isChannel, closeLostChannel(activity) { return releaseIfOver(activity) }
        guard activity.monitor.nextCheck(at: loop.now, own.monitor) == loop.now else {
            remindMonitor(activity)
            return
        }
        let resumed = FaultTimeline.firstUncovered(by: world.faults.monitorPaused, notBefore: loop.now)
        guard resumed == loop.now else {
            remindMonitor(activity, at: activity.monitor.look(notBefore: resumed, own.monitor))
            return
        }
        if isSpeculating {
            if monitorActsAlone(on: activity) { return actNow(activity) }
            isSpeculating = false
        }
        if watchList.isEmpty { schedule(.scan, subject: 0, at: loop.now) }
        watchList.append(activity.number)
    }

    /// Lets the monitor act on all instances that are due, in the order of their rides.
    ///
    /// The order decides which instances get the retry budget, so it must not depend on which timer was set first.
    mutating func monitorScans() {
        if activities.areRested { for number in watchList { _ = activities.wake(number) } }
        if watchList.count > 1 { watchList.sort { activities[$0].ride < activities[$1].ride } }
        for number in watchList {
            enterCohort(of: activities[number])
            actNow(activities[number])
        }
        if activities.areRested { for number in watchList { activities.rest(number, at: loop.now) } }
        // Nearly always a single one: faster than removing all.
        while !watchList.isEmpty { watchList.removeLast() }
    }

    /// `true` if the monitor's next action on an activity needs no budget that activities share.
    @inline(__always)
    func monitorActsAlone(on activity: Handle<Activity>) -> Bool { budget == nil || activity.isRideOver }

    private mutating func actNow(_ activity: Handle<Activity>) {
        record(.monitor, of: activity)
        account(activity)
        while actOnce(activity) {}
        remindMonitor(activity)
    }

    /// Performs one action of the monitor.
    ///
    /// - Returns: `true` if another may follow before other instances are handled.
    private mutating func actOnce(_ activity: Handle<Activity>) -> Bool {
        let pauseDraw =
            own.monitor.needsDraws
            ? random.pauseDraw(entity: activity.ride, count: activity.monitor.wakeCount) : 0
        let action = activity.monitor.act(at: loop.now, own.monitor, budget: &budget, draw: pauseDraw)
        switch action {
        case .nothing:
            break
        case .becameRecoverable(let since):
            beginEpisode(activity, since: since)
            log(activity, .classified(.recoverable))
        case .retry(let priority):
            count(.retriesDecided, column: .retriesDecided)
            send(.retry, to: activity, priority: priority)
        case .withholdRetry:
            count(.retriesDecided, column: .retriesDecided)
            count(.retriesWithheld, column: .retriesWithheld)
            log(activity, .retryWithheld)
        case .becameSevere:
            if isScreenFresh(activity) {
                count(.falseKills, exampleAt: activity)
            }
            giveUp(activity)
            closeEpisode(activity, .episodesEndedSevere)
            count(in: .endedSevere)
            log(activity, .classified(.severe))
        case .sendEnd:
            send(.end, to: activity)
        }
        return action.continues
    }

    func isScreenFresh(_ activity: Handle<Activity>) -> Bool {
        activity.phone.phase == .live && loop.now < activity.phone.content.staleDate
    }

    // MARK: - The server's knowledge

    /// APNs has accepted a push; without feedback about deliveries, the server takes it as shown.
    @inline(__always)
    mutating func accepted(_ push: Handle<Push>) {
        guard rules.confirmsAcceptance else { return }
        confirm(push, showing: push.payload.content)
    }

    /// A push has reached the phone; with delivery feedback, the server learns what the screen shows.
    ///
    /// If the screen already has newer content, the newer content counts.
    @inline(__always)
    mutating func delivered(_ push: Handle<Push>, _ fate: StoryLine.Fate) {
        guard !rules.confirmsAcceptance else { return }
        switch fate {
        case .shown, .ended: confirm(push, showing: push.payload.content)
        case .older where push.kind != .end: confirm(push, showing: activities[push.activity].phone.content)
        default: break
        }
    }

    @inline(__always)
    private mutating func confirm(_ push: Handle<Push>, showing content: ContentStamp) {
        let activity = activities[push.activity]
        guard push.life == activity.life else { return }
        switch push.kind {
        case .start:
            return
        case .end:
            endKnown(activity, on: push.token)
        case .update, .retry:
            accountUnlessFresh(activity)
            let confirmation = activity.monitor.contentAccepted(content, of: push.watch, at: loop.now, own.monitor)
            guard let confirmation else { return }
            if case .recovered(let since) = confirmation {
                recover(activity, staleSince: since, byRetry: push.kind == .retry)
            }
            log(activity, .confirmed(confirmation))
            // If the deadline has only moved later, the pending timer finds the new one.
            if confirmation != .stillFresh || activity.monitorReminder.next > activity.instance?.freshUntil ?? .start {
                remindMonitor(activity)
            }
        }
        releaseIfOver(activity)
    }

    /// APNs has rejected a push.
    mutating func refused(_ push: Handle<Push>, _ reason: APNsReason) {
        let activity = activities[push.activity]
        guard push.kind != .start else { return startRefused(push, reason) }
        guard activity.monitor.counts(verdictOn: push.token) else { return }
        account(activity)
        let refusal = activity.monitor.refused(
            isEnd: push.kind == .end,
            reason: reason,
            on: push.token,
            at: loop.now,
            own.monitor
        )
        if refusal == .discardToken {
            count(activity.isChannel ? .channelsLost : .tokensDiscarded)
            closeEpisode(activity, .episodesCutShort)
            log(activity, .tokenDiscarded)
        }
        if activity.isChannel { closeLostChannel(activity) }
        remindMonitor(activity)
        releaseIfOver(activity)
    }

    /// An end that was sent to a token was accepted, or is known to have reached the screen.
    mutating func endKnown(_ activity: Handle<Activity>, on token: UInt32) {
        account(activity)
        let isNews = rules.confirmsAcceptance ? activity.monitor.endAccepted(on: token) : activity.monitor.endSeen()
        tokenInvalidated(activity, isNews: isNews)
    }

    /// The phone has reported its own end: nothing more is sent.
    mutating func endReported(_ activity: Handle<Activity>) {
        account(activity)
        tellRemoteMonitor(activity, .withdrawal)
        tokenInvalidated(activity, isNews: activity.monitor.withdrawn())
    }

    private mutating func tokenInvalidated(_ activity: Handle<Activity>, isNews: Bool) {
        activity.resendDue = .never
        if isNews {
            count(.tokensInvalidated)
            closeEpisode(activity, .episodesCutShort)
            log(activity, .tokenInvalidated)
        }
        remindMonitor(activity)
    }

    /// Sends the end events: the ride is over.
    mutating func endInstance(_ activity: Handle<Activity>) {
        account(activity)
        guard activity.monitor.rideOver(at: loop.now) else {
            tellRemoteMonitor(activity, .rideOver)
            return
        }
        closeEpisode(activity, .episodesCutShort)
        remindMonitor(activity)
    }
}

extension Activity {
    /// The reason for which an end event ends the activity.
    var endReason: StoryLine.EndReason {
        isGivenUp ? .severe : isCancelled ? .cancelled : .rideOver
    }
}
