import FreshnessCore
import HeapModule
import NIOCore
import Quantities
import SimulationKernel
import Wire

/// One lane's part of a load, which sends pushes at their due times and records their outcomes on the lane's event loop.
///
/// Of an open load, lane *i* of *n* has the arrivals *i*, *i + n*, *i + 2n*…, or every *n*-th arrival of its ``LoadShare``. Of a
/// closed load, it has its part of the pushes in flight. The number of a request is the number of its arrival, with the attempt
/// in the top byte.
///
/// `@unchecked Sendable`: everything is touched on the event loop only, which every entry asserts.
final class PushLoadLane: APNsCompletionHandler, @unchecked Sendable {
    private let load: PushLoad
    private let lane: APNsLane
    private let index: Int
    private let laneCount: Int
    private let tokens: [DeviceToken]
    private let draws: RandomSource
    private let budget: SharedRetryBudget?

    /// The beginning of the load; the far future before ``start(at:unixSeconds:)``.
    private var begin = NIODeadline.distantFuture
    private var unixSecondsAtBegin: Int64 = 0
    /// The number of this lane's next arrival, and the distance to the one after it.
    private var next: Int
    private let stride: Int
    /// The due times of the arrivals after the next one, and the due time of the next one [ns]; nil after the last, and for
    /// a closed load.
    private var arrivals: ArrivalTimes?
    private var nextDue: Int64?
    private var stamps: PushStamps
    /// `true` if the lane notes the due times of other lanes' arrivals, too.
    private let notesAll: Bool
    /// Timestamps of pushes without a final outcome, by the number of their arrival; empty without retries.
    private var openStamps: [Int: Int64] = [:]
    private var retries = Heap<Retry>()
    /// The due times of the first attempts of retried pushes, by the number of their arrival.
    private var firstDues: [Int: NIODeadline] = [:]
    private var payload = ByteBuffer()
    private var payloadStamp: Int64 = -1
    /// The measurements so far.
    private(set) var tally = PushTally()
    /// The number of requests without an outcome.
    private(set) var unfinished = 0
    private var wakeAt: NIODeadline?
    private var isStopped = false

    /// A scheduled retry.
    private struct Retry: Comparable {
        var due: NIODeadline
        var number: UInt64
        /// The push's timestamp [UNIX s], the one of its first attempt.
        var stamp: Int64

        static func < (left: Retry, right: Retry) -> Bool {
            (left.due, left.number) < (right.due, right.number)
        }
    }

    /// The longest delay of a push for being sent together with others, because each wake-up costs system calls.
    private static let gathering = TimeAmount.microseconds(100)
    private static let attemptShift: UInt64 = 56

    /// The purposes of draws.
    private enum Purpose {
        static let pause: UInt16 = 0
        static let arrivalGap: UInt16 = 1
    }

    init(
        load: PushLoad,
        lane: APNsLane,
        index: Int,
        laneCount: Int,
        tokens: [DeviceToken],
        budget: SharedRetryBudget?
    ) {
        self.load = load
        self.lane = lane
        self.index = index
        self.laneCount = laneCount
        self.tokens = tokens
        self.budget = budget
        draws = RandomSource(seed: load.seed, replication: 0)
        (next, stride) = load.share.arrivals(ofLane: index, of: laneCount)
        stamps = PushStamps(tokens: tokens.count)
        notesAll = load.outrunsSeconds
        if case .open(let plan, let process) = load.arrivals {
            arrivals = ArrivalTimes(plan, process: process, random: draws, purpose: Purpose.arrivalGap)
            advance(to: next, from: 0)
        }
    }

    /// Moves ``nextDue`` to an arrival.
    ///
    /// - Parameter first: The number of the first arrival that ``arrivals`` has not returned.
    private func advance(to number: Int, from first: Int) {
        if notesAll {
            for skipped in first..<number {
                nextDue = arrivals?.next()
                guard let nextDue else { return }
                stamps.note(skipped, due: nextDue)
            }
        }
        nextDue = arrivals?.next(skipping: notesAll ? 0 : number - first)
        if let nextDue { stamps.note(number, due: nextDue) }
    }

    /// Begins the load.
    func start(at begin: NIODeadline, unixSeconds: Int64) {
        lane.loop.assertInEventLoop()
        guard !isStopped else { return }
        self.begin = begin
        unixSecondsAtBegin = unixSeconds
        lane.handler = self
        switch load.arrivals {
        case .open:
            wake()
        case .closed(let concurrency, _):
            let share = (concurrency + laneCount - 1 - index) / laneCount
            for _ in 0..<share { sendNext(due: .now()) }
            lane.dispatch()
        }
    }

    /// Sends the pushes that are due by now, and then nothing more.
    func stop() {
        lane.loop.assertInEventLoop()
        if begin != .distantFuture { wake() }
        isStopped = true
    }

    /// `true` if everything has been sent and has an outcome.
    var isDone: Bool {
        lane.loop.assertInEventLoop()
        guard unfinished == 0 else { return false }
        return isStopped || (retries.isEmpty && !hasMore(at: .now()))
    }

    func completed(_ completions: [APNsCompletion], lane number: Int) {
        var concluded = 0
        for completion in completions {
            unfinished -= 1
            if !take(completion) { concluded += 1 }
        }
        if case .closed = load.arrivals {
            let now = NIODeadline.now()
            if hasMore(at: now), !isStopped {
                // A push that waits for its retry still counts as in flight.
                for _ in 0..<concluded { sendNext(due: now) }
            }
        }
        if let retry = retries.min { wake(by: retry.due) }
    }

