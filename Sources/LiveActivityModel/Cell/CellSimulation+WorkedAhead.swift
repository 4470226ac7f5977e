import FreshnessCore
import Quantities
import SimulationKernel

/// Pushes whose course nothing can disturb, worked out to their end as they begin.
///
/// Nearly all go the same way: a stream is free, APNs accepts, the screen shows; and until then nothing else happens to the
/// activity. Whatever could disturb that has an instant, known beforehand, and everything else that happens meanwhile is
/// another activity's. So the response and the delivery need no place, no event in the list, and no second look at an
/// activity that has left the cache by then:
///
/// ```
///   refresh ─► request ─────► response ─────► delivery          next refresh or stage, look, rotation, fault, horizon
///   now                         at t₁            at t₂       <   the first of these
///    └──────────── worked out now ────────────────┘
/// ```
///
/// A phone without a connection is no disturbance where APNs keeps the update until it is back, before anything else happens.
///
/// What activities share is the sender's streams: when they come back is kept, and looked at before the next is asked for, or
/// assumed to be early enough (`CellSimulation+Foresight.swift`); only where a push waits do they come back by events. All that is measured is sums, which do not care for the order in
/// which they are added.
extension CellSimulation {
    /// Works an update out to its end, if that can be known.
    ///
    /// - Parameter next: When the ride has something new to say.
    /// - Returns: Whether it was; else it is to be offered to the sender.
    @inline(__always)
    mutating func workOut(
        _ payload: Push.Payload,
        _ index: UInt32,
        _ priority: PushPriority,
        of activity: Handle<Activity>,
        before next: Instant
    ) -> Bool {
        let first = min(
            min(next, lookahead.limit(at: loop.now)),
            min(activity.movesOnAt, activity.deviceReminder.next, activity.rotationAlarm.due)
        )
        guard loop.now < first, activity.hasNothingUnderWay else { return false }
        let isAssumed = assumesFreeStreams
        if !isAssumed || streams.isBehind(loop.now) { integrateSender() }
        let content = payload.content
        guard sender.isFree, Int(payload.bytes) <= world.scenario.content.payload.limit,
            !bringsEndNearer(content, activity),
            let course = course(
                of: index,
                priority,
                sentAt: loop.now,
                to: activity,
                before: min(first, activity.monitor.freshUntil(with: content, world.monitor))
            ),
            loop.now < course.heardAt || !isAssumed
        else { return false }
        if let photo = payload.photo { recorder.count(photo) }
        requestBeginsAhead(.update, content, of: activity, until: course.heardAt, isAssumed: isAssumed)
        activity.entity.pointee.monitor.contentAhead(content, world.monitor)
        recordDelivery(of: activity, course)
        pushArrivesAhead(payload.content, timestamp: payload.timestamp, priority, of: activity, course)
        return true
    }

    /// What becomes of an update, or an end, to which nothing happens that is out of the ordinary.
    struct Course {
        /// When the sender hears that it was accepted.
        let heardAt: Instant
        /// When it could be at its phone.
        let arrivesAt: Instant
        /// When it is there: later for a phone that is without a connection meanwhile, for which APNs keeps it.
        let takenAt: Instant
    }

    /// What becomes of a push whose request begins at some time, if that comes about before anything else does.
    ///
    /// - Parameters:
    ///   - index: That of the push; its payload fits.
    ///   - isEnd: Whether it is an end, and not an update.
    ///   - sentAt: When the request begins, now or later, while no fault lasts.
    ///   - activity: Its token works.
    ///   - first: When something else may happen to the activity, as by the monitor.
    /// - Returns: Nil where it is not so.
    @inline(__always)
    mutating func course(
        of index: UInt32,
        _ priority: PushPriority,
        isEnd: Bool = false,
        sentAt: Instant,
        to activity: Handle<Activity>,
        before first: Instant
    ) -> Course? {
        let request = APNsStation.Request(
            ride: activity.ride,
            drawIndex: PushIndex.request(index, attempt: 0),
            tokenNumber: activity.serverToken,
            priority: priority,
            bytes: 0
        )
        guard let (span, way) = apns.calmCourse(of: request, apnsRules), sender.limits.isHeard(after: span)
        else { return nil }
        let heardAt = sentAt.after(span)
        var arrivesAt = (rules.decidesWithResponse ? heardAt : sentAt).after(way)
        if !rules.reorders { arrivesAt = max(arrivesAt, activity.destination.isExpectedUntil) }
        guard max(heardAt, arrivesAt) < first else { return nil }
        // Not asked before it is sure that nothing comes earlier: what connections were until then is forgotten.
        let takenAt = connected(activity, notBefore: arrivesAt, seenFrom: sentAt)
        if arrivesAt < takenAt {
            let expiresAt = APNsDestination.expiry(
                sentAt: sentAt,
                expiration: expiration(isEnd: isEnd),
                storage: world.scenario.apns.storage
            )
            guard takenAt <= expiresAt, takenAt < first else { return nil }
        }
        return Course(heardAt: heardAt, arrivesAt: arrivesAt, takenAt: takenAt)
    }

