import FreshnessCore
import Quantities
import SimulationKernel

/// The plain refresh in one loop, for speed alone: it adds no rule.
///
/// Nearly all pushes are refreshes that are accepted, shown, and followed by the next refresh. This loop does at once what
/// the handlers do for such a push in three events, and leaves every other refresh to them. Without it every result is the
/// same: `Speculation.handlersOnly` switches it off.
///
/// | here                         | the handlers that it repeats                                     |
/// |------------------------------|------------------------------------------------------------------|
/// | draws, content, timestamp    | `refresh`, `sendUpdate`, `makePayload`, and `updateSent`         |
/// | `fits`                       | the limit of `APNsStation.refusal`, for an undrawn size          |
/// | taking a stream              | `offered` and `begin` of the sender's station                    |
/// | `APNsStation.received`       | `submit`, by the same station                                    |
/// | `contentAccepted`            | `confirm`, by the same station                                   |
/// | `isExpectedUntil`            | `deliver`, by `APNsDestination.arrival`                          |
/// | `keep`                       | `store`, by the same station                                     |
/// | `pushArrived`                | `receive`, by the same station                                   |
/// | sums                         | `startRequest`, `responseArrived`, `deliveryArrived`, `show`     |
extension CellSimulation {
    /// Refreshes of one stage, and their sums until they are recorded.
    private struct Refreshes {
        let activity: Handle<Activity>
        let rank: Int
        let part: Int
        /// When something else happens to the activity.
        var other: Instant
        var sendTime = Tally.Open.Batch()
        var peakAge = Tally.Open.Batch()
        var age = RampTally.Open.Batch()
    }

    /// Processes plain refreshes from now on.
    ///
    /// - Returns: `true` if at least one was processed. The next refresh is then set.
    @inline(__always)
    mutating func refreshFast(_ activity: Handle<Activity>) -> Bool {
        guard isAccelerated, activity.isReadyForRefresh,
            activity.stage < own.photoStage || !rules.hasSizes
                || activity.isPhotoSent && (!rules.hasCarPhotos || pictures[activity.number].isCarSent),
            let pauses = own.samplers.stageRefreshes[activity.stage]
        else { return false }
        return refreshFast(activity, pauses)
    }

    @inline(never)
    private mutating func refreshFast(_ activity: Handle<Activity>, _ pauses: SamplerID) -> Bool {
        var refreshes = Refreshes(
            activity: activity,
            rank: Int(rank(of: .update, stage: activity.stage)),
            part: measuredStage(of: activity),
            other: nextOtherEvent(of: activity)
        )
        var due = loop.now
        while refreshes.sendTime.count < CellSimulation.longestRun, due < min(refreshes.other, lastStart),
            let next = refresh(&refreshes, pauses, at: due)
        {
            due = next
        }
        guard refreshes.sendTime.count > 0 else { return false }
        record(refreshes)
        activity.entity.pointee.refreshAlarm.note(due)
        remindMonitor(activity)
        return true
    }

    /// When something other than a refresh may happen to an activity whose refresh has come up.
    @inline(__always)
    private func nextOtherEvent(of activity: Handle<Activity>) -> Instant { min(Agenda(of: activity).at, safeHorizon) }

    /// Processes a refresh if it is plain.
    ///
    /// - Parameter instant: When it is due.
    /// - Returns: When the next one is due; nil if this one must be left to the handlers, which find the same state.
    @inline(__always)
    private mutating func refresh(_ refreshes: inout Refreshes, _ pauses: SamplerID, at instant: Instant) -> Instant? {
        let activity = refreshes.activity
        let ride = activity.ride
        let index = activity.pushNumbers.nextOccasion
        // The draws come first because they do not depend on each other.
        let draws = random.draws(entity: ride, purpose: Purpose.content.rawValue, index: index)
        let request = APNsStation.Request(
            ride: ride,
            drawIndex: PushIndex.request(index, attempt: 0),
            tokenNumber: activity.serverToken,
            priority: rules.refreshPriority,
            bytes: 0
        )
        let next = instant.after(refreshPause(pauses, draws.second))
        let content = ContentStamp(generatedAt: instant, staleDate: instant.after(rules.ttl))
        guard case .goes = activity.pace.verdict(isStageNew: false, minimum: rules.minimumInterval, at: instant),
            case .accepted(let span, let passage) = apns.received(request, apnsRules, at: instant),
            sender.limits.isHeard(after: span)
        else { return nil }
        let heardAt = instant.after(span)
        guard
            case .arrives(let way) = passage ?? apns.passage(of: request, apnsRules, at: heardAt)
        else { return nil }
        var arrivedAt = (rules.decidesWithResponse ? heardAt : instant) + way
        if !rules.reorders { arrivedAt = max(arrivedAt, activity.destination.isExpectedUntil) }
        let lapse = activity.monitor.freshUntil(with: content, own.monitor)
        let limit = min(min(next, refreshes.other), lapse)
        guard max(heardAt, arrivedAt) < limit, !rules.lacksStaleDate(draws.first),
            own.fits(payloadDraw: draws.first, inStage: activity.stage), !bringsEndNearer(content, activity)
        else { return nil }
        // Forgets earlier intervals; every event before this refresh has been processed.
        let shownAt = connected(activity, notBefore: arrivedAt, seenFrom: instant)
        guard
            shownAt == arrivedAt
                || shownAt < limit && isStored(activity, sentAt: instant, arrivedAt: arrivedAt, until: shownAt)
        else { return nil }

        speculative.take(at: instant)
        speculative.giveBack(at: heardAt)
        meter.streamHeld(from: instant, to: heardAt, &recorder)
        loop.record(event: EventKind.refresh.rawValue, subject: ride, at: instant)
        loop.record(event: EventKind.response.rawValue, subject: ride, at: heardAt)
        loop.record(event: EventKind.delivery.rawValue, subject: ride, at: arrivedAt)
        if arrivedAt < shownAt { loop.record(event: EventKind.delivery.rawValue, subject: ride, at: shownAt) }
        recorder.record(span.microseconds, as: .sendTime, part: refreshes.rank, in: &refreshes.sendTime)
        if rules.hasSegments { recorder.add(1, to: .updatesSent, inSegment: Int(activity.segment), at: instant) }
        activity.entity.pointee.pushNumbers.contentArose()
        let timestamp = nextTimestamp(activity, at: instant)
        activity.pace.updated(at: instant)
        _ = activity.monitor.contentAccepted(content, of: activity.monitor.watch, at: heardAt, own.monitor)

        // Fresh content of this stage that also came by push is replaced, so only ages are recorded.
        let shown = activity.phone.content
        var phone = activity.phone
        guard shownAt <= min(shown.staleDate, content.staleDate), activity.whereabouts == .onScreen,
            activity.contentSource == .push, activity.entity.pointee.showsStage,
            rules.measuredFrom <= activity.ageMeasuredUntil, activity.appAliveUntil <= instant || !rules.appCanUpdate,
            phone.pushArrived(
                .update,
                timestamp: timestamp,
                priority: rules.refreshPriority,
                at: shownAt,
                rules: rules.phone
            ) == .shows
        else {
            recorder.add(1, to: .updatesSent, at: instant)
            recorder.add(1, to: .responsesAccepted, at: heardAt)
            updateScreen(of: activity, with: content, timestamp, inPush: index, arrivedAt: arrivedAt, at: shownAt)
            refreshes.other = nextOtherEvent(of: activity)
            return next
        }
        activity.newestPush = index
        recorder.countUpdate(sentAt: instant, acceptedAt: heardAt, shownAt: shownAt)
        let low = activity.ageMeasuredUntil.microseconds &- shown.generatedAt.microseconds
        let high = shownAt.microseconds &- shown.generatedAt.microseconds
        if rules.hasETA { measureETA(activity, from: activity.ageMeasuredUntil, to: shownAt) }
        activity.ageMeasuredUntil = shownAt
        recorder.recordAge(from: low, to: high, part: refreshes.part, inPlace: activity.number, in: &refreshes.age)
        recorder.record(high, as: .peakAge, part: refreshes.part, in: &refreshes.peakAge)
        phone.show(content, timestamp: timestamp)
        activity.phone = phone
        return next
    }

