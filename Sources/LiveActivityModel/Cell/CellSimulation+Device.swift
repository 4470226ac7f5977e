import FreshnessCore
import Quantities
import SimulationKernel

/// The phone: what its screen shows, when it ends an activity on its own, and whether it is online.
extension CellSimulation {
    // MARK: - The screen

    /// Shows content on the screen instead of older content.
    mutating func show(
        _ activity: Handle<Activity>,
        _ content: ContentStamp,
        timestamp: Int64,
        from source: StoryLine.ContentSource
    ) {
        accountUnlessFresh(activity, before: content, from: source)
        measureAge(activity)
        countPeakAge(activity)
        let showedStage = activity.showsStage
        if rules.hasETA, showedStage { logCorrection(activity) }
        if rules.rendersStale != nil { logStaleness(activity) }
        activity.entity.pointee.phone.show(content, timestamp: timestamp)
        activity.contentSource = source
        if !showedStage { noteStageShown(activity) }
        // Newer content only postpones the end, unless it expires sooner than the content that it replaces.
        if bringsEndNearer(content, activity) { remindDevice(activity) }
    }

    /// Logs that the content on the screen was stale until now, and if the app marked it.
    private mutating func logStaleness(_ activity: Handle<Activity>) {
        let since = activity.phone.content.staleDate
        guard let share = rules.rendersStale, since < loop.now else { return }
        let isMarked = happens(share, activity, .rendersStale)
        log(activity, .wasStale(since: since, isMarked: isMarked))
    }

    /// `true` if content expires before the phone's timer and before the ride's next stage change.
    @inline(__always)
    func bringsEndNearer(_ content: ContentStamp, _ activity: Handle<Activity>) -> Bool {
        guard let expiry = rules.phone.expiry(of: content, appAliveUntil: activity.appAliveUntil) else { return false }
        return expiry < min(activity.deviceReminder.next, activity.movesOnAt)
    }

    /// Applies a push that has reached a phone that is online.
    @inline(__always)
    mutating func applyPush(_ activity: Handle<Activity>, _ push: Handle<Push>) -> StoryLine.Fate {
        let event: PushEvent
        switch push.kind {
        case .start:
            guard !isStartDropped(activity, push) else { return .startIgnored }
            if push.isRenewal { return renew(activity, by: push) }
            event = .start
        case .end: event = .end
        case .update, .retry:
            if let wakeApp = rules.wakeApp { return wake(activity, by: push, wakeApp) }
            event = .update
        }
        let effect = receive(
            event,
            push.payload.content,
            timestamp: push.payload.timestamp,
            push.priority,
            isForFormer: push.life != activity.life,
            isFromChannel: push.isFromChannel,
            at: activity
        )
        switch effect {
        case .starts:
            count(.activitiesStartedByPush)
            startActivity(activity, content: push.payload.content, by: .push)
        case .duplicate:
            count(.duplicatesStarted)
        case .afterEnd where event == .start: return .startIgnored
        case .shows, .ends, .older, .throttled, .undecodable, .afterEnd: break
        }
        return effect.fate
    }

    /// Handles an alert that lights the screen up.
    mutating func alertShown(_ push: Handle<Push>, by activity: Handle<Activity>) {
        count(.alertsShown)
        let isLate =
            activity.isRideOver || activity.stage != Int(push.payload.alertStage)
            || activity.rematchCount != push.payload.rematchCount
        if isLate { count(.alertsLate) }
        log(activity, .alerted(isLate: isLate))
    }

    /// Handles a payload that reaches the phone now: newer content is shown.
    @inline(__always)
    mutating func receive(
        _ event: PushEvent,
        _ content: ContentStamp,
        timestamp: Int64,
        _ priority: PushPriority,
        isForFormer: Bool = false,
        isFromChannel: Bool = false,
        at activity: Handle<Activity>
    ) -> PhoneStation.Effect {
        if rules.sharesBudget { takeSharedBudget(activity) }
        let effect = activity.entity.pointee.phone.pushArrived(
            event,
            isForFormer: isForFormer,
            isFromChannel: isFromChannel,
            timestamp: timestamp,
            priority: priority,
            at: loop.now,
            rules: rules.phone
        )
        if rules.sharesBudget { leaveSharedBudget(activity) }
        if effect == .shows { show(activity, content, timestamp: timestamp, from: .push) }
        return effect
    }

