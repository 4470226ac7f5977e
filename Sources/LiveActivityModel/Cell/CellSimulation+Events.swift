import CMemoryHints
import Quantities
import SimulationKernel

/// Events: their handlers, their scheduling, the memory that they will touch, and the draws that decide their outcomes.
extension CellSimulation {
    /// Performs an event.
    @inline(__always)
    mutating func perform(_ event: EventWord) {
        if activities.areRested { wake(for: event) }
        if cohorts.count > 1 { enterCohort(of: event) }
        if speculates { stepBegins(event) }
        handle(event)
        if speculates { stepEnds() }
        if activities.areRested { rest(after: event) }
    }

    @inline(__always)
    private mutating func handle(_ event: EventWord) {
        let subject = event.subject
        switch EventKind(event) {
        case .arrival: rideRequested(subject)
        case .joining: memberJoins(joins[subject])
        case .connectionsLost: connectionsLost(fault: Int(subject))
        case .reconnected: reconnected(fault: Int(subject))
        case .ride: rideMovesOn(activities[subject])
        case .refresh: refreshCameUp(activities[subject])
        case .registration: registrationCameUp(activities[subject])
        case .rotation: rotationCameUp(activities[subject])
        case .device: deviceCameUp(activities[subject])
        case .monitor: monitorCameUp(activities[subject])
        case .response, .silence: responseArrived(pushes[subject])
        case .delivery: deliveryArrived(pushes[subject])
        case .patience: patienceEnded(pushes[subject])
        case .requeue: pushReturned(pushes[subject])
        case .content: contentArrived(pushes[subject])
        case .token: tokenCame()
        case .senderResumed: senderResumed(fault: Int(subject))
        case .service: serviceEnded(pushes[subject])
        case .postponed: postponedChangeCameUp(activities[subject])
        case .turn: turnCame()
        case .scan: monitorScans()
        }
    }

    /// Unpacks the activity that an event concerns; an activity with a push in flight is already unpacked.
    private mutating func wake(for event: EventWord) {
        if EventKind(event).concernsActivity { _ = activities.wake(event.subject) }
    }

    /// Packs the activity that an event concerned, if it is idle.
    ///
    /// By now the slot of a push may belong to the push of another activity, which may be packed as well.
    private mutating func rest(after event: EventWord) {
        let kind = EventKind(event)
        if kind.concernsActivity {
            activities.rest(event.subject, at: loop.now)
        } else if kind.concernsPush {
            activities.rest(pushes[event.subject].activity, at: loop.now)
        }
    }

    @inline(__always)
    mutating func schedule(_ kind: EventKind, subject: UInt32, at instant: Instant) {
        // An event after the horizon is never processed.
        guard instant <= rules.horizon else { return }
        loop.schedule(EventWord(kind: kind.rawValue, subject: subject), at: instant, priority: kind.priority)
    }

    /// Records an event in the history under the number of its ride, which never changes.
    @inline(__always)
    mutating func record(_ kind: EventKind, of activity: Handle<Activity>) {
        loop.record(event: kind.rawValue, subject: activity.ride)
    }

    // MARK: - Alarms

    /// Sets an alarm of an activity; speculation schedules the activity's next event alone, at the end of the step.
    @inline(__always)
    mutating func set(
        _ alarm: inout Alarm,
        of activity: Handle<Activity>,
        for instant: Instant,
        _ kind: EventKind
    ) {
        if isSpeculating {
            alarm.note(instant)
        } else if alarm.set(for: instant) {
            schedule(kind, subject: activity.number, at: instant)
        }
    }

    /// Returns `true` if an alarm is set for this event; an event that comes too early is scheduled again.
    @inline(__always)
    mutating func rings(
        _ alarm: inout Alarm,
        of activity: Handle<Activity>,
        _ kind: EventKind
    ) -> Bool {
        switch alarm.ring(at: loop.now) {
        case .rings:
            return true
        case .early(let due):
            if activity.hasUnscheduledTimers {
                // Its next event is in the list, and will schedule this alarm.
                alarm = Alarm(due: due, next: .never)
            } else {
                schedule(kind, subject: activity.number, at: due)
            }
            return false
        case .off:
            return false
        }
    }

