import FreshnessCore
import Quantities
import SimulationKernel

/// Speculative execution: an activity's own events, processed in order before their time.
///
/// An activity shares nothing with the others but the sender's streams, budgets and faults. Its timers and its pushes in
/// flight are its own. So after each of its events the cell goes on with the next ones, by the same handlers, at the
/// instants at which they are due, up to a safe horizon. Then its next timer and its pushes in flight are scheduled. A rider
/// with several rides has a ``RiderPhone`` from the booking of a ride on; activities that are linked to one do not run ahead.
///
/// ```
///   event of an activity ─► handler ─► next event on its agenda ─► handler ─► … ─► safe horizon
///          now                        at its own instant, before the clock gets there     the rest is scheduled
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
        steppedActivity = nil
        isSpeculating = kind == .arrival && updateSafeHorizon()
        guard kind.concernsPush || kind.concernsActivity && isDue(kind, of: activities[event.subject]) else { return }
        isSpeculating = updateSafeHorizon()
        let activity = activities[kind.concernsPush ? pushes[event.subject].activity : event.subject]
        stepBegins(of: activity)
        if kind.concernsPush, activity.hasUnscheduledTimers { scheduled = Agenda(of: activity) }
    }

    /// Begins the step of an activity.
    @inline(__always)
    mutating func stepBegins(of activity: Handle<Activity>) {
        // An arrival can make a cell pack its activities.
        isSpeculating = isSpeculating && !activities.areRested && !isLinked(activity)
        followsPushes = activity.pushCount == 0
        steppedActivity = activity.number
        scheduled = nil
    }

    /// Continues with the next events of the activity, or schedules them.
    @inline(__always)
    mutating func stepEnds() {
        guard let number = steppedActivity else { return }
        let activity = activities[number]
        guard isSpeculating else {
            if activity.hasUnscheduledTimers { scheduleTimers(of: activity) }
            return
        }
        if activity.pushCount == 0 { followsPushes = true }
        if followsPushes { runAhead(activity) }
        if let number = followedPush { scheduleEvents(of: pushes[number]) }
        followedPush = nil
        isSpeculating = false
        guard activity.isInUse else { return }
        activity.hasUnscheduledTimers = true
        let next = Agenda(of: activity)
        if next.at != .never, next != scheduled { schedule(next.kind, subject: number, at: next.at) }
    }

    /// Returns `true` if an event has not been overtaken by speculation or by another event of the activity.
    @inline(__always)
    private func isDue(_ kind: EventKind, of activity: Handle<Activity>) -> Bool {
        kind == .postponed || Agenda(of: activity).at <= loop.now
    }

    /// Schedules all timers that speculation has set without an event.
    mutating func scheduleTimers(of activity: Handle<Activity>) {
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
    /// The larger number that holds while a push is in flight, because it would otherwise need events.
    private static var longestRunWithPush: Int { 1024 }

    /// Processes the events of an activity, up to the first that another activity could affect.
    @inline(never)
    private mutating func runAhead(_ activity: Handle<Activity>) {
        let now = loop.now
        isAhead = true
        var count = 0
        // The end of the minimum interval, which announces a stage, is in the list.
        while activity.isInUse, followsPushes, activity.isStageAnnounced || rules.minimumInterval == .zero,
            !isLinked(activity)
        {
            let push = followedPush.map { pushes[$0] }
            // Two specializations, because most activities have no push in flight.
            let next = push.map { Agenda(of: activity, $0) } ?? Agenda(of: activity)
            // A request that ends without a response may be repeated at once.
            let mayStart = !next.kind.concernsPush || next.kind == .silence
            guard next.at < (mayStart ? lastStart : safeHorizon),
                next.kind != .monitor || monitorActsAlone(on: activity),
                count < (push == nil ? Self.longestRun : Self.longestRunWithPush)
            else { break }
            assert(loop.now <= next.at, "the next event of an activity is before its clock")
            loop.moveClock(to: next.at)
            count += 1
            perform(next, activity, push)
        }
        isAhead = false
        loop.moveClock(to: now)
    }

    @inline(__always)
    private mutating func perform(_ event: Agenda, _ activity: Handle<Activity>, _ push: Handle<Push>?) {
        switch event.kind {
        case .ride: return rideMovesOn(activity)
        case .refresh: return refreshCameUp(activity)
        case .registration: return registrationCameUp(activity)
        case .rotation: return rotationCameUp(activity)
        case .device: return deviceCameUp(activity)
        case .monitor: return monitorCameUp(activity)
        default: break
        }
        guard let push else { return }
        if event.kind == .delivery { deliveryArrived(push) } else { responseArrived(push) }
        if !push.isInUse { followedPush = nil }
    }

    // MARK: - Pushes in flight

    /// Schedules an event of a push, unless speculation follows the push.
    @inline(__always)
    mutating func schedule(_ kind: EventKind, of push: Handle<Push>, at instant: Instant) {
        if isSpeculating {
            if followsPushes, followedPush == nil { followedPush = push.number }
            if followedPush == push.number { return }
            // A second one is left to its events, and so are the activity's next events.
            followsPushes = false
        }
        schedule(kind, subject: push.number, at: instant)
    }

    private mutating func scheduleEvents(of push: Handle<Push>) {
        guard push.isInUse else { return }
        if push.responseDue != .never {
            schedule(push.responseKind, subject: push.number, at: push.responseDue)
        }
        if push.deliveryDue != .never { schedule(.delivery, subject: push.number, at: push.deliveryDue) }
    }
}
