import FreshnessCore
import Quantities
import SimulationKernel

/// Pushes that nothing can disturb, processed to their end when they begin.
///
/// Nearly all pushes take the same path: a stream is free, APNs accepts, the screen shows the content, and until then
/// nothing else happens to the activity. Anything that could interfere has an instant that is known in advance;
/// everything else that happens meanwhile concerns other activities. So the response and the delivery need no slot, no
/// event in the list, and no second access to an activity that has left the cache by then:
///
/// ```
///   refresh ─► request ─────► response ─────► delivery          next refresh or stage, scan, rotation, fault, horizon
///     now                         at t₁            at t₂       <   the first of these
///      └───────────── processed now ───────────────┘
/// ```
///
/// A phone that is offline does not interfere if APNs stores the update until it is online again, before anything else
/// happens.
///
/// Activities share the sender's streams. The returns of streams are therefore kept and checked before the next
/// request, or assumed to be early enough (`CellSimulation+Foresight.swift`). Only while a push waits do streams come
/// back by events. All measurements are sums, so the order of addition does not matter.
extension CellSimulation {
    /// Processes an update to its end if nothing can interfere.
    ///
    /// - Parameter next: When the ride has new content.
    /// - Returns: `true` if it was processed; otherwise it must be offered to the sender.
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

    /// The times of an update, or an end, that nothing interferes with.
    struct Course {
        /// When the sender receives the acceptance.
        let heardAt: Instant
        /// When it reaches the phone if that is online.
        let arrivesAt: Instant
        /// When the phone receives it: later if the phone is offline meanwhile and APNs stores it.
        let takenAt: Instant
    }

    /// The times of a push whose request begins at some instant, if nothing else happens before it is done.
    ///
    /// - Parameters:
    ///   - index: The index of the push, whose payload fits.
    ///   - isEnd: `true` if it is an end, `false` if an update.
    ///   - sentAt: When the request begins, now or later; no fault is active then.
    ///   - activity: The activity, whose token works.
    ///   - first: When something else may happen to the activity, such as an action of the monitor.
    /// - Returns: Nil if something else may happen first.
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
        // Asked only when it is certain that nothing comes earlier, because this forgets earlier states of the
        // connection.
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

    /// Begins a request now, without a wait, that will be accepted.
    ///
    /// - Parameter isAssumed: `true` if its stream is assumed to be free. It is then taken when the sender is brought
    ///   up to date, after all earlier events.
    @inline(__always)
    mutating func requestBeginsAhead(
        _ kind: StoryLine.PushKind,
        _ content: ContentStamp,
        of activity: Handle<Activity>,
        until heardAt: Instant,
        isAssumed: Bool
    ) {
        assert(isMeasured, "nothing runs ahead before the warm-up is over")
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

    /// Records a delivery in the history, and its arrival at APNs' store before it.
    @inline(__always)
    mutating func recordDelivery(of activity: Handle<Activity>, _ course: Course) {
        loop.record(event: EventKind.delivery.rawValue, subject: activity.ride, at: course.arrivesAt)
        if course.arrivesAt < course.takenAt {
            loop.record(event: EventKind.delivery.rawValue, subject: activity.ride, at: course.takenAt)
        }
    }

    /// Handles a push that reaches its phone.
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

    /// Stores a push at APNs for a phone that is offline.
    mutating func storeAhead(_ content: ContentStamp, of activity: Handle<Activity>, _ course: Course) {
        loop.workAhead(at: course.arrivesAt)
        contentCame(content, of: activity, to: .stored)
    }

    /// Classifies an update that reaches its phone now.
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

    /// Counts the fate of a push that was processed ahead.
    @inline(__always)
    mutating func settleAhead(_ fate: StoryLine.Fate, _ content: ContentStamp, of activity: Handle<Activity>) {
        let end = fate.end
        if let place = end.place { contentCame(content, of: activity, to: place) }
        countEnd(end.counter)
    }

    /// Switches to events for the streams whose return is known, because pushes wait for them.
    mutating func awaitStreams() {
        // A speculative request may have to wait now.
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
    /// `true` if the activity is on a screen and the server has its token, with no push or report in flight.
    @inline(__always)
    var hasNothingUnderWay: Bool {
        self.pushCount == 0 && self.registration == .idle && entity.pointee.phone.phase == .live
            && self.tokenDeadSince == .never && entity.pointee.monitor.token == self.tokenNumber
    }
}

extension Instant {
    /// The instant a span later, without an overflow check.
    ///
    /// Neither operand exceeds the length of a run, so it cannot overflow, and it costs half as much as a saturating
    /// addition.
    @inline(__always)
    func after(_ span: TimeSpan) -> Instant { Instant(microseconds: microseconds &+ span.microseconds) }
}