    // MARK: - Timers

    @inline(__always)
    mutating func remindDevice(_ activity: Handle<Activity>, at instant: Instant) {
        if activity.entity.pointee.deviceReminder.remind(at: instant), !isSpeculating {
            schedule(.device, subject: activity.number, at: instant)
        }
    }

    @inline(__always)
    mutating func remindMonitor(_ activity: Handle<Activity>, at instant: Instant) {
        if activity.entity.pointee.monitorReminder.remind(at: instant), !isSpeculating {
            schedule(.monitor, subject: activity.number, at: instant)
        }
    }

    mutating func deviceCameUp(_ activity: Handle<Activity>) {
        guard activity.entity.pointee.deviceReminder.comesUp(at: loop.now) else { return }
        checkDevice(activity)
    }

    mutating func monitorCameUp(_ activity: Handle<Activity>) {
        guard activity.entity.pointee.monitorReminder.comesUp(at: loop.now) else { return }
        checkMonitor(activity)
    }

    // MARK: - Draws

    @inline(__always)
    func draw(_ activity: Handle<Activity>, _ purpose: Purpose, _ index: UInt32 = 0) -> UInt64 {
        draw(activity.ride, purpose, index)
    }

    @inline(__always)
    func draw(_ ride: UInt64, _ purpose: Purpose, _ index: UInt32) -> UInt64 {
        random.draw(entity: ride, purpose: purpose.rawValue, index: index)
    }

    @inline(__always)
    func span(_ sampler: SamplerID, _ activity: Handle<Activity>, _ purpose: Purpose, _ index: UInt32 = 0)
        -> TimeSpan
    {
        span(sampler, activity.ride, purpose, index)
    }

    @inline(__always)
    func span(_ sampler: SamplerID, _ ride: UInt64, _ purpose: Purpose, _ index: UInt32 = 0) -> TimeSpan {
        own.bank.timeSpan(sampler, draw(ride, purpose, index))
    }

    /// A Bernoulli trial, which takes no draw if its outcome is certain.
    @inline(__always)
    func happens(
        _ probability: Probability,
        _ activity: Handle<Activity>,
        _ purpose: Purpose,
        _ index: UInt32 = 0
    ) -> Bool {
        happens(probability, activity.ride, purpose, index)
    }

    /// A Bernoulli trial of the phone of an activity, whose outcome is the same in all rides of its rider.
    @inline(__always)
    func phoneHas(_ share: Probability, _ activity: Handle<Activity>, _ purpose: Purpose) -> Bool {
        happens(share, RideNumber.first(ofRider: activity.ride), purpose)
    }

    @inline(__always)
    func happens(
        _ probability: Probability,
        _ ride: UInt64,
        _ purpose: Purpose,
        _ index: UInt32 = 0
    ) -> Bool {
        guard probability != .never else { return false }
        guard probability != .always else { return true }
        return probability.happens(draw(ride, purpose, index))
    }

    // MARK: - Memory

    /// Prefetches the memory that upcoming events will use.
    ///
    /// The entity itself is prefetched well ahead. The activity of a push is prefetched later, because only the push
    /// names it. The hint has no effect on the history.
    @inline(__always)
    func prefetchUpcoming() {
        if let word = loop.upcoming(14) {
            let kind = EventKind(word)
            if kind.concernsActivity {
                activities.prefetch(word.subject, of: kind)
            } else if kind.concernsPush {
                let push = UnsafeRawPointer(pushes[word.subject].entity)
                prefetch_line(push)
                prefetch_line(push + 64)
                prefetch_line(push + 128)
            }
        }
        if let word = loop.upcoming(6), EventKind(word).concernsPush {
            activities.prefetch(pushes[word.subject].activity, of: EventKind(word))
        }
    }
}
