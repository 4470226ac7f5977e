import FreshnessCore
import Quantities
import SimulationKernel

/// Refreshes of one activity worked out one after the other, minutes ahead, as if the sender stayed free.
///
/// Of all that an update meets, only the sender's streams are shared. Whether one will be free minutes from now cannot be
/// known, but it can be assumed, and looked at when the time has come: when streams are taken and come back is kept in
/// order. Where none is free for a request that was worked out, the assumption was wrong, and so is all that follows: the
/// cell ``hasErred``, and is to be run again without (D. R. Jefferson's Time Warp, ACM TOPLAS 7, 1985, with the beginning
/// of the run as the only state that is kept).
///
/// ```
///   refresh ─► update ─► next refresh ─► update ─► … ─► the first refresh that is not as nearly all are:
///   now        worked out                               an event of its own
/// ```
extension CellSimulation {
    /// Works out refreshes of an activity, up to the first that something may disturb.
    ///
    /// - Parameter due: When the next one is due, now or later.
    /// - Returns: When the first is due that was not worked out; `never` where there is none.
    @inline(__always)
    mutating func foresee(_ activity: Handle<Activity>, from due: Instant) -> Instant {
        guard isOptimistic, due < activity.movesOnAt else { return due }
        return foreseeStage(activity, from: due)
    }

    /// Whether streams are assumed to be free: now, as far as is known, there is room for several times as many requests.
    @inline(__always)
    var assumesFreeStreams: Bool { isOptimistic && !activities.areRested && sender.hasRoom }

    @inline(never)
    private mutating func foreseeStage(_ activity: Handle<Activity>, from due: Instant) -> Instant {
        guard let pauses = world.samplers.stageRefreshes[activity.stage], !rules.hasFixedUpdates,
            activity.pushCount == 0, !activities.areRested
        else { return due }
        guard activity.phone.phase == .live else { return foreseeUnseen(activity, pauses, from: due) }
        guard activity.hasNothingUnderWay, activity.isStageAnnounced, assumesFreeStreams,
            activity.stage < world.photoStage || activity.isPhotoSent || world.samplers.payloadBytes == nil
        else { return due }
        if streams.isBehind(loop.now) { integrateSender() }
        var stage = ForeseenStage(
            activity: activity,
            pauses: pauses,
            rank: Int(rank(of: .update, stage: activity.stage)),
            part: measuredStage(of: activity)
        )
        let sight = min(
            min(lookahead.limit(at: loop.now), activity.movesOnAt),
            min(activity.rotationAlarm.due, StreamCalendar.reach(from: loop.now))
        )
        let next = foreseeRefreshes(&stage, from: due, before: sight)
        if stage.sendTime.count > 0 { close(stage) }
        return next
    }

    /// How many refreshes are worked out at a time, so that who waits for a run to be cancelled need not wait long.
    private static var longestForesight: Int64 { 64 }

    /// Refreshes of an activity's stage, with what is added up of them before it is handed over.
    private struct ForeseenStage {
        let activity: Handle<Activity>
        let pauses: SamplerID
        let rank: Int
        let part: Int
        var sendTime = Tally.Open.Batch()
        var peakAge = Tally.Open.Batch()
        var age = RampTally.Open.Batch()
    }

    /// Hands over what was added up.
    private mutating func close(_ stage: ForeseenStage) {
        let activity = stage.activity
        let count = UInt32(truncatingIfNeeded: stage.sendTime.count)
        activity.refreshCount &+= count
        activity.requestCount &+= count
        recorder.count(.pushesOffered, by: stage.sendTime.count)
        recorder.count(.updatesSent, by: stage.sendTime.count)
        recorder.count(.responsesAccepted, by: stage.sendTime.count)
        recorder.record(zeros: stage.sendTime.count, as: .sendWait, part: stage.rank)
        recorder.add(stage.sendTime, to: .sendTime, part: stage.rank)
        recorder.add(stage.sendTime.sum, to: .busyTime)
        recorder.count(.fateShown, by: stage.peakAge.count)
        recorder.add(stage.peakAge, to: .peakAge, part: stage.part)
        recorder.add(stage.age, toAgesOf: stage.part)
        activity.age.record(stage.age, upTo: stage.peakAge.largest)
    }

