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
    mutating func offer(_ push: Push) {
        count(.pushesOffered)
        if push.attempt > 0 {
            count(.repeatsOffered)
        }
        admit(place(push))
    }

    /// Begins the request of a push if it can, else finds it a place to wait.
    private mutating func admit(_ slot: UInt32) {
        let push = pushes[Int(slot)]
        if sender.limitDrops, !hasToken() {
            dropUnsent(slot, .pushesRateLimited, .rateLimited)
            return
        }
        if makeWay(for: slot) {
            tell(push.activity, .queued(push.kind))
            if isWanted(push) {
                takeToken()
                startRequest(slot)
            } else {
                dropUnsent(slot, .pushesAbandonedUnsent, .tokenGone)
            }
            return
        }
        guard hasPlace(for: push) else {
            putOff(slot)
            return
        }
        if sender.limitDrops {
            takeToken()
        }
        tell(push.activity, .queued(push.kind))
        integrateSender()
        sender.queue.append(slot, rank: Int(push.rank))
        pushes[Int(slot)].standing = .waiting
        if push.kind != .start {
            activities[Int(push.activity)].queuedPush = slot
        }
        losePatienceInTime(slot)
        if isMeasured {
            measurements.peakQueue = max(measurements.peakQueue, Int64(sender.queue.count))
        }
        if sender.limitDelays {
            drainQueue()
        }
    }

    /// Whether a push that comes can begin at once; if so, a stream is free now.
    private mutating func makeWay(for slot: UInt32) -> Bool {
        let push = pushes[Int(slot)]
        guard !isSenderPaused, !sender.limitDelays || hasToken() else { return false }
        let isFirstInLine = Int(push.rank) < sender.queue.bestRank
        if isFirstInLine, sender.inFlight < streamLimit { return true }
        guard sender.preempts, isWanted(push) else { return false }
        return isFirstInLine && interrupt(for: push) || replaceRequest(by: push)
    }

    /// Begins what waits while streams, and tokens, are there.
    mutating func drainQueue() {
        while let slot = sender.queue.first, !isSenderPaused {
            let push = pushes[Int(slot)]
            let hasBegun = push.standing == .interrupted
            guard sender.inFlight < streamLimit || canInterrupt(for: push) else { return }
            guard hasBegun || isWanted(push) else {
                leaveQueue(slot)
                dropUnsent(slot, .pushesAbandonedUnsent, .tokenGone)
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
            leaveQueue(slot)
            startRequest(slot)
        }
    }

    /// Whether the push still has an activity, and the server a token, to go to.
    func isWanted(_ push: Push) -> Bool {
        let activity = activities[Int(push.activity)]
        guard activity.isInUse, activity.ride == push.ride else { return false }
        switch push.kind {
        case .start: return activity.phase == .starting || activity.serverToken == 0
        case .end: return activity.serverToken != 0 && !(activity.instance?.isClosed ?? true)
        case .update, .retry: return activity.serverToken != 0 && !(activity.instance?.isOver ?? true)
        }
    }

    /// Takes a push out of the queue.
    mutating func leaveQueue(_ slot: UInt32) {
        integrateSender()
        let push = pushes[Int(slot)]
        sender.queue.remove(slot, rank: Int(push.rank))
        if isCurrent(push), activities[Int(push.activity)].queuedPush == slot {
            activities[Int(push.activity)].queuedPush = Activity.noPush
        }
    }

    /// A push that waits nowhere any more will not be sent.
    private mutating func dropUnsent(_ slot: UInt32, _ counter: Counter, _ reason: StoryLine.Unsent) {
        let push = pushes[Int(slot)]
        takePhotoBack(of: push)
        count(counter)
        tell(of: push, .notSent(push.kind, reason: reason))
        release(slot)
    }

    // MARK: - A full queue

    /// Whether a push may wait; if need be, another is dropped for it.
    private mutating func hasPlace(for push: Push) -> Bool {
        guard let limit = world.scenario.sender.queueLimit, sender.queue.count >= limit else { return true }
        guard limit > 0, world.scenario.sender.overflow == .dropOldest, Int(push.rank) <= sender.queue.worstRank,
            let oldest = sender.queue.oldestOfWorstRank
        else { return false }
        let hasBegun = pushes[Int(oldest)].standing == .interrupted
        leaveQueue(oldest)
        if hasBegun {
            giveUpRequest(oldest)
        } else {
            dropUnsent(oldest, .pushesDisplaced, .displaced)
        }
        return true
    }

    /// A push that found no place comes again later, or not at all.
    private mutating func putOff(_ slot: UInt32) {
        let push = pushes[Int(slot)]
        guard let sampler = world.samplers.requeueAfter else {
            dropUnsent(slot, .pushesOverQueueLimit, .queueFull)
            return
        }
        let trip = activities[Int(push.activity)].requeueCount
        activities[Int(push.activity)].requeueCount += 1
        // A microsecond at least, so that time goes on.
        let away = max(span(sampler, push.activity, .requeueAfter, trip), TimeSpan(microseconds: 1))
        let returnsAt = loop.now + away
        integrateSender()
        sender.inOrbit += 1
        pushes[Int(slot)].standing = .inOrbit
        pushes[Int(slot)].returnsAt = returnsAt
        tell(push.activity, .putOff(push.kind, until: returnsAt))
        schedule(.requeue, subject: slot, at: returnsAt, priority: .update)
        losePatienceInTime(slot)
    }

    mutating func pushReturned(_ slot: UInt32) {
        let push = pushes[Int(slot)]
        guard push.isInUse, push.standing == .inOrbit, push.returnsAt == loop.now else { return }
        loop.record(event: EventKind.requeue.rawValue, subject: push.ride)
        leaveOrbit(slot)
        if isWanted(push) {
            admit(slot)
        } else {
            dropUnsent(slot, .pushesAbandonedUnsent, .tokenGone)
        }
    }

    private mutating func leaveOrbit(_ slot: UInt32) {
        integrateSender()
        sender.inOrbit -= 1
        pushes[Int(slot)].standing = .offered
        pushes[Int(slot)].returnsAt = .never
    }

    // MARK: - Patience

    /// Sets the end of a push's patience, once.
    private mutating func losePatienceInTime(_ slot: UInt32) {
        guard let sampler = world.samplers.patience, pushes[Int(slot)].patienceEnds == .never else { return }
        let push = pushes[Int(slot)]
        let ends = push.queuedAt + span(sampler, push.activity, .patience, push.drawIndex)
        pushes[Int(slot)].patienceEnds = ends
        schedule(.patience, subject: slot, at: ends, priority: .patience)
    }

    mutating func patienceEnded(_ slot: UInt32) {
        let push = pushes[Int(slot)]
        guard push.isInUse, push.patienceEnds == loop.now else { return }
        switch push.standing {
        case .waiting: leaveQueue(slot)
        case .inOrbit: leaveOrbit(slot)
        case .offered, .underWay, .interrupted, .done: return
        }
        loop.record(event: EventKind.patience.rawValue, subject: push.ride)
        dropUnsent(slot, .pushesOutOfPatience, .outOfPatience)
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

    private var isSenderPaused: Bool {
        FaultTimeline.any(world.faults.senderPaused, cover: loop.now)
    }

    mutating func senderResumed(fault index: Int) {
        loop.record(event: EventKind.senderResumed.rawValue, subject: UInt64(index))
        drainQueue()
    }
}