    // MARK: - The app

    /// `true` if the app can still act on its own.
    @inline(__always)
    func isAppAlive(_ activity: Handle<Activity>) -> Bool {
        loop.now < activity.appAliveUntil
    }

    /// Updates the activity from the app, without a push.
    mutating func updateLocally(_ activity: Handle<Activity>) {
        guard rules.appCanUpdate, activity.phone.phase == .live, isAppAlive(activity),
            loop.now > activity.phone.content.generatedAt,
            !rules.appNeedsConnection
                || connected(activity, notBefore: loop.now) == loop.now && appGetsContent(activity)
        else { return }
        update(activity)
    }

    /// Updates the card with the app's content of now, which is drawn at once or later.
    private mutating func update(_ activity: Handle<Activity>) {
        count(.localUpdates)
        guard rules.appDrawsAtIntervals else { return draw(currentContent(), ofAppAt: activity) }
        switch drawings[activity.number].updated(at: loop.now) {
        case .draws:
            beginDrawingInterval(activity)
            draw(currentContent(), ofAppAt: activity)
        case .waits(let due):
            contentArose(activity, at: .undrawn)
            remindDevice(activity, at: due)
            log(activity, .drawingWaits(until: due))
        case .replaces:
            contentArose(activity, at: .undrawn)
            count(.localUpdatesUndrawn)
        }
    }

    /// Draws content of the app.
    private mutating func draw(_ content: ContentStamp, ofAppAt activity: Handle<Activity>) {
        show(activity, content, timestamp: payloadClock.timestamp(of: content.generatedAt), from: .app)
        contentArose(activity, at: .onScreen)
        log(activity, .updatedLocally)
    }

    /// Handles a background push, which wakes the app if the phone's budget allows it.
    private mutating func wake(_ activity: Handle<Activity>, by push: Handle<Push>, _ rules: Scenario.WakeApp)
        -> StoryLine.Fate
    {
        guard activity.phone.phase == .live, push.life == activity.life else { return .afterEnd }
        switch wakings[activity.number].pushArrived(at: loop.now, rules) {
        case .ignored: return .throttled
        case .isAwake: break
        case .wakes: remindDevice(activity, at: wakings[activity.number].due)
        }
        activity.entity.pointee.phone.wokeApp()
        return .wokeApp
    }

    /// When the app, the drawing of its updates or the renewal of the activity is due; `never` if none is.
    @inline(__always)
    private func appDue(_ activity: Handle<Activity>) -> Instant {
        guard rules.hasAppTimers else { return .never }
        return min(
            rules.appDrawsAtIntervals ? drawings[activity.number].due : .never,
            wakings.isUsed ? wakings[activity.number].due : .never,
            renewals.isUsed ? renewals[activity.number].due : .never
        )
    }

    /// Handles a renewal, an app that has been woken, and then an update that waits to be drawn, if they are due.
    private mutating func appCameUp(_ activity: Handle<Activity>) {
        record(.device, of: activity)
        if renewals.isUsed, renewals[activity.number].due <= loop.now { renewalCameUp(activity) }
        if wakings.isUsed, wakings[activity.number].due <= loop.now { fetched(activity) }
        if rules.appDrawsAtIntervals, drawings[activity.number].due <= loop.now { drawWaiting(activity) }
    }

    /// Updates the card with the content that a woken app has fetched, if it could.
    private mutating func fetched(_ activity: Handle<Activity>) {
        wakings[activity.number].slept()
        guard loop.now > activity.phone.content.generatedAt,
            connected(activity, notBefore: loop.now) == loop.now
        else { return }
        guard appGetsContent(activity) else { return contentArose(activity, at: .noContent) }
        update(activity)
    }

    private mutating func beginDrawingInterval(_ activity: Handle<Activity>) {
        guard let sampler = own.samplers.renderInterval else { preconditionFailure("an interval without a length") }
        let interval = span(sampler, activity, .renderInterval, drawings[activity.number].count)
        drawings[activity.number].began(interval, at: loop.now)
    }

