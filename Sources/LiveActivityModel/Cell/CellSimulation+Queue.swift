import FreshnessCore
import Quantities
import SimulationKernel

/// The cell as host of ``SenderStation``: pushes on their way to a request, or dropped.
///
/// ```
///                      ┌──── requeue_after ────┐
///                      ▼                       │ full
///  offer ─► rate limit (drop) ─► first in line and a stream free? ─ no ─► queue
///                                        │ yes                             │ patience, displaced
///                                        ▼                                 ▼
///                                     request ◄── rate limit (wait) ── in turn
/// ```
extension CellSimulation {
    /// Offers a push, or a retry of one, to the sender.
    @inline(__always)
    mutating func offer(_ push: Handle<Push>) {
        count(.pushesOffered)
        if push.passage.attempt > 0 {
            count(.repeatsOffered)
        }
        admit(push)
    }

    /// Begins the request of a push if possible; otherwise queues it.
    @inline(__always)
    private mutating func admit(_ push: Handle<Push>) {
        integrateSender()
        let admission = sender.offered(
            push.offer,
            &push.entity.pointee.passage,
            isWanted: isWanted(push),
            isPaused: isSenderPaused,
            at: loop.now
        )
        if case .begins = admission {
            log(activities[push.activity], .queued(push.kind))
            startRequest(push)
        } else {
            follow(admission, of: push)
        }
    }

    /// Handles a push whose request does not begin at once.
    private mutating func follow(_ admission: SenderStation.Admission, of push: Handle<Push>) {
        switch admission {
        case .rateLimited:
            dropUnsent(push, .pushesRateLimited, .rateLimited)
        case .unwanted:
            log(activities[push.activity], .queued(push.kind))
            dropUnsent(push, .pushesAbandonedUnsent, .tokenGone)
        case .interrupts(let other):
            interrupted(pushes[other])
            follow(.begins, of: push)
        case .replaces(let other):
            let before = enterCohort(of: activities[pushes[other].activity])
            giveUpRequest(pushes[other])
            enter(before)
            follow(.begins, of: push)
        case .begins:
            log(activities[push.activity], .queued(push.kind))
            startRequest(push)
        case .displaces(let other):
            let before = enterCohort(of: activities[pushes[other].activity])
            displaced(pushes[other])
            enter(before)
            waits(push)
        case .waits:
            waits(push)
        case .full:
            putOff(push)
        }
    }

    /// Handles a push that has entered the queue.
    private mutating func waits(_ push: Handle<Push>) {
        log(activities[push.activity], .queued(push.kind))
        pushCame(push, to: .queued)
        if push.kind != .start {
            activities[push.activity].waitingPush.waits(push.number)
        }
        // A stream that speculation returns would go to this push.
        if speculative.areInUse { hasMisspeculated = true }
        losePatienceInTime(push)
        if isMeasured {
            meter.queueGrew(to: sender.waitingCount)
        }
        if world.sender.waitsAboveRate {
            drainQueue()
        }
    }

    /// Schedules the turn of waiting pushes after all responses of this instant, so that the order of the responses
    /// does not matter.
    mutating func drainAfterAnswers() {
        guard sender.waitingCount > 0, turnAt != loop.now else { return }
        turnAt = loop.now
        schedule(.turn, subject: 0, at: loop.now)
    }

    mutating func turnCame() {
        // A request that begins now may be answered at this same instant.
        turnAt = .never
        drainQueue()
    }

    /// Begins the requests of waiting pushes while streams and rate-limit tokens are available.
    mutating func drainQueue() {
        guard !isSenderPaused else { return }
        integrateSender()
        let before = cohort
        defer { enter(before) }
        while let first = sender.nextInLine {
            let push = pushes[first]
            enterCohort(of: activities[push.activity])
            let turn = sender.turn(
                of: push.offer,
                &push.entity.pointee.passage,
                isWanted: isWanted(push),
                at: loop.now
            )
            switch turn {
            case .unwanted:
                queueLeft(by: push)
                dropUnsent(push, .pushesAbandonedUnsent, .tokenGone)
            case .awaitsToken(let wakeAt):
                if let wakeAt { schedule(.token, subject: 0, at: wakeAt) }
                return
            case .interrupts(let other):
                interrupted(pushes[other])
                queueLeft(by: push)
                startRequest(push)
            case .begins:
                queueLeft(by: push)
                startRequest(push)
            }
        }
    }

