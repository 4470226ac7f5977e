import FreshnessCore
import Quantities
import SimulationKernel

/// Speculative execution of the first and last steps of an activity, when nothing can interfere.
///
/// ```
///   request ─► start ─► token ─► post ─► next refresh or stage   end of the ride ─► end sent ─► accepted, shown ─► reported
///     now    └─── processed ahead ────┘   events of their own           now        └─────────── processed ahead ──────────┘
/// ```
///
/// Streams are assumed to be free, and the assumption is checked later, as in `CellSimulation+Foresight.swift`.
extension CellSimulation {
    // MARK: - Registration

    /// Processes the expected registration steps ahead of time, as long as nothing else can happen to the activity
    /// before them.
    mutating func workOutRegistration(_ activity: Handle<Activity>) {
        guard isOptimistic, !activities.areRested, activity.pushCount == 0 else { return }
        let now = loop.now
        let sight = lookahead.limit(at: now)
        while activity.registration != .idle, sendsNothing(activity),
            activity.registrationAlarm.due < min(sight, nextDisturbance(of: activity))
        {
            loop.workAhead(at: activity.registrationAlarm.due)
            activity.entity.pointee.registrationAlarm.callOff()
            register(activity)
        }
        loop.workAhead(at: now)
    }

    /// `true` if the expected step creates no push, which would need a stream now.
    @inline(__always)
    private func sendsNothing(_ activity: Handle<Activity>) -> Bool {
        switch activity.registration {
        case .tokenPost: activity.isStageAnnounced && !world.monitor.sendsUnconfirmed
        case .startAttempt: world.scenario.devices.start.by == .app
        case .idle, .tokenYield, .tokenPostRetry, .endReport: true
        }
    }

    /// When something may happen to an activity besides its expected step.
    @inline(__always)
    private mutating func nextDisturbance(of activity: Handle<Activity>) -> Instant {
        // A stage that is not announced may be postponed until the end of the minimum interval.
        guard activity.isStageAnnounced || rules.minimumInterval == .zero else { return .start }
        let ofRide = min(activity.movesOnAt, activity.refreshAlarm.due)
        let ofMonitor = min(activity.resendDue, activity.monitor.nextLook(at: loop.now, world.monitor))
        let ofPhone = activity.phone.phase == .live ? activity.deviceReminder.next : .never
        return min(min(ofRide, ofMonitor), min(ofPhone, activity.rotationAlarm.due))
    }

    // MARK: - The end

    /// Processes the end of an activity whose ride is over, until the phone has the end and the server has APNs'
    /// acceptance.
    ///
    /// - Returns: `true` if it was processed; otherwise there is no visible change.
    mutating func workOutEnd(_ activity: Handle<Activity>) -> Bool {
        guard assumesFreeStreams, activity.hasNothingUnderWay else { return false }
        if streams.isBehind(loop.now) { integrateSender() }
        let now = loop.now
        var monitor = activity.monitor
        var numbers = activity.pushNumbers
        let index = numbers.takeIndex(for: .end)
        guard monitor.rideOver(at: now), monitor.nextLook(at: now, world.monitor) == now,
            monitor.act(at: now, world.monitor, budget: &budget, draw: 0) == .sendEnd,
            world.fits(payloadDraw: draw(activity, .content, index))
        else { return false }
        let ofServer = min(lookahead.limit(at: now), monitor.nextLook(at: now, world.monitor))
        let ofPhone = min(deviceDeadline(activity).at, activity.rotationAlarm.due)
        let first = min(min(ofServer, ofPhone), StreamCalendar.reach(from: now))
        guard let course = course(of: index, .immediate, isEnd: true, sentAt: now, to: activity, before: first),
            now < course.heardAt
        else { return false }

        record(.monitor, of: activity)
        activity.monitor = monitor
        activity.pushNumbers = numbers
        closeEpisode(activity, .episodesCutShort)
        activity.isStageAnnounced = true
        contentArose(activity, inPush: index)
        let content = currentContent()
        let timestamp = nextTimestamp(activity, at: now)
        requestBeginsAhead(.end, content, of: activity, until: course.heardAt, isAssumed: true)
        recordDelivery(of: activity, course)
        if course.arrivesAt < course.takenAt {
            acceptEnd(of: activity, course, through: course.arrivesAt)
            storeAhead(content, of: activity, course)
        }
        acceptEnd(of: activity, course, through: course.takenAt)
        loop.workAhead(at: course.takenAt)
        takeEnd(activity, content, timestamp)
        // The phone's report may be faster than APNs' response.
        if activity.registrationAlarm.due < course.heardAt { workOutRegistration(activity) }
        acceptEnd(of: activity, course, through: course.heardAt)
        loop.workAhead(at: now)
        return true
    }

    /// Records that the server receives the acceptance of an end, if it does so by an instant and has not already.
    ///
    /// With the end, the server discards the token.
    private mutating func acceptEnd(of activity: Handle<Activity>, _ course: Course, through instant: Instant) {
        guard course.heardAt <= instant, activity.serverToken != 0 else { return }
        loop.workAhead(at: course.heardAt)
        endKnown(activity, on: activity.serverToken)
    }

    /// Handles an end that reaches its phone.
    private mutating func takeEnd(_ activity: Handle<Activity>, _ content: ContentStamp, _ timestamp: Int64) {
        let effect = activity.entity.pointee.phone.pushArrived(
            .end,
            timestamp: timestamp,
            priority: .immediate,
            at: loop.now,
            rules: rules.phone
        )
        settleAhead(effect.fate, content, of: activity)
        if effect == .ends { endActivity(activity, reason: activity.endReason) } else { remindDevice(activity) }
    }
}
