import FreshnessCore
import Quantities
import RandomStreams
import SimulationKernel

/// The phone: what reaches its screen, when it ends an activity by itself, and whether it has a connection.
extension CellSimulation {
    // MARK: - The screen

    /// Puts content on the screen in place of older content.
    private mutating func show(_ slot: UInt32, _ content: ContentStamp, timestamp: Int64) {
        account(slot)
        measureAge(slot)
        countPeakAge(slot)
        activities[Int(slot)].screen.content = content
        activities[Int(slot)].screen.timestamp = timestamp
        setDeviceAlarm(slot)
    }

    /// What a phone with a connection does with a push that has reached it.
    mutating func applyPush(_ slot: UInt32, _ push: Push) -> StoryLine.Fate {
        if push.kind == .start {
            return startPushArrived(slot, content: push.content)
        }
        let activity = activities[Int(slot)]
        guard activity.phase == .live, activity.life == push.life else { return .afterEnd }
        guard !activity.isUndecodable || push.kind == .end else { return .undecodable }
        let isExempt = push.kind == .end && world.scenario.devices.budget.endsExempt
        if push.priority == .immediate, !isExempt, !spendBudget(slot) {
            return .throttled
        }
        if push.kind == .end {
            // Nothing has to be newer for an end: one of the same instant as the last update ends the activity.
            return push.timestamp >= activity.screen.timestamp ? .ended : .older
        }
        // Only a push follows the initial content: what the app shows by itself is local, too. But where the app was
        // quicker, the push has come all the same.
        activities[Int(slot)].screen.isInitial = false
        guard push.timestamp > activity.screen.timestamp else { return .older }
        show(slot, push.content, timestamp: push.timestamp)
        return .shown
    }

    /// Takes a push of priority 10 from the activity's budget; false when nothing is left in this window.
    private mutating func spendBudget(_ slot: UInt32) -> Bool {
        guard let limit = world.scenario.devices.budget.limit else { return true }
        if activities[Int(slot)].budgetWindowEnd <= loop.now {
            activities[Int(slot)].budgetWindowEnd = loop.now + world.scenario.devices.budget.window
            activities[Int(slot)].budgetSpent = 0
        }
        guard activities[Int(slot)].budgetSpent < limit else { return false }
        activities[Int(slot)].budgetSpent += 1
        return true
    }

    // MARK: - The app

    /// Whether the app can still act by itself.
    func isAppAlive(_ slot: UInt32) -> Bool {
        loop.now < activities[Int(slot)].appAliveUntil
    }

    /// The app updates its activity without a push.
    mutating func updateLocally(_ slot: UInt32) {
        let activity = activities[Int(slot)]
        guard world.scenario.devices.localUpdates.enabled, activity.phase == .live, isAppAlive(slot),
            canGenerateContent, loop.now > activity.screen.content.generatedAt,
            connected(slot, notBefore: loop.now) == loop.now
        else { return }
        let content = currentContent()
        show(slot, content, timestamp: stamp(content.generatedAt))
        count(.localUpdates)
        tell(slot, .updatedLocally)
    }

    // MARK: - Ends

    /// An alarm is never set further ahead than this.
    ///
    /// Most activities end within the hour, and the event of an alarm that was called off stays in the future event
    /// list: eight hours for Apple's limit would pile up a day's activities.
    private static var longestAppointment: TimeSpan { .hours(1) }

    /// Sets the alarm for the first thing that would make the phone end the activity.
    mutating func setDeviceAlarm(_ slot: UInt32) {
        let due = min(deviceDeadline(slot).at, loop.now + CellSimulation.longestAppointment)
        setAlarm(.device, of: slot, for: max(due, loop.now))
    }

