import FreshnessCore
import Quantities
import SimulationKernel

/// Updates whose course nothing can disturb, worked out to their end as they begin.
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
/// What activities share is the sender's streams: the stream comes back by an event of its own. All that is measured is
/// sums, which do not care for the order in which they are added.
extension CellSimulation {
    /// What is known of an update as it begins.
    private struct Course {
        let heardAt: Instant
        let arrivesAt: Instant
    }

    /// Works an update out to its end, if that can be known.
    ///
    /// - Parameter next: When the ride has something new to say.
    /// - Returns: Whether it was; else it is to be offered to the sender.
    @inline(__always)
    mutating func isWorkedOut(_ push: Push, of activity: Handle<Activity>, before next: Instant) -> Bool {
        guard let course = course(of: push, activity, before: min(next, outlook.limit(at: loop.now))) else { return false }
        requestForeseen(push, of: activity, heardAt: course.heardAt)
        acceptanceForeseen(push, of: activity, at: course.heardAt)
        arrivalForeseen(push, of: activity, at: course.arrivesAt)
        return true
    }

    /// The course of a push that begins now, is accepted and reaches its phone before anything else happens to it or to the
    /// activity; nil where that is not so, or not known.
    @inline(__always)
    private mutating func course(of push: Push, _ activity: Handle<Activity>, before next: Instant) -> Course? {
        let first = min(next, activity.movesOnAt, activity.deviceReminder.next, activity.rotationAlarm.due)
        guard loop.now < first, activity.pushCount == 0, activity.registration == .idle, activity.phone.phase == .live,
            activity.tokenDeadSince == .never, activity.serverToken == activity.tokenNumber, sender.isFree
        else { return nil }
        let request = APNsStation.Request(
            ride: push.ride,
            drawIndex: push.drawIndex,
            tokenNumber: activity.serverToken,
            priority: push.priority,
            bytes: Int(push.payload.bytes)
        )
        guard case .accepted(let span, let passage) = apns.received(request, apnsRules, at: loop.now),
            sender.limits.isHeard(after: span)
        else { return nil }
        let heardAt = loop.now + span
        guard case .arrives(let way) = passage ?? apns.passage(of: request, apnsRules, at: heardAt) else { return nil }
        var arrivesAt = (passage == nil ? heardAt : loop.now) + way
        if !rules.reorders { arrivesAt = max(arrivesAt, activity.destination.isExpectedUntil) }
        let end = max(heardAt, arrivesAt)
        guard end < first, connected(activity, notBefore: arrivesAt) == arrivesAt,
            activity.monitor.staysFresh(
                with: push.payload.content,
                through: end,
                nextLook: activity.monitorReminder.next,
                world.monitor
            )
        else { return nil }
        return Course(heardAt: heardAt, arrivesAt: arrivesAt)
    }

    /// The request begins.
    @inline(__always)
    private mutating func requestForeseen(_ push: Push, of activity: Handle<Activity>, heardAt: Instant) {
        integrateSender()
        sender.beginForeseen(at: loop.now)
        schedule(.stream, subject: 0, at: heardAt, priority: .delivery)
        recorder.count(.pushesOffered)
        contentCame(push.payload.content, of: activity, to: .inFlight)
        books.requestBegan(after: .zero, streams: sender.inFlight, at: loop.now)
        recorder.record(0, as: .sendWait, part: Int(push.rank))
        recorder.count(.updatesSent)
        recorder.add(1, to: .updatesSent, at: loop.now)
        countInCity(.updatesSent, activity)
        activity.requestCount &+= 1
        if let photo = push.payload.photo { recorder.count(photo) }
    }

    /// The sender hears of the acceptance.
    @inline(__always)
    private mutating func acceptanceForeseen(_ push: Push, of activity: Handle<Activity>, at instant: Instant) {
        loop.record(event: EventKind.response.rawValue, subject: push.ride, at: instant)
        recorder.record((instant - loop.now).microseconds, as: .sendTime, part: Int(push.rank))
        recorder.count(.responsesAccepted)
        recorder.add(1, to: .responsesAccepted, at: instant)
        _ = activity.monitor.contentAccepted(push.payload.content, of: push.watch, at: instant, world.monitor)
    }

    /// The push reaches its phone.
    @inline(__always)
    private mutating func arrivalForeseen(_ push: Push, of activity: Handle<Activity>, at instant: Instant) {
        let now = loop.now
        loop.record(event: EventKind.delivery.rawValue, subject: push.ride, at: instant)
        loop.workAhead(at: instant)
        if !rules.reorders { _ = activity.entity.pointee.destination.arrival(notBefore: instant) }
        let effect = activity.entity.pointee.phone.pushArrived(
            .update,
            timestamp: push.payload.timestamp,
            priority: push.priority,
            at: instant,
            rules: rules.phone
        )
        if effect == .shows {
            show(activity, push.payload.content, timestamp: push.payload.timestamp, from: .push)
        }
        let end = effect.fateOfUpdate.end
        if let place = end.place { contentCame(push.payload.content, of: activity, to: place) }
        countEnd(end.counter)
        loop.workAhead(at: now)
    }

    /// The stream of a request comes back whose response was worked out.
    mutating func streamCameBack() {
        integrateSender()
        sender.foreseenEnded()
        drainQueue()
    }
}

extension PhoneStation.Effect {
    /// The fate of an update that has it, on a screen that is there.
    fileprivate var fateOfUpdate: StoryLine.Fate {
        switch self {
        case .shows: .shown
        case .older: .older
        case .throttled: .throttled
        case .undecodable: .undecodable
        case .starts, .duplicate, .ends, .afterEnd: preconditionFailure("no update to a live activity does that")
        }
    }
}