    private func hasMore(at now: NIODeadline) -> Bool {
        switch load.arrivals {
        case .open: nextDue != nil
        case .closed(_, let duration): (now - begin).nanoseconds < duration.microseconds * 1000
        }
    }

    /// Sends the pushes and retries that are due.
    private func wake() {
        wakeAt = nil
        guard !isStopped else { return }
        let now = NIODeadline.now()
        let elapsed = (now - begin).nanoseconds
        while let due = nextDue, due <= elapsed {
            let sent = next
            sendNext(due: begin + .nanoseconds(due))
            advance(to: next, from: sent + 1)
        }
        if let nextDue { wake(by: max(begin + .nanoseconds(nextDue), now + Self.gathering)) }
        while let retry = retries.min, retry.due <= now {
            retries.removeMin()
            send(retry.number, stamp: retry.stamp, due: retry.due, now: .now())
        }
        if let retry = retries.min { wake(by: retry.due) }
        lane.dispatch()
    }

    private func wake(by instant: NIODeadline) {
        if let wakeAt, wakeAt <= instant { return }
        wakeAt = instant
        lane.loop.scheduleTask(deadline: instant) {
            // After an earlier wake-up, this one may find nothing to do.
            self.wake()
        }
    }

    private func sendNext(due: NIODeadline) {
        budget?.earn(at: instant(due))
        let now = NIODeadline.now()
        switch load.arrivals {
        case .open: if isMeasured(due) { tally.recordLateness(from: due, to: now) }
        case .closed: stamps.note(next, due: (due - begin).nanoseconds)
        }
        let stamp = unixSecondsAtBegin + stamps.stamp(next)
        if load.retries != nil { openStamps[next] = stamp }
        send(UInt64(next), stamp: stamp, due: due, now: now)
        next += stride
    }

    private func send(_ number: UInt64, stamp: Int64, due: NIODeadline, now: NIODeadline) {
        let arrival = Int(number & ((1 << Self.attemptShift) - 1))
        let token = tokens[arrival % tokens.count]
        if stamp != payloadStamp {
            payloadStamp = stamp
            payload = load.payload.payload(unixSeconds: stamp)
        }
        unfinished += 1
        lane.submit(
            APNsRequest(
                number: number,
                id: Self.requestID(of: number, tokens: tokens),
                token: token,
                topic: load.topic,
                priority: load.priority,
                payload: payload,
                due: due
            ),
            now: now
        )
    }

    /// `true` if a push due at an instant is measured.
    private func isMeasured(_ due: NIODeadline) -> Bool {
        (due - begin).nanoseconds >= load.warmUp.microseconds * 1000
    }

    /// The id of a request, by its number.
    ///
    /// A retry has its own id, and with it its own draws.
    static func requestID(of number: UInt64, tokens: [DeviceToken]) -> RequestID {
        let arrival = Int(number & ((1 << attemptShift) - 1))
        let attempt = UInt32(number >> attemptShift)
        return RequestID(
            ride: UInt64(arrival % tokens.count),
            drawIndex: PushIndex.request(UInt32(truncatingIfNeeded: arrival / tokens.count), attempt: attempt),
            suffix: attempt
        )
    }

    /// Records the outcome of a request and schedules a retry if one is due.
    ///
    /// - Returns: `true` if there will be a retry.
    private func take(_ completion: APNsCompletion) -> Bool {
        let attempt = Int(completion.number >> Self.attemptShift)
        let arrival = Int(completion.number & ((1 << Self.attemptShift) - 1))
        // A retry of a closed load counts from its own due time, because a closed load has no plan.
        let firstDue = (attempt > 0 ? firstDues.removeValue(forKey: arrival) : nil) ?? completion.due
        let stamp = load.retries == nil ? nil : openStamps.removeValue(forKey: arrival)
        let isMeasured = isMeasured(completion.due)
        if isMeasured {
            let dueAfter = (completion.due - begin).nanoseconds
            tally.record(completion, dueAfter: dueAfter, isRetry: attempt > 0, firstDue: firstDue)
        }
        guard PushLoadLane.isWorthRetrying(completion.outcome), !isStopped else { return false }
        guard let policy = load.retries, let stamp, attempt < policy.maxAttempts ?? 255, attempt < 255 else {
            if isMeasured { tally.givenUp += 1 }
            return false
        }
        guard budget?.spend(at: instant(completion.done)) ?? true else {
            if isMeasured { tally.withheld += 1 }
            return false
        }
        if case .open = load.arrivals { firstDues[arrival] = firstDue }
        let pause = policy.pause(
            beforeAttempt: attempt,
            previous: .zero,
            draw: draws.draw(entity: completion.number, purpose: Purpose.pause, index: UInt32(attempt))
        )
        let due = completion.done + .microseconds(pause.microseconds)
        openStamps[arrival] = stamp
        retries.insert(Retry(due: due, number: completion.number + 1 << Self.attemptShift, stamp: stamp))
        return true
    }

    /// A deadline as an instant of the load.
    private func instant(_ deadline: NIODeadline) -> Instant {
        Instant(microseconds: max(0, (deadline - begin).nanoseconds / 1000))
    }

    private static func isWorthRetrying(_ outcome: APNsOutcome) -> Bool {
        switch outcome {
        case .answered(let answer):
            guard !answer.isAccepted else { return false }
            return APNsReason(status: answer.status, reason: answer.reason).verdict == .retryLater
        case .timedOut, .notSent, .connectionLost, .notProcessed:
            return true
        }
    }
}