    /// Draws the app's newest update, unless a push was faster.
    private mutating func drawWaiting(_ activity: Handle<Activity>) {
        let generatedAt = drawings[activity.number].take()
        guard activity.phone.content.generatedAt < generatedAt else {
            count(.localUpdatesUndrawn)
            return
        }
        beginDrawingInterval(activity)
        draw(content(generatedAt: generatedAt), ofAppAt: activity)
    }

    /// Discards the app's update that waits, because the activity has ended.
    mutating func discardDrawing(_ activity: Handle<Activity>) {
        guard rules.appDrawsAtIntervals, drawings[activity.number].take() != .never else { return }
        count(.localUpdatesUndrawn)
    }

    // MARK: - Ends

    /// The longest time ahead that a timer is set for.
    ///
    /// Most activities end within the hour, and the event of an obsolete timer stays in the future event list. Timers
    /// of eight hours, for Apple's limit, would accumulate the activities of a day.
    private static var longestTimer: TimeSpan { .hours(1) }

    /// Sets the phone's timer for the first instant at which it would act on its own or change its token.
    ///
    /// While the ride goes on, the next stage change sets the timers that are due after it; otherwise timers that are
    /// hours away would stay in the list long after their activities. With a remote monitor they are set at once,
    /// because a run in real time waits for the monitor as long as a timer is pending (``isIdle``).
    mutating func remindDevice(_ activity: Handle<Activity>) {
        guard activity.phone.phase == .live else { return }
        let deadline = min(deviceDeadline(activity).at, appDue(activity))
        if deadline < activity.movesOnAt || ports.hasRemoteMonitor {
            remindDevice(activity, at: max(min(deadline, loop.now + CellSimulation.longestTimer), loop.now))
        }
        scheduleRotation(activity)
    }

    /// When the phone ends the activity if nothing else happens.
    @inline(__always)
    func deviceDeadline(_ activity: Handle<Activity>) -> (at: Instant, why: PhoneStation.OwnEnd) {
        var prospects = PhoneStation.Prospects(
            startedAt: activity.startedAt,
            appAliveUntil: activity.appAliveUntil
        )
        if activity.isToBeSwiped {
            prospects.swipeAt = activity.startedAt + span(own.samplers.swipeAfter, activity, .swipeAfter)
        }
        return activity.entity.pointee.phone.nextEnd(prospects, rules: rules.phone)
    }

    /// The reason for an end as a history states it, including which part caused it.
    private func reason(_ why: PhoneStation.OwnEnd, _ activity: Handle<Activity>) -> StoryLine.EndReason {
        switch why {
        case .swiped: .swiped
        case .contentExpired: .contentExpired
        case .systemLimit: .systemLimit
        case .initialContentExpired:
            groups.isUsed && followsChannel(activity)
                ? .noUpdate
                : activity.tokenNumber == activity.formerTokens
                    ? .noToken : activity.isTokenPosted ? .noUpdate : .tokenNotPosted
        }
    }

    mutating func checkDevice(_ activity: Handle<Activity>) {
        guard activity.phone.phase == .live else { return }
        let deadline = deviceDeadline(activity)
        guard deadline.at <= loop.now else {
            if appDue(activity) <= loop.now { appCameUp(activity) }
            remindDevice(activity)
            return
        }
        record(.device, of: activity)
        endActivity(activity, reason: reason(deadline.why, activity), by: deadline.why.ender)
        scheduleRegistration(activity)
        releaseIfOver(activity)
    }

    /// Removes the activity from the screen; the phone then reports to the server that its token is no longer valid.
    ///
    /// - Parameter content: The content that its card shows afterwards; nil for the content on the screen.
    mutating func endActivity(
        _ activity: Handle<Activity>,
        reason: StoryLine.EndReason,
        by ender: EndedCard.Ender,
        showing content: ContentStamp? = nil
    ) {
        account(activity)
        measureAge(activity)
        closeBar(activity)
        closeAge(activity)
        discardDrawing(activity)
        logStaleness(activity)
        activity.entity.pointee.phone.ended(bySwipe: reason == .swiped)
        activity.lastEnd = reason
        if links.isUsed { cardEnded(of: activity) }
        activity.entity.pointee.rotationAlarm.callOff()
        if activity.serverToken != 0, activity.tokenDeadSince == .never {
            activity.tokenDeadSince = loop.now
            tellTokenDied(activity)
        }
        count(reason.counter, exampleAt: activity)
        if reason == .systemLimit, renewals.isUsed, !activity.isRideOver {
            count(.cardsLostAtLimit, exampleAt: activity)
        }
        count(in: .activitiesEnded)
        countInSegment(.activitiesEnded, activity)
        if isMeasured {
            recorder.record((loop.now - activity.startedAt).microseconds, as: .lifetime)
        }
        population.changed(by: -1, inSegment: Int(activity.segment), at: loop.now)
        log(activity, .ended(reason))
        if groups.isUsed, let channel = channelNumber(of: activity) {
            tellChannel(.left(channel, ride: activity.ride))
        }
        leaveCard(activity, endedBy: ender, showing: content ?? activity.phone.content)
        reportEnd(activity)
    }