    /// Returns `true` if APNs stores a push for an offline phone until it is online.
    @inline(__always)
    private func isStored(
        _ activity: Handle<Activity>,
        sentAt: Instant,
        arrivedAt: Instant,
        until online: Instant
    ) -> Bool {
        var destination = activity.destination
        let keeping = destination.keep(
            0,
            sentAt: sentAt,
            expiration: expiration(isEnd: false),
            storage: world.scenario.apns.storage,
            until: online,
            at: arrivedAt
        )
        return keeping == .stored(inPlaceOf: nil)
    }

    /// Updates the screen by the handlers: the app may show the content first, and the phone may ignore the push.
    @inline(never)
    private mutating func updateScreen(
        of activity: Handle<Activity>,
        with content: ContentStamp,
        _ timestamp: Int64,
        inPush index: UInt32,
        arrivedAt: Instant,
        at shownAt: Instant
    ) {
        let now = loop.now
        loop.moveClock(to: content.generatedAt)
        if isAppAlive(activity) { updateLocally(activity) }
        contentArose(activity, inPush: index)
        contentCame(content, of: activity, to: .inFlight)
        if arrivedAt < shownAt {
            loop.moveClock(to: arrivedAt)
            contentCame(content, of: activity, to: .stored)
        }
        loop.moveClock(to: shownAt)
        let end = receive(.update, content, timestamp: timestamp, rules.refreshPriority, at: activity).fate.end
        if let place = end.place { contentCame(content, of: activity, to: place) }
        countEnd(end.counter)
        loop.moveClock(to: now)
    }

    private mutating func record(_ refreshes: Refreshes) {
        let activity = refreshes.activity
        let count = refreshes.sendTime.count
        activity.refreshCount &+= UInt32(truncatingIfNeeded: count)
        activity.requestCount &+= UInt32(truncatingIfNeeded: count)
        recorder.count(.pushesOffered, by: count)
        recorder.count(.updatesSent, by: count)
        recorder.count(.responsesAccepted, by: count)
        recorder.count(.fateShown, by: refreshes.peakAge.count)
        recorder.record(zeros: count, as: .sendWait, part: refreshes.rank)
        recorder.add(refreshes.sendTime, to: .sendTime, part: refreshes.rank)
        recorder.add(refreshes.peakAge, to: .peakAge, part: refreshes.part)
        recorder.add(refreshes.age, toAgesOf: refreshes.part)
        activity.age.record(refreshes.age, upTo: refreshes.peakAge.largest)
    }
}

extension Handle where Entity == Activity {
    /// `true` if the server has the token of a live activity, with no push or report in flight.
    @inline(__always)
    fileprivate var isReadyForRefresh: Bool {
        self.pushCount == 0 && self.registration == .idle && entity.pointee.phone.phase == .live
            && self.isStageAnnounced && self.tokenDeadSince == .never
            && entity.pointee.monitor.token == self.tokenNumber
    }
}

extension Instant {
    /// The instant a span later, without an overflow check.
    ///
    /// The instant is within a run, and no span of a scenario exceeds half of the range, so one addition cannot overflow. It
    /// costs half as much as a saturating one.
    @inline(__always)
    func after(_ span: TimeSpan) -> Instant { Instant(microseconds: microseconds &+ span.microseconds) }
}
