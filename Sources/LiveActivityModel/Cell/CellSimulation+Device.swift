import FreshnessCore
import Quantities
import RandomStreams
import SimulationKernel

/// The phone: what reaches its screen, when it ends an activity by itself, and whether it has a connection.
extension CellSimulation {
    // MARK: - The screen

    /// Puts content on the screen in place of older content.
    private mutating func show(
        _ activity: Place<Activity>,
        _ content: ContentStamp,
        timestamp: Int64,
        from source: StoryLine.ContentSource
    ) {
        accountUnlessFresh(activity, before: content, from: source)
        measureAge(activity)
        countPeakAge(activity)
        let showedStage = activity.showsStage
        activity.screen.content = content
        activity.contentSource = source
        if !showedStage { noteStageShown(activity) }
        activity.screen.timestamp = timestamp
        // Newer content only moves the end away, unless it expires sooner than what it takes the place of.
        if let limit = rules.staleContentLimit, content.staleDate + limit < activity.deviceReminder.next {
            remindDevice(activity)
        }
    }

    /// What a phone with a connection does with a push that has reached it.
    @inline(__always)
    mutating func applyPush(_ activity: Place<Activity>, _ push: Place<Push>) -> StoryLine.Fate {
        if push.kind == .start {
            return startPushArrived(activity, content: push.payload.content)
        }
        guard activity.phase == .live, activity.life == push.life else { return .afterEnd }
        guard !activity.isUndecodable || push.kind == .end else { return .undecodable }
        let isExempt = push.kind == .end && rules.endsAreExempt
        if push.priority == .immediate, !isExempt, !spendBudget(activity) {
            return .throttled
        }
        if push.kind == .end {
            // Nothing has to be newer for an end: one of the same instant as the last update ends the activity.
            return push.payload.timestamp >= activity.screen.timestamp ? .ended : .older
        }
        // Only a push follows the initial content: what the app shows by itself is local, too. But where the app was
        // quicker, the push has come all the same.
        activity.isInitial = false
        guard push.payload.timestamp > activity.screen.timestamp else { return .older }
        show(activity, push.payload.content, timestamp: push.payload.timestamp, from: .push)
        return .shown
    }

    /// Takes a push of priority 10 from the activity's budget; false when nothing is left in this window.
    @inline(__always)
    private mutating func spendBudget(_ activity: Place<Activity>) -> Bool {
        guard let limit = rules.budgetLimit else { return true }
        if activity.budgetWindowEnd <= loop.now {
            activity.budgetWindowEnd = loop.now + rules.budgetWindow
            activity.budgetSpent = 0
        }
        guard activity.budgetSpent < limit else { return false }
        activity.budgetSpent += 1
        return true
    }

    // MARK: - The app

    /// Whether the app can still act by itself.
    @inline(__always)
    mutating func isAppAlive(_ activity: Place<Activity>) -> Bool {
        loop.now < activity.appAliveUntil
    }

    /// The app updates its activity without a push.
    mutating func updateLocally(_ activity: Place<Activity>) {
        guard rules.appCanUpdate, activity.phase == .live, isAppAlive(activity),
            canGenerateContent, loop.now > activity.screen.content.generatedAt,
            connected(activity, notBefore: loop.now) == loop.now
        else { return }
        let content = currentContent()
        show(activity, content, timestamp: stamp(content.generatedAt), from: .app)
        contentArose(activity, at: .onScreen)
        count(.localUpdates)
        tell(activity, .updatedLocally)
    }

    // MARK: - Ends

    /// An alarm is never set further ahead than this.
    ///
    /// Most activities end within the hour, and the event of an alarm that was called off stays in the future event
    /// list: eight hours for Apple's limit would pile up a day's activities.
    private static var longestAppointment: TimeSpan { .hours(1) }

    /// Sets the alarm for the first thing that would make the phone end the activity.
    mutating func remindDevice(_ activity: Place<Activity>) {
        let due = min(deviceDeadline(activity).at, loop.now + CellSimulation.longestAppointment)
        remindDevice(activity, at: max(due, loop.now))
    }