    /// When the phone ends the activity if nothing happens, and why.
    private func deviceDeadline(_ slot: UInt32) -> (at: Instant, reason: StoryLine.EndReason) {
        let activity = activities[Int(slot)]
        var first = (
            at: activity.screen.startedAt + world.scenario.devices.systemLimit, reason: StoryLine.EndReason.systemLimit
        )
        func consider(_ instant: Instant, _ reason: StoryLine.EndReason) {
            if instant < first.at {
                first = (instant, reason)
            }
        }
        if activity.swipeAt != .never, activity.lastEnd == nil {
            consider(activity.swipeAt, .swiped)
        }
        if activity.screen.isInitial, let limit = world.scenario.devices.initialContentLimit {
            let reason: StoryLine.EndReason =
                activity.tokenNumber == activity.formerTokens
                ? .noToken : activity.serverToken == 0 ? .tokenNotPosted : .noUpdate
            consider(activity.screen.startedAt + limit, reason)
        }
        if let limit = world.scenario.devices.staleContentLimit {
            let expiry = activity.screen.content.staleDate + limit
            if expiry < activity.appAliveUntil {
                consider(expiry, .contentExpired)
            }
        }
        return first
    }

    mutating func deviceAlarmRang(_ slot: UInt32) {
        let deadline = deviceDeadline(slot)
        guard deadline.at <= loop.now else {
            setDeviceAlarm(slot)
            return
        }
        record(.device, of: slot)
        endActivity(slot, reason: deadline.reason)
    }

    /// Takes the activity from the screen; the phone then tells the server that its token is of no use any more.
    mutating func endActivity(_ slot: UInt32, reason: StoryLine.EndReason) {
        account(slot)
        measureAge(slot)
        closeAge(slot)
        let activity = activities[Int(slot)]
        activities[Int(slot)].phase = .ended
        activities[Int(slot)].lastEnd = reason
        callOffAlarm(.device, of: slot)
        callOffAlarm(.rotation, of: slot)
        if activity.serverToken != 0, activity.serverTokenDeadSince == .never {
            activities[Int(slot)].serverTokenDeadSince = loop.now
        }
        count(reason.counter, exampleAt: slot)
        count(in: .activitiesEnded)
        if isMeasured {
            measurements.lifetime.record((loop.now - activity.screen.startedAt).microseconds)
        }
        changePopulation(by: -1)
        tell(slot, .ended(reason))
        reportEnd(slot)
    }

    // MARK: - The connection

    mutating func beginConnectivity(_ slot: UInt32) {
        guard let online = world.samplers.online else { return }
        let isOnline = !happens(world.scenario.devices.connectivity.initiallyOffline, slot, .initiallyOffline)
        let first = span(isOnline ? online : world.samplers.offline, slot, .connectivity, 0)
        activities[Int(slot)].connectivity = Activity.Connectivity(
            isOnline: isOnline,
            until: loop.now + first,
            index: 0
        )
    }

    /// The first instant, not before the given one, at which the phone has a connection.
    ///
    /// The phone's stretches with and without connection are drawn when somebody asks, not as events: the draws are keyed
    /// by the stretch, so asking more often changes nothing.
    ///
    /// - Parameter instant: Not in the past. What lies ahead is looked at without being settled.
    mutating func connected(_ slot: UInt32, notBefore instant: Instant) -> Instant {
        // Nobody asks about the past, so what lies there need not be kept.
        while activities[Int(slot)].connectivity.until <= loop.now {
            activities[Int(slot)].connectivity = nextStretch(activities[Int(slot)].connectivity, slot)
        }
        var state = activities[Int(slot)].connectivity
        var candidate = instant
        while true {
            while state.until <= candidate {
                state = nextStretch(state, slot)
            }
            if !state.isOnline {
                candidate = state.until
                continue
            }
            guard let region = regionalFault(slot, at: candidate) else { return candidate }
            candidate = region.until
        }
    }

    private func nextStretch(_ state: Activity.Connectivity, _ slot: UInt32) -> Activity.Connectivity {
        guard let online = world.samplers.online else {
            return Activity.Connectivity(isOnline: true, until: .never, index: 0)
        }
        let index = state.index + 1
        let sampler = state.isOnline ? world.samplers.offline : online
        // A stretch without any length would never let time pass.
        let length = max(span(sampler, slot, .connectivity, index), TimeSpan(microseconds: 1))
        return Activity.Connectivity(isOnline: !state.isOnline, until: state.until + length, index: index)
    }

    private func regionalFault(_ slot: UInt32, at instant: Instant) -> FaultTimeline.Stretch? {
        world.faults.devicesOffline.first { stretch in
            stretch.covers(instant) && happens(stretch.share, slot, .faultHitsDevice, stretch.number)
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
