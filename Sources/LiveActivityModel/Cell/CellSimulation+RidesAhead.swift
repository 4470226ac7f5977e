import FreshnessCore
import Quantities
import SimulationKernel

/// The first and the last steps of an activity worked out at once, where nothing can come between.
///
/// ```
///   request ─► start ─► token ─► post ─► next refresh or stage       end of the ride ─► end sent ─► accepted, shown ─► reported
///     now    └───── worked out ──────┘   events of their own               now        └─────────── worked out ───────────┘
/// ```
///
/// As in `CellSimulation+Foresight.swift`, streams are assumed to be free, and looked at when their time has come.
extension CellSimulation {
    // MARK: - Registration

    /// Works out what is expected of an activity, as far as nothing else can happen to it before.
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

    /// Whether what is expected makes no push, whose stream would be looked for now.
    @inline(__always)
    private func sendsNothing(_ activity: Handle<Activity>) -> Bool {
        switch activity.registration {
        case .tokenPost: activity.isStageAnnounced && !world.monitor.sendsUnconfirmed
        case .startAttempt: world.scenario.devices.start.by == .app
        case .idle, .tokenYield, .tokenPostRetry, .endReport: true
        }
    }

    /// When something may happen to an activity besides what is expected of it.
    @inline(__always)
    private mutating func nextDisturbance(of activity: Handle<Activity>) -> Instant {
        // A stage that is not announced may be put off, up to the end of the minimum interval.
        guard activity.isStageAnnounced || rules.minimumInterval == .zero else { return .start }
        let ofRide = min(activity.movesOnAt, activity.refreshAlarm.due)
        let ofMonitor = min(activity.resendDue, activity.monitor.nextLook(at: loop.now, world.monitor))
        let ofPhone = activity.phone.phase == .live ? activity.deviceReminder.next : .never
        return min(min(ofRide, ofMonitor), min(ofPhone, activity.rotationAlarm.due))
    }

    // MARK: - The end

    /// Works out the end of an activity whose ride is over, up to where the phone has it and the server knows that APNs has
    /// accepted it.
    ///
    /// - Returns: Whether it was; else nothing has changed that can be seen.
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
        // The phone's report may be quicker than APNs' answer.
        if activity.registrationAlarm.due < course.heardAt { workOutRegistration(activity) }
        acceptEnd(of: activity, course, through: course.heardAt)
        loop.workAhead(at: now)
        return true
    }

    /// The server hears that an end was accepted, if that comes by an instant and has not come yet: with the end it gives the
    /// token up.
    private mutating func acceptEnd(of activity: Handle<Activity>, _ course: Course, through instant: Instant) {
        guard course.heardAt <= instant, activity.serverToken != 0 else { return }
        loop.workAhead(at: course.heardAt)
        endKnown(activity, on: activity.serverToken)
    }

    /// An end reaches its phone.
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