    /// A request begins now, without a wait, and is accepted.
    ///
    /// - Parameter isAssumed: Whether its stream is assumed to be free: then it is taken when the sender is brought up, after
    ///   whatever comes by an event.
    @inline(__always)
    mutating func requestBeginsAhead(
        _ kind: StoryLine.PushKind,
        _ content: ContentStamp,
        of activity: Handle<Activity>,
        until heardAt: Instant,
        isAssumed: Bool
    ) {
        assert(isMeasured, "nothing is worked out before the warm-up is over")
        let rank = rank(of: kind, stage: activity.stage)
        if isAssumed {
            streams.addRequest(at: loop.now, taking: heardAt - loop.now)
            recorder.record(0, as: .sendWait, part: Int(rank))
        } else {
            sender.beginAhead(at: loop.now)
            streams.addReturn(at: heardAt)
            recordWait(.zero, rank: rank, isFirst: true)
        }
        recorder.add((heardAt - loop.now).microseconds, to: .busyTime)
        books.requestAhead(from: loop.now, to: heardAt, &recorder)
        recorder.count(.pushesOffered)
        contentCame(content, of: activity, to: .inFlight)
        countRequest(for: kind, of: activity)
        activity.requestCount &+= 1
        loop.record(event: EventKind.response.rawValue, subject: activity.ride, at: heardAt)
        countAcceptance(after: heardAt - loop.now, rank: rank, at: heardAt)
    }

    /// Takes a delivery into the history, and that to the store before it.
    @inline(__always)
    mutating func recordDelivery(of activity: Handle<Activity>, _ course: Course) {
        loop.record(event: EventKind.delivery.rawValue, subject: activity.ride, at: course.arrivesAt)
        if course.arrivesAt < course.takenAt {
            loop.record(event: EventKind.delivery.rawValue, subject: activity.ride, at: course.takenAt)
        }
    }

    /// The push reaches its phone.
    @inline(__always)
    mutating func pushArrivesAhead(
        _ content: ContentStamp,
        timestamp: Int64,
        _ priority: PushPriority,
        of activity: Handle<Activity>,
        _ course: Course
    ) {
        let now = loop.now
        if course.arrivesAt < course.takenAt { storeAhead(content, of: activity, course) }
        loop.workAhead(at: course.takenAt)
        judge(content, timestamp: timestamp, priority, at: activity)
        loop.workAhead(at: now)
    }

    /// APNs keeps a push for a phone without a connection.
    mutating func storeAhead(_ content: ContentStamp, of activity: Handle<Activity>, _ course: Course) {
        loop.workAhead(at: course.arrivesAt)
        contentCame(content, of: activity, to: .stored)
    }

    /// The phone judges an update that reaches it now.
    mutating func judge(
        _ content: ContentStamp,
        timestamp: Int64,
        _ priority: PushPriority,
        at activity: Handle<Activity>
    ) {
        let effect = activity.entity.pointee.phone.pushArrived(
            .update,
            timestamp: timestamp,
            priority: priority,
            at: loop.now,
            rules: rules.phone
        )
        if effect == .shows { show(activity, content, timestamp: timestamp, from: .push) }
        settleAhead(effect.fate, content, of: activity)
    }

    /// A push that was worked out has ended so.
    @inline(__always)
    mutating func settleAhead(_ fate: StoryLine.Fate, _ content: ContentStamp, of activity: Handle<Activity>) {
        let end = fate.end
        if let place = end.place { contentCame(content, of: activity, to: place) }
        countEnd(end.counter)
    }

    /// From now on streams are awaited: those whose return is known come back by events.
    mutating func awaitStreams() {
        // What was worked out to begin may have to wait now.
        if streams.requestCount > 0 { hasErred = true }
        for instant in streams.removeReturns() { schedule(.stream, subject: 0, at: instant) }
    }

    mutating func streamCameBack() {
        integrateSender()
        sender.changeAhead(to: sender.inFlight - 1)
        drainAfterAnswers()
    }
}

extension Handle where Entity == Activity {
    /// Whether the activity is on a screen and its token in the server's hands, with no push or report on its way.
    @inline(__always)
    var hasNothingUnderWay: Bool {
        self.pushCount == 0 && self.registration == .idle && entity.pointee.phone.phase == .live
            && self.tokenDeadSince == .never && entity.pointee.monitor.token == self.tokenNumber
    }
}

extension Instant {
    /// The moment a span after one that is not beyond the end of a run, and so never out of range: half of what saturation costs.
    @inline(__always)
    func after(_ span: TimeSpan) -> Instant { Instant(microseconds: microseconds &+ span.microseconds) }
}
