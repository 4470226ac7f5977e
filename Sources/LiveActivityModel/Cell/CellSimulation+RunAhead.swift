import FreshnessCore
import Quantities
import SimulationKernel

/// Speculative execution: an activity's own events, processed in order before their time.
///
/// An activity shares nothing with the others but the sender's streams, budgets and faults. Its timers and its push in
/// flight are its own. So after each of its events the cell goes on with the next ones, by the same handlers, at the
/// instants at which they are due, up to a safe horizon. Then one event is scheduled for the rest:
///
/// ```
///   event of an activity ─► handler ─► next event on its agenda ─► handler ─► … ─► safe horizon: schedule the next
///          now                                 later, now all the same                       event in the list
/// ```
///
/// That a stream is free for each request is assumed, and verified when the clock gets there (``SpeculativeStreams``). If
/// it was not, everything after it is void: the run is repeated event by event. This is D. R. Jefferson's Time Warp (ACM
/// TOPLAS 7, 1985) with logical processes for activities and the start of the run as the only saved state.
///
/// All measurements are sums, and the fingerprint is one, so the order in which activities run does not matter.
extension CellSimulation {
    /// Returns `true` if the cell may process events before their time now, and sets the safe horizon.
    ///
    /// It may not while a fault is active. The sender must have room for several times the current requests.
    @inline(__always)
    private mutating func updateSafeHorizon() -> Bool {
        guard !activities.areRested, sender.hasRoom(besides: speculative.level) else { return false }
        safeHorizon = min(lookahead.limit(at: loop.now), SpeculativeStreams.reach(from: loop.now))
        // A request that begins before this instant ends before the horizon.
        lastStart = Instant(microseconds: safeHorizon.microseconds &- world.sender.timeout.microseconds)
        return loop.now < lastStart
    }

    // MARK: - One step

    /// Prepares for an event: decides whether its activity may run ahead.
    @inline(__always)
    mutating func stepBegins(_ event: EventWord) {
        if meter.isBehind(loop.now) { integrateSender() }
        let kind = EventKind(event)
        subject = nil
        isSpeculating = kind == .arrival && updateSafeHorizon()
        guard kind.concernsPush || kind.concernsActivity && isDue(kind, activities[event.subject]) else { return }
        isSpeculating = updateSafeHorizon()
        let activity = activities[kind.concernsPush ? pushes[event.subject].activity : event.subject]
        stepBegins(of: activity)
        if kind.concernsPush, activity.hasUnscheduledTimers { scheduled = Agenda(of: activity) }
    }

    /// Begins the step of an activity.
    @inline(__always)
    mutating func stepBegins(of activity: Handle<Activity>) {
        // An arrival can make a cell pack its activities.
        isSpeculating = isSpeculating && !activities.areRested
        follows = activity.pushCount == 0
        subject = activity.number
        scheduled = nil
    }

    /// Continues with the next events of the activity, or schedules them.
    @inline(__always)
    mutating func stepEnds() {
        guard let number = subject else { return }
        let activity = activities[number]
        guard isSpeculating else {
            if activity.hasUnscheduledTimers { scheduleTimers(of: activity) }
            return
        }
        if activity.pushCount == 0 { follows = true }
        if follows { runAhead(activity) }
        while !flights.isEmpty {
            scheduleEvents(of: pushes[flights.first])
            flights.remove(flights.first)
        }
        isSpeculating = false
        guard activity.isInUse else { return }
        activity.hasUnscheduledTimers = true
        let next = Agenda(of: activity)
        if !next.isEmpty, next != scheduled { schedule(next.kind, subject: number, at: next.at) }
    }

    /// Returns `true` if the timer of an event is due now.
    @inline(__always)
    private func isDue(_ kind: EventKind, _ activity: Handle<Activity>) -> Bool {
        switch kind {
        case .ride: activity.movesOnAt == loop.now
        case .refresh: activity.refreshAlarm.due == loop.now
        case .registration: activity.registrationAlarm.due == loop.now
        case .rotation: activity.rotationAlarm.due == loop.now
        case .device: activity.deviceReminder.next == loop.now
        case .monitor: activity.monitorReminder.next == loop.now
        default: true
        }
    }

