import FreshnessCore
import HeapModule
import LiveActivityModel
package import NIOCore
import Quantities
import SimulationKernel

/// One lane's part of a load: makes requests at their due times and records their outcomes, all on one event loop.
///
/// Of an open load, lane *i* of *n* has the arrivals *i*, *i + n*, *i + 2n*…, or every *n*-th arrival of its ``LoadShare``. Of a
/// closed load, it has its part of the requests in flight.
///
/// `@unchecked Sendable`: before ``start(at:unixMicroseconds:)``, which is handed to the event loop, it is known to its maker
/// alone; after that, everything is touched on the event loop only.
package final class LoadLane<Target: LoadTarget>: @unchecked Sendable {
    package let loop: any NIOCore.EventLoop
    private let target: Target
    private let schedule: LoadSchedule
    private let index: Int
    private let laneCount: Int
    private let draws: RandomSource
    private let budget: SharedRetryBudget?

    /// The beginning of the load; the far future before ``start(at:unixMicroseconds:)``.
    private var begin = NIODeadline.distantFuture
    /// The number of this lane's next arrival, and the distance to the one after it.
    private var next: Int
    private let stride: Int
    /// The due times of the arrivals after the next one, and the due time of the next one [ns]; nil after the last, and for
    /// a closed load.
    private var arrivals: ArrivalTimes?
    private var nextDue: Int64?
    private var retries = Heap<Retry>()
    /// The due times of the first attempts of repeated requests, by the number of their arrival.
    private var firstDues: [Int: NIODeadline] = [:]
    private var tally: LoadTally
    /// The number of requests without an outcome.
    private var unfinished = 0
    private var unfinishedDues = UnfinishedDues()
    private var wakeAt: NIODeadline?
    private var isStopped = false

    /// A scheduled retry.
    private struct Retry: Comparable {
        var due: NIODeadline
        var number: UInt64

        static func < (left: Retry, right: Retry) -> Bool {
            (left.due, left.number) < (right.due, right.number)
        }
    }

    /// The longest delay of a request for being sent together with others, because each wake-up costs system calls.
    private static var gathering: TimeAmount { .microseconds(100) }

    init(
        _ schedule: LoadSchedule,
        _ target: Target,
        on loop: any NIOCore.EventLoop,
        index: Int = 0,
        of laneCount: Int = 1,
        budget: SharedRetryBudget? = nil
    ) {
        self.schedule = schedule
        self.target = target
        self.loop = loop
        self.index = index
        self.laneCount = laneCount
        self.budget = budget
        draws = RandomSource(seed: schedule.seed, replication: 0)
        tally = LoadTally(kinds: target.kinds)
        (next, stride) = schedule.share.arrivals(ofLane: index, of: laneCount)
        switch schedule.arrivals {
        case .open(let plan, let process):
            arrivals = ArrivalTimes(plan, process: process, random: draws, purpose: LoadPurpose.arrivalGap)
        case .replay(let replay): arrivals = ArrivalTimes(replay)
        case .closed: arrivals = nil
        }
        if arrivals != nil { advance(to: next, from: 0) }
    }

    /// Moves ``nextDue`` to an arrival.
    ///
    /// - Parameter first: The number of the first arrival that ``arrivals`` has not returned.
    private func advance(to number: Int, from first: Int) {
        if target.notesAll {
            for skipped in first..<number {
                nextDue = arrivals?.next()
                guard let nextDue else { return }
                target.note(skipped, due: nextDue)
            }
        }
        nextDue = arrivals?.next(skipping: target.notesAll ? 0 : number - first)
        if let nextDue { target.note(number, due: nextDue) }
    }

    // MARK: - From the run

    /// Begins the load.
    func start(at begin: NIODeadline, unixMicroseconds: Int64) {
        loop.assertInEventLoop()
        guard !isStopped else { return }
        self.begin = begin
        tally.faults = FaultPeriods(schedule.faults.map { $0.span(since: unixMicroseconds) })
        target.begin(self, at: begin, unixMicroseconds: unixMicroseconds)
        switch schedule.arrivals {
        case .open, .replay:
            wake()
        case .closed(let concurrency, _):
            let share = (concurrency + laneCount - 1 - index) / laneCount
            for _ in 0..<share { sendNext(due: loop.now) }
            target.dispatch()
        }
    }

    /// Sends the requests that are due by now, and then nothing more.
    func stop() {
        loop.assertInEventLoop()
        if begin != .distantFuture { wake() }
        isStopped = true
        // Pushes that wait for their retry will not be accepted any more.
        for retry in retries.unordered where isMeasured(retry.due) {
            let arrival = LoadRequest.arrival(of: retry.number)
            tally.recordNotAccepted(from: firstDues[arrival] ?? retry.due, to: loop.now)
        }
        retries = Heap()
    }

    /// Ends the load; outcomes that come later are not recorded.
    func end() {
        loop.assertInEventLoop()
        isStopped = true
        target.end()
    }

    /// The lane's part of the progress so far, without the elapsed time.
    var progress: LoadProgress {
        loop.assertInEventLoop()
        let waiting = min(target.waiting, unfinished)
        let inFlight = unfinished - waiting
        return LoadProgress(
            tally: tally,
            waiting: waiting,
            inFlight: inFlight,
            unfinished: unfinishedDues,
            connections: target.connections
        )
    }

    /// Removes and returns the rows of the event log since the last call.
    func takeRows() -> [ServerEvent] {
        loop.assertInEventLoop()
        return target.takeRows()
    }

    /// `true` if everything has been sent and has an outcome.
    var isDone: Bool {
        loop.assertInEventLoop()
        return unfinished == 0 && (isStopped || (retries.isEmpty && !hasMore(at: loop.now)))
    }

    // MARK: - From the target

    /// Takes outcomes that have become known together.
    package func completed(_ completions: [APNsCompletion]) {
        loop.assertInEventLoop()
        var concluded = 0
        for completion in completions {
            unfinished -= 1
            unfinishedDues.remove(microseconds(completion.due))
            if !take(completion) { concluded += 1 }
        }
        if case .closed = schedule.arrivals {
            let now = loop.now
            if hasMore(at: now), !isStopped {
                // A request that waits for its retry still counts as in flight.
                for _ in 0..<concluded { sendNext(due: now) }
            }
        }
        if let retry = retries.min { wake(by: retry.due) }
    }

    /// Takes an outcome.
    ///
    /// - Parameter cause: The reason why there is no answer, in words; nil if there is one.
    package func completed(_ completion: APNsCompletion, cause: String?) {
        completed([completion])
        if isMeasured(completion.due) { tally.note(cause) }
    }

    // MARK: - Private

    private func hasMore(at now: NIODeadline) -> Bool {
        switch schedule.arrivals {
        case .open, .replay: nextDue != nil
        case .closed(_, let duration): (now - begin).nanoseconds < duration.microseconds * 1000
        }
    }

    /// Makes the requests and retries that are due.
    private func wake() {
        wakeAt = nil
        guard !isStopped else { return }
        let now = loop.now
        let elapsed = (now - begin).nanoseconds
        while let due = nextDue, due <= elapsed {
            let sent = next
            sendNext(due: begin + .nanoseconds(due))
            advance(to: next, from: sent + 1)
        }
        if let nextDue { wake(by: max(begin + .nanoseconds(nextDue), now + Self.gathering)) }
        while let retry = retries.min, retry.due <= now {
            retries.removeMin()
            submit(retry.number, due: retry.due, now: loop.now)
        }
        if let retry = retries.min { wake(by: retry.due) }
        target.dispatch()
    }

    private func wake(by instant: NIODeadline) {
        if let wakeAt, wakeAt <= instant { return }
        wakeAt = instant
        loop.scheduleTask(deadline: instant) {
            // After an earlier wake-up, this one may find nothing to do.
            self.wake()
        }
    }

    private func sendNext(due: NIODeadline) {
        budget?.earn(at: instant(due))
        let now = loop.now
        let number = UInt64(next)
        defer { next += stride }
        switch schedule.arrivals {
        case .open, .replay:
            guard unfinished < target.limit else { return leaveOut(number, due: due, now: now) }
            if isMeasured(due) { tally.recordLateness(from: due, to: now) }
        case .closed: target.note(next, due: (due - begin).nanoseconds)
        }
        submit(number, due: due, now: now)
    }

    private func submit(_ number: UInt64, due: NIODeadline, now: NIODeadline) {
        unfinished += 1
        unfinishedDues.add(microseconds(due))
        target.submit(LoadRequest(number: number, due: due, now: now), for: self)
    }

    /// Records a request that does not begin.
    private func leaveOut(_ number: UInt64, due: NIODeadline, now: NIODeadline) {
        if isMeasured(due) { tally.notBegun += 1 }
        _ = take(APNsCompletion(number: number, outcome: .notSent, due: due, sent: nil, done: now))
    }

    /// `true` if a request due at an instant is measured.
    private func isMeasured(_ due: NIODeadline) -> Bool {
        (due - begin).nanoseconds >= schedule.warmUp.microseconds * 1000
    }

    /// Records the outcome of a request and schedules a retry if one is due.
    ///
    /// - Returns: `true` if there will be a retry.
    private func take(_ completion: APNsCompletion) -> Bool {
        let attempt = LoadRequest.attempt(of: completion.number)
        let arrival = LoadRequest.arrival(of: completion.number)
        let firstDue = (attempt > 0 ? firstDues.removeValue(forKey: arrival) : nil) ?? completion.due
        let isMeasured = isMeasured(completion.due)
        target.log(completion, since: begin)
        if isMeasured {
            tally.record(
                completion,
                kind: target.kind(of: arrival),
                dueAfter: (completion.due - begin).nanoseconds,
                isRetry: attempt > 0,
                firstDue: firstDue
            )
        }
        guard let due = retryDue(after: completion, attempt: attempt, isMeasured: isMeasured) else {
            if isMeasured, !completion.outcome.hasAccepted {
                tally.recordNotAccepted(from: firstDue, to: completion.done)
            }
            target.concluded(arrival)
            return false
        }
        firstDues[arrival] = firstDue
        retries.insert(Retry(due: due, number: LoadRequest.nextAttempt(of: completion.number)))
        return true
    }

    /// The due time of the retry after a request; nil if it is not repeated.
    private func retryDue(after completion: APNsCompletion, attempt: Int, isMeasured: Bool) -> NIODeadline? {
        guard target.isWorthRetrying(completion.outcome), !isStopped else { return nil }
        guard let policy = schedule.retries, attempt < min(policy.maxAttempts ?? 255, 255) else {
            if isMeasured { tally.givenUp += 1 }
            return nil
        }
        guard budget?.spend(at: instant(completion.done)) ?? true else {
            if isMeasured { tally.withheld += 1 }
            return nil
        }
        let pause = policy.pause(
            beforeAttempt: attempt,
            previous: .zero,
            draw: draws.draw(entity: completion.number, purpose: LoadPurpose.pause, index: UInt32(attempt))
        )
        return completion.done + .microseconds(pause.microseconds)
    }

    /// A deadline as an instant of the load.
    private func instant(_ deadline: NIODeadline) -> Instant {
        Instant(microseconds: max(0, microseconds(deadline)))
    }

    /// A deadline since the beginning of the load [µs].
    private func microseconds(_ deadline: NIODeadline) -> Int64 { (deadline - begin).nanoseconds / 1000 }
}

/// The purposes of a load's draws.
enum LoadPurpose {
    static let pause: UInt16 = 0
    static let arrivalGap: UInt16 = 1
    /// The token of a ride in a replay.
    static let token: UInt16 = 2
}
