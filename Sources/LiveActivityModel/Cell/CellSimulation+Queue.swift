import FreshnessCore
import Quantities
import RandomStreams
import SimulationKernel

/// The sender's queue: who is admitted, who goes first, and who leaves without a request.
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
    /// A push, or a repeat of one, is given to the sender.
    @inline(__always)
    mutating func offer(_ push: Place<Push>) {
        count(.pushesOffered)
        if push.attempt > 0 {
            count(.repeatsOffered)
        }
        admit(push)
    }

    /// Begins the request of a push if it can, else finds it a place to wait.
    @inline(__always)
    private mutating func admit(_ push: Place<Push>) {
        if sender.limitDrops, !hasToken() {
            dropUnsent(push, .pushesRateLimited, .rateLimited)
            return
        }
        if makeWay(for: push) {
            tell(activities[push.activity], .queued(push.kind))
            if isWanted(push) {
                takeToken()
                startRequest(push)
            } else {
                dropUnsent(push, .pushesAbandonedUnsent, .tokenGone)
            }
            return
        }
        guard hasPlace(for: push) else {
            putOff(push)
            return
        }
        if sender.limitDrops {
            takeToken()
        }
        tell(activities[push.activity], .queued(push.kind))
        pushCame(push, to: .queued)
        integrateSender()
        sender.queue.append(push.number, rank: Int(push.rank))
        push.standing = .waiting
        if push.kind != .start {
            activities[push.activity].queuedPush = push.number
        }
        losePatienceInTime(push)
        if isMeasured {
            ledger.raise(.queue, to: Int64(sender.queue.count))
        }
        if sender.limitDelays {
            drainQueue()
        }
    }

    /// Whether a push that comes can begin at once; if so, a stream is free now.
    @inline(__always)
    private mutating func makeWay(for push: Place<Push>) -> Bool {
        guard !isSenderPaused, !sender.limitDelays || hasToken() else { return false }
        let isFirstInLine = Int(push.rank) < sender.queue.bestRank
        if isFirstInLine, sender.inFlight < streamLimit { return true }
        guard sender.preempts, isWanted(push) else { return false }
        return isFirstInLine && interrupt(for: push) || replaceRequest(by: push)
    }

    /// Begins what waits while streams, and tokens, are there.
    mutating func drainQueue() {
        while let first = sender.queue.first, !isSenderPaused {
            let push = pushes[first]
            let hasBegun = push.standing == .interrupted
            guard sender.inFlight < streamLimit || canInterrupt(for: push) else { return }
            guard hasBegun || isWanted(push) else {
                leaveQueue(push)
                dropUnsent(push, .pushesAbandonedUnsent, .tokenGone)
                continue
            }
            if sender.limitDelays, !hasBegun {
                guard hasToken() else {
                    awaitToken()
                    return
                }
                takeToken()
            }
            if sender.inFlight >= streamLimit {
                _ = interrupt(for: push)
            }
            leaveQueue(push)
            startRequest(push)
        }
    }

    /// Whether the push still has an activity, and the server a token, to go to.
    @inline(__always)
    mutating func isWanted(_ push: Place<Push>) -> Bool {
        let activity = activities[push.activity]
        guard activity.isInUse, activity.ride == push.ride else { return false }
        switch push.kind {
        case .start: return activity.phone.phase == .waiting || activity.serverToken == 0
        case .end: return activity.monitor.takesEnds
        case .update, .retry: return activity.monitor.takesContent
        }
    }

    /// Takes a push out of the queue.
    mutating func leaveQueue(_ push: Place<Push>) {
        integrateSender()
        sender.queue.remove(push.number, rank: Int(push.rank))
        if isCurrent(push), activities[push.activity].queuedPush == push.number {
            activities[push.activity].queuedPush = Activity.noPush
        }
    }

    /// A push that waits nowhere any more will not be sent.
    private mutating func dropUnsent(_ push: Place<Push>, _ counter: Counter, _ reason: StoryLine.Unsent) {
        takePhotoBack(of: push)
        count(counter)
        recordUnsentWait(of: push)
        pushCame(push, to: reason == .tokenGone ? .noToken : .notSent)
        tell(of: push, .notSent(push.kind, reason: reason))
        release(push)
    }

    // MARK: - A full queue

    /// Whether a push may wait; if need be, another is dropped for it.
    private mutating func hasPlace(for push: Place<Push>) -> Bool {
        guard sender.queue.count >= rules.queueLimit else { return true }
        guard rules.queueLimit > 0, world.scenario.sender.overflow == .dropOldest,
            Int(push.rank) <= sender.queue.worstRank,
            let oldest = sender.queue.oldestOfWorstRank.map({ pushes[$0] })
        else { return false }
        let hasBegun = oldest.standing == .interrupted
        leaveQueue(oldest)
        if hasBegun {
            giveUpRequest(oldest)
        } else {
            dropUnsent(oldest, .pushesDisplaced, .displaced)
        }
        return true
    }

    /// A push that found no place comes again later, or not at all.
    private mutating func putOff(_ push: Place<Push>) {
        guard let sampler = world.samplers.requeueAfter else {
            dropUnsent(push, .pushesOverQueueLimit, .queueFull)
            return
        }
        let trip = activities[push.activity].requeueCount
        activities[push.activity].requeueCount += 1
        // A microsecond at least, so that time goes on.
        let away = max(span(sampler, activities[push.activity], .requeueAfter, trip), TimeSpan(microseconds: 1))
        let returnsAt = loop.now + away
        integrateSender()
        sender.inOrbit += 1
        push.standing = .inOrbit
        push.returnsAt = returnsAt
        pushCame(push, to: .queued)
        tell(activities[push.activity], .putOff(push.kind, until: returnsAt))
        schedule(.requeue, subject: push.number, at: returnsAt, priority: .update)
        losePatienceInTime(push)
    }

    mutating func pushReturned(_ push: Place<Push>) {
        guard push.isInUse, push.standing == .inOrbit, push.returnsAt == loop.now else { return }
        loop.record(event: EventKind.requeue.rawValue, subject: push.ride)
        leaveOrbit(push)
        if isWanted(push) {
            admit(push)
        } else {
            dropUnsent(push, .pushesAbandonedUnsent, .tokenGone)
        }
    }

    private mutating func leaveOrbit(_ push: Place<Push>) {
        integrateSender()
        sender.inOrbit -= 1
        push.standing = .offered
        push.returnsAt = .never
    }

    // MARK: - Patience

    /// Sets the end of a push's patience, once.
    private mutating func losePatienceInTime(_ push: Place<Push>) {
        guard let sampler = world.samplers.patience, push.patienceEnds == .never else { return }
        let ends = push.queuedAt + span(sampler, activities[push.activity], .patience, push.drawIndex)
        push.patienceEnds = ends
        schedule(.patience, subject: push.number, at: ends, priority: .patience)
    }

    mutating func patienceEnded(_ push: Place<Push>) {
        guard push.isInUse, push.patienceEnds == loop.now else { return }
        switch push.standing {
        case .waiting: leaveQueue(push)
        case .inOrbit: leaveOrbit(push)
        case .offered, .underWay, .interrupted, .done: return
        }
        loop.record(event: EventKind.patience.rawValue, subject: push.ride)
        dropUnsent(push, .pushesOutOfPatience, .outOfPatience)
        // Who comes next in line may do with less than the one that has gone.
        drainQueue()
    }

    // MARK: - The rate limit

    private mutating func hasToken() -> Bool {
        sender.limiter?.hasToken(at: loop.now) ?? true
    }

    private mutating func takeToken() {
        _ = sender.limiter?.take(at: loop.now)
    }

    private mutating func awaitToken() {
        guard let next = sender.limiter?.nextToken(notBefore: loop.now), sender.tokenAlarm.set(for: next) else {
            return
        }
        schedule(.token, subject: 0, at: next, priority: .delivery)
    }

    mutating func tokenCame() {
        switch sender.tokenAlarm.ring(at: loop.now) {
        case .rings:
            loop.record(event: EventKind.token.rawValue, subject: UInt64(cell))
            drainQueue()
        case .early(let due):
            schedule(.token, subject: 0, at: due, priority: .delivery)
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