    /// `true` if the push still has an activity, and the server a token for it.
    @inline(__always)
    func isWanted(_ push: Handle<Push>) -> Bool {
        let activity = activities[push.activity]
        guard activity.isInUse, activity.ride == push.ride else { return false }
        return activity.monitor.takes(push.kind) || push.isRenewal && push.life == activity.life && !activity.isRideOver
    }

    /// Handles a push that has left the queue.
    private mutating func queueLeft(by push: Handle<Push>) {
        if isCurrent(push) { activities[push.activity].waitingPush.left(push.number) }
    }

    /// Drops a push that will not be sent.
    private mutating func dropUnsent(_ push: Handle<Push>, _ counter: Counter, _ reason: StoryLine.Unsent) {
        takePhotoBack(of: push)
        count(counter)
        recordUnsentWait(of: push)
        pushCame(push, to: reason == .tokenGone ? .noToken : .notSent)
        log(of: push, .notSent(push.kind, reason: reason))
        release(push)
    }

    // MARK: - A full queue

    /// Handles a push that was displaced from the queue by another.
    private mutating func displaced(_ push: Handle<Push>) {
        queueLeft(by: push)
        if push.passage.standing == .interrupted {
            giveUpRequest(push)
        } else {
            dropUnsent(push, .pushesDisplaced, .displaced)
        }
    }

    /// Handles a push that found the queue full: it is offered again later, or dropped.
    private mutating func putOff(_ push: Handle<Push>) {
        let trip = activities[push.activity].requeueCount
        guard let away = senderRules.absence(ofRide: activities[push.activity].ride, trip: trip) else {
            dropUnsent(push, .pushesOverQueueLimit, .queueFull)
            return
        }
        activities[push.activity].requeueCount += 1
        let returnsAt = sender.putOff(&push.entity.pointee.passage, for: away, at: loop.now)
        pushCame(push, to: .queued)
        log(activities[push.activity], .putOff(push.kind, until: returnsAt))
        schedule(.requeue, subject: push.number, at: returnsAt)
        losePatienceInTime(push)
    }

    mutating func pushReturned(_ push: Handle<Push>) {
        guard push.isInUse else { return }
        integrateSender()
        guard sender.cameBack(&push.entity.pointee.passage, timerSetFor: loop.now) else { return }
        loop.record(event: EventKind.requeue.rawValue, subject: push.ride)
        if isWanted(push) {
            admit(push)
        } else {
            dropUnsent(push, .pushesAbandonedUnsent, .tokenGone)
        }
    }

    // MARK: - Patience

    /// Schedules the end of a push's patience, once.
    private mutating func losePatienceInTime(_ push: Handle<Push>) {
        let ends = push.entity.pointee.passage
            .setPatience(senderRules.patience(ofRide: activities[push.activity].ride, drawIndex: push.drawIndex))
        if let ends { schedule(.patience, subject: push.number, at: ends) }
    }

    mutating func patienceEnded(_ push: Handle<Push>) {
        guard push.isInUse else { return }
        integrateSender()
        guard sender.patienceEnded(push.offer, &push.entity.pointee.passage, timerSetFor: loop.now) else { return }
        queueLeft(by: push)
        loop.record(event: EventKind.patience.rawValue, subject: push.ride)
        dropUnsent(push, .pushesOutOfPatience, .outOfPatience)
        // The push that is now first may need less than the one that has left.
        drainQueue()
    }

    // MARK: - The rate limit

    mutating func tokenCame() {
        switch sender.tokenDue(at: loop.now) {
        case .rings:
            loop.record(event: EventKind.token.rawValue, subject: UInt64(cell))
            drainQueue()
        case .early(let due):
            schedule(.token, subject: 0, at: due)
        case .off:
            return
        }
    }

    // MARK: - Pauses

    @inline(__always)
    private var isSenderPaused: Bool {
        FaultTimeline.any(world.faults.senderPaused, cover: loop.now)
    }

    mutating func senderResumed(fault index: Int) {
        loop.record(event: EventKind.senderResumed.rawValue, subject: UInt64(index))
        drainQueue()
    }
}