    /// Works out refreshes, up to one that something may disturb.
    ///
    /// Of that one nothing that can be seen has changed yet.
    ///
    /// - Returns: When that one is due.
    private mutating func foreseeRefreshes(_ stage: inout ForeseenStage, from first: Instant, before sight: Instant)
        -> Instant
    {
        let activity = stage.activity
        var due = first
        while stage.sendTime.count < CellSimulation.longestForesight {
            let instant = due
            let end = min(sight, activity.deviceReminder.next)
            guard instant < end,
                case .goes = activity.pace.verdict(isStageNew: false, minimum: rules.minimumInterval, at: instant)
            else { break }
            // The draws first, for none waits for another.
            let ride = activity.ride
            let index = activity.pushNumbers.nextOccasion
            let draws = random.draws(entity: ride, purpose: Purpose.content.rawValue, index: index)
            let next = instant.after(refreshPause(stage.pauses, draws.second))
            let content = ContentStamp(generatedAt: instant, staleDate: instant.after(rules.ttl))
            guard !rules.lacksStaleDate(draws.first), world.fits(payloadDraw: draws.first),
                !bringsEndNearer(content, activity),
                let course = course(
                    of: index,
                    rules.refreshPriority,
                    sentAt: instant,
                    to: activity,
                    before: min(min(next, end), activity.monitor.freshUntil(with: content, world.monitor))
                ),
                instant < course.heardAt
            else { break }
            let span = course.heardAt - instant
            let timestamp = nextTimestamp(activity, at: instant)

            // Nothing is in its way.
            due = next
            streams.addRequest(at: instant, taking: span)
            books.requestAhead(from: instant, to: course.heardAt, &recorder)
            loop.record(event: EventKind.refresh.rawValue, subject: ride, at: instant)
            loop.record(event: EventKind.response.rawValue, subject: ride, at: course.heardAt)
            recordDelivery(of: activity, course)
            recorder.record(span.microseconds, as: .sendTime, part: stage.rank, in: &stage.sendTime)
            if rules.hasCities { recorder.add(1, to: .updatesSent, inCity: Int(activity.city), at: instant) }
            activity.entity.pointee.pushNumbers.contentArose()
            activity.newestPush = index
            activity.pace.updated(at: instant)
            activity.entity.pointee.monitor.contentAhead(content, world.monitor)
            var phone = activity.phone
            guard isPlain(content, course.takenAt, activity),
                phone.pushArrived(
                    .update,
                    timestamp: timestamp,
                    priority: rules.refreshPriority,
                    at: course.takenAt,
                    rules: rules.phone
                ) == .shows
            else {
                recorder.add(1, to: .updatesSent, at: instant)
                recorder.add(1, to: .responsesAccepted, at: course.heardAt)
                showWithCare(content, timestamp, index, activity, course)
                continue
            }
            let low = activity.ageMeasuredUntil.microseconds &- activity.phone.content.generatedAt.microseconds
            let high = course.takenAt.microseconds &- activity.phone.content.generatedAt.microseconds
            activity.ageMeasuredUntil = course.takenAt
            recorder.recordAge(from: low, to: high, part: stage.part, inPlace: activity.number, in: &stage.age)
            recorder.record(high, as: .peakAge, part: stage.part, in: &stage.peakAge)
            recorder.countUpdate(sentAt: instant, acceptedAt: course.heardAt, shownAt: course.takenAt)
            phone.show(content, timestamp: timestamp)
            activity.phone = phone
        }
        return due
    }

    // MARK: - The screen

    /// Whether content takes the place of what is as fresh, of the same stage and came by push as well, as nearly all does: then
    /// nothing but ages is to be accounted for.
    @inline(__always)
    private func isPlain(_ content: ContentStamp, _ instant: Instant, _ activity: Handle<Activity>) -> Bool {
        instant <= min(activity.phone.content.staleDate, content.staleDate)
            && (activity.appAliveUntil <= content.generatedAt || !rules.appCanUpdate)
            && activity.whereabouts == .onScreen && activity.contentSource == .push
            && activity.entity.pointee.showsStage && rules.measuredFrom <= activity.ageMeasuredUntil
    }

    /// An update reaches its phone at an instant.
    @inline(never)
    private mutating func showWithCare(
        _ content: ContentStamp,
        _ timestamp: Int64,
        _ index: UInt32,
        _ activity: Handle<Activity>,
        _ course: Course
    ) {
        let now = loop.now
        loop.workAhead(at: content.generatedAt)
        if isAppAlive(activity) {
            updateLocally(activity)
            activity.newestPush = index
        }
        contentCame(content, of: activity, to: .inFlight)
        pushArrivesAhead(content, timestamp: timestamp, rules.refreshPriority, of: activity, course)
        loop.workAhead(at: now)
    }

    // MARK: - Without a screen

    /// Works out refreshes of a ride without a Live Activity, or with one of which the server does not know: nothing is sent.
    private mutating func foreseeUnseen(_ activity: Handle<Activity>, _ pauses: SamplerID, from due: Instant)
        -> Instant
    {
        guard !activity.monitor.takesContent, activity.registration == .idle, activity.monitorReminder.next == .never,
            activity.whereabouts == .noToken || activity.isGivenUp, activity.newestPush == Activity.noPush
        else { return due }
        let end = min(activity.movesOnAt, Instant(microseconds: world.runsThrough.microseconds + 1))
        var due = due
        var count: Int64 = 0
        while due < end, count < CellSimulation.longestForesight {
            count += 1
            loop.record(event: EventKind.refresh.rawValue, subject: activity.ride, at: due)
            activity.refreshCount &+= 1
            due = due.after(refreshPause(pauses, activity, after: activity.pushNumbers.nextOccasion))
            activity.entity.pointee.pushNumbers.contentArose()
        }
        return due
    }
}