    /// When the phone ends the activity if nothing happens, and why.
    @inline(__always)
    mutating func deviceDeadline(_ activity: Place<Activity>) -> (at: Instant, reason: StoryLine.EndReason) {
        var first = (
            at: activity.startedAt + rules.systemLimit, reason: StoryLine.EndReason.systemLimit
        )
        func consider(_ instant: Instant, _ reason: StoryLine.EndReason) {
            if instant < first.at {
                first = (instant, reason)
            }
        }
        if activity.swipeAt != .never, activity.lastEnd == nil {
            consider(activity.swipeAt, .swiped)
        }
        if activity.isInitial, let limit = rules.initialContentLimit {
            let reason: StoryLine.EndReason =
                activity.tokenNumber == activity.formerTokens
                ? .noToken : activity.isTokenPosted ? .noUpdate : .tokenNotPosted
            consider(activity.startedAt + limit, reason)
        }
        if let limit = rules.staleContentLimit {
            let expiry = activity.screen.content.staleDate + limit
            if expiry < activity.appAliveUntil {
                consider(expiry, .contentExpired)
            }
        }
        return first
    }

    mutating func deviceLooks(_ activity: Place<Activity>) {
        guard activity.phase == .live else { return }
        let deadline = deviceDeadline(activity)
        guard deadline.at <= loop.now else {
            remindDevice(activity)
            return
        }
        record(.device, of: activity)
        endActivity(activity, reason: deadline.reason)
    }

    /// Takes the activity from the screen; the phone then tells the server that its token is of no use any more.
    mutating func endActivity(_ activity: Place<Activity>, reason: StoryLine.EndReason) {
        account(activity)
        measureAge(activity)
        closeAge(activity)
        activity.phase = .ended
        activity.lastEnd = reason
        activity.entity.pointee.rotationAlarm.callOff()
        if activity.serverToken != 0, activity.serverTokenDeadSince == .never {
            activity.serverTokenDeadSince = loop.now
            tellTokenDied(activity)
        }
        count(reason.counter, exampleAt: activity)
        count(in: .activitiesEnded)
        if isMeasured {
            ledger.record((loop.now - activity.startedAt).microseconds, as: .lifetime)
        }
        changePopulation(by: -1)
        tell(activity, .ended(reason))
        reportEnd(activity)
    }

    // MARK: - The connection

    mutating func beginConnectivity(_ activity: Place<Activity>) {
        guard let online = world.samplers.online else { return }
        let isOnline = !happens(world.scenario.devices.connectivity.initiallyOffline, activity, .initiallyOffline)
        let first = span(isOnline ? online : world.samplers.offline, activity, .connectivity, 0)
        activity.connectivity = Activity.Connectivity(
            until: loop.now + first,
            index: 0,
            isOnline: isOnline
        )
        if isStraightforward {
            followConnection(activity)
        }
    }

    /// The first instant, not before the given one, at which the phone has a connection.
    ///
    /// The phone's stretches with and without connection are drawn when somebody asks, not as events: the draws are keyed
    /// by the stretch, so asking more often changes nothing.
    ///
    /// - Parameter instant: Not in the past. What lies ahead is looked at without being settled.
    @inline(__always)
    mutating func connected(_ activity: Place<Activity>, notBefore instant: Instant) -> Instant {
        if instant < activity.connectivity.until, activity.connectivity.isOnline, world.faults.devicesOffline.isEmpty {
            return instant
        }
        return connectionFound(activity, notBefore: instant)
    }

    private mutating func connectionFound(_ activity: Place<Activity>, notBefore instant: Instant) -> Instant {
        // Nobody asks about the past, so what lies there need not be kept.
        while activity.connectivity.until <= loop.now {
            activity.connectivity = nextStretch(activity.connectivity, activity)
        }
        var state = activity.connectivity
        var candidate = instant
        while true {
            while state.until <= candidate {
                state = nextStretch(state, activity)
            }
            if !state.isOnline {
                candidate = state.until
                continue
            }
            guard let region = regionalFault(activity, at: candidate) else { return candidate }
            candidate = region.until
        }
    }

    mutating func nextStretch(_ state: Activity.Connectivity, _ activity: Place<Activity>)
        -> Activity.Connectivity
    {
        guard let online = world.samplers.online else {
            return Activity.Connectivity(until: .never, index: 0, isOnline: true)
        }
        let index = state.index + 1
        let sampler = state.isOnline ? world.samplers.offline : online
        // A stretch without any length would never let time pass.
        let length = max(span(sampler, activity, .connectivity, index), TimeSpan(microseconds: 1))
        return Activity.Connectivity(until: state.until + length, index: index, isOnline: !state.isOnline)
    }

    private mutating func regionalFault(_ activity: Place<Activity>, at instant: Instant) -> FaultTimeline.Stretch? {
        world.faults.devicesOffline.first { stretch in
            stretch.covers(instant) && happens(stretch.share, activity, .faultHitsDevice, stretch.number)
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
        }
    }
}