    // MARK: - The connection

    mutating func beginConnectivity(_ activity: Handle<Activity>) {
        if let first = firstConnectivity(ofRide: activity.ride, at: loop.now) { activity.connectivity = first }
    }

    /// The first instant, not before the given one, at which the phone is online.
    ///
    /// The online and offline intervals are drawn on demand, not as events. The draws are keyed by interval, so
    /// repeated calls change nothing.
    ///
    /// - Parameter instant: Not in the past. Future intervals are computed without being stored.
    @inline(__always)
    mutating func connected(_ activity: Handle<Activity>, notBefore instant: Instant) -> Instant {
        connected(activity, notBefore: instant, seenFrom: loop.now)
    }

    /// The first instant, not before the given one, at which the phone is online, for a later current time.
    ///
    /// The earlier state of the connection is no longer needed.
    @inline(__always)
    mutating func connected(
        _ activity: Handle<Activity>,
        notBefore instant: Instant,
        seenFrom now: Instant
    ) -> Instant {
        if instant < activity.connectivity.until, activity.connectivity.isOnline, world.faults.devicesOffline.isEmpty {
            return instant
        }
        return connectionFound(activity, notBefore: instant, seenFrom: now)
    }

    private mutating func connectionFound(
        _ activity: Handle<Activity>,
        notBefore instant: Instant,
        seenFrom now: Instant
    ) -> Instant {
        // Past intervals are never needed again.
        while activity.connectivity.until <= now {
            activity.connectivity = nextConnectivity(activity.connectivity, activity)
        }
        var state = activity.connectivity
        var candidate = instant
        while true {
            while state.until <= candidate {
                state = nextConnectivity(state, activity)
            }
            if !state.isOnline {
                candidate = state.until
                continue
            }
            guard let region = regionalFault(activity, at: candidate) else { return candidate }
            candidate = region.until
        }
    }

    func nextConnectivity(_ state: Activity.Connectivity, _ activity: Handle<Activity>)
        -> Activity.Connectivity
    {
        nextConnectivity(state, ofRide: activity.ride)
    }

    private func regionalFault(_ activity: Handle<Activity>, at instant: Instant) -> FaultTimeline.Period? {
        world.faults.devicesOffline.first { period in
            period.covers(instant) && hits(period, phoneOfRide: activity.ride)
        }
    }
}

extension PhoneStation.Effect {
    /// The fate of a push with this effect; a start that arrives after the end has another.
    var fate: StoryLine.Fate {
        switch self {
        case .starts, .duplicate: .started
        case .shows: .shown
        case .ends: .ended
        case .older: .older
        case .throttled: .throttled
        case .undecodable: .undecodable
        case .afterEnd: .afterEnd
        }
    }
}

extension StoryLine.EndReason {
    var counter: Counter {
        switch self {
        case .rideOver: .endedRideOver
        case .cancelled: .endedCancelled
        case .severe: .endedSevere
        case .noToken: .endedNoToken
        case .tokenNotPosted: .endedTokenNotPosted
        case .noUpdate: .endedNoUpdate
        case .swiped: .endedSwiped
        case .contentExpired: .endedContentExpired
        case .systemLimit: .endedSystemLimit
        case .renewed: .endedRenewed
        case .leftOver: .endedLeftOver
        }
    }
}

extension PhoneStation.OwnEnd {
    fileprivate var ender: EndedCard.Ender {
        switch self {
        case .swiped: .rider
        case .initialContentExpired, .contentExpired: .app
        case .systemLimit: .limit
        }
    }
}
