import FreshnessCore
import Quantities
import SimulationKernel

/// Speculative execution of the refreshes of one activity, minutes ahead, on the assumption that the sender has free
/// streams.
///
/// An update shares nothing with other activities but the sender's streams. Whether a stream will be free minutes from
/// now is unknown, but it can be assumed and checked later, because the requests and returns of streams are kept in
/// order. If no stream is free for a speculative request, the assumption was wrong, and so is everything after it. Then
/// the cell ``hasErred`` and must be run again without the assumption. This is D. R. Jefferson's Time Warp (ACM TOPLAS
/// 7, 1985) with the start of the run as the only saved state.
///
/// ```
///   refresh ─► update ─► next refresh ─► update ─► … ─► the first refresh that is not routine:
///     now           processed ahead of time             an event of its own
/// ```
extension CellSimulation {
    /// Processes refreshes of an activity ahead of time, up to the first that something may disturb.
    ///
    /// - Parameter due: When the next one is due, now or later.
    /// - Returns: When the first unprocessed refresh is due; `never` if there is none.
    @inline(__always)
    mutating func foresee(_ activity: Handle<Activity>, from due: Instant) -> Instant {
        guard isOptimistic, due < activity.movesOnAt else { return due }
        return foreseeStage(activity, from: due)
    }

    /// `true` if streams are assumed to be free, because there is room for several times the current requests.
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

    /// The number of refreshes that are processed ahead at a time; bounded so that a run can be cancelled quickly.
    private static var longestForesight: Int64 { 64 }

    /// Speculative refreshes of an activity's stage, and their sums until they are recorded.
    private struct ForeseenStage {
        let activity: Handle<Activity>
        let pauses: SamplerID
        let rank: Int
        let part: Int
        var sendTime = Tally.Open.Batch()
        var peakAge = Tally.Open.Batch()
        var age = RampTally.Open.Batch()
    }

    /// Records the sums of a stage.
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

    /// Processes refreshes ahead of time, up to the first that something may disturb.
    ///
    /// That refresh has no visible effect yet.
    ///
    /// - Returns: When that refresh is due.
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
            // The draws come first because they do not depend on each other.
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

            // Nothing disturbs this refresh.
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

    /// `true` if content replaces fresh content of the same stage that also came by push, so that only ages must be
    /// recorded.
    ///
    /// Nearly all content does.
    @inline(__always)
    private func isPlain(_ content: ContentStamp, _ instant: Instant, _ activity: Handle<Activity>) -> Bool {
        instant <= min(activity.phone.content.staleDate, content.staleDate)
            && (activity.appAliveUntil <= content.generatedAt || !rules.appCanUpdate)
            && activity.whereabouts == .onScreen && activity.contentSource == .push
            && activity.entity.pointee.showsStage && rules.measuredFrom <= activity.ageMeasuredUntil
    }

    /// Handles an update that reaches its phone at an instant, in the general case.
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

    /// Processes refreshes ahead of time for a ride without a Live Activity, or with a Live Activity unknown to the server;
    /// none sends a push.
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