    /// Schedules all timers that speculation has set without an event.
    private mutating func scheduleTimers(of activity: Handle<Activity>) {
        activity.hasUnscheduledTimers = false
        guard activity.isInUse else { return }
        let number = activity.number
        if activity.movesOnAt != .never { schedule(.ride, subject: number, at: activity.movesOnAt) }
        let refresh = activity.refreshAlarm.due
        if refresh != .never { set(&activity.entity.pointee.refreshAlarm, of: activity, for: refresh, .refresh) }
        scheduleRegistration(activity)
        if activity.phone.phase == .live { scheduleRotation(activity) }
        let (device, monitor) = (activity.deviceReminder.next, activity.monitorReminder.next)
        if device != .never { schedule(.device, subject: number, at: device) }
        if monitor != .never { schedule(.monitor, subject: number, at: monitor) }
    }

    // MARK: - The loop

    /// The number of events that are processed ahead at a time; bounded so that a run can be cancelled quickly.
    static var longestRun: Int { 64 }
    /// The same while pushes are in flight, which would otherwise need events.
    private static var longestRunWithPushes: Int { 1024 }

    /// Processes the events of an activity, up to the first that another activity could affect.
    @inline(never)
    private mutating func runAhead(_ activity: Handle<Activity>) {
        let now = loop.now
        isAhead = true
        var count = 0
        while activity.isInUse, follows, activity.isStageAnnounced || rules.minimumInterval == .zero {
            var next = Agenda(of: activity)
            if !flights.isEmpty {
                next.add(pushes[flights.first], isSecond: false)
                if flights.isFull { next.add(pushes[flights.second], isSecond: true) }
            }
            // A request that ends without a response may be repeated at once.
            let mayStart = !next.kind.concernsPush || next.kind == .silence
            guard next.at < (mayStart ? lastStart : safeHorizon), isOwn(next.kind, activity),
                count < (flights.isEmpty ? Self.longestRun : Self.longestRunWithPushes)
            else { break }
            loop.workAhead(at: next.at)
            count += 1
            perform(next, activity)
        }
        isAhead = false
        loop.workAhead(at: now)
    }

    /// Returns `true` if an event needs nothing that activities share besides streams.
    @inline(__always)
    private func isOwn(_ kind: EventKind, _ activity: Handle<Activity>) -> Bool {
        switch kind {
        case .monitor: budget == nil || activity.isRideOver
        // Of two requests that end at one instant, the one that began first comes first.
        case .silence: !flights.isFull
        default: true
        }
    }

    @inline(__always)
    private mutating func perform(_ event: Agenda, _ activity: Handle<Activity>) {
        switch event.kind {
        case .ride: return rideMovesOn(activity)
        case .refresh: return refreshCameUp(activity)
        case .registration: return registrationCameUp(activity)
        case .rotation: return rotationCameUp(activity)
        case .device: return deviceCameUp(activity)
        case .monitor: return monitorCameUp(activity)
        default: break
        }
        let push = pushes[event.isOfSecond ? flights.second : flights.first]
        if event.kind == .delivery { deliveryArrived(push) } else { responseArrived(push) }
        if !push.isInUse { flights.remove(push.number) }
    }

    // MARK: - Pushes in flight

    /// Schedules an event of a push, unless speculation follows the push.
    @inline(__always)
    mutating func schedule(_ kind: EventKind, of push: Handle<Push>, at instant: Instant) {
        if isSpeculating, follows {
            if flights.contains(push.number) { return }
            if !flights.isFull {
                let isFirst = flights.isEmpty || push.drawIndex < pushes[flights.first].drawIndex
                flights.add(push.number, isFirst: isFirst)
                return
            }
            // More are left to their events.
            follows = false
        }
        schedule(kind, subject: push.number, at: instant)
    }

    private mutating func scheduleEvents(of push: Handle<Push>) {
        guard push.isInUse else { return }
        if push.responseDue != .never {
            schedule(push.response.isAnswer ? .response : .silence, subject: push.number, at: push.responseDue)
        }
        if push.deliveryDue != .never { schedule(.delivery, subject: push.number, at: push.deliveryDue) }
    }
}
