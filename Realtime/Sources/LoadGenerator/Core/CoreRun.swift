import FreshnessCore
import Quantities

/// One thread's run of the core in real time, with updates at their due times and scans at fixed intervals.
///
/// The loop reads the clock once per batch of updates. A due scan precedes updates, as in a monitor. Updates that wait for it
/// are late, and their latency includes the wait because it counts from their due time.
struct CoreRun<Clock: CoreClock>: ~Copyable {
    private(set) var shard: CoreShard
    private var clock: Clock
    /// The speed of the policy's time relative to the wall clock.
    private let speed: Int64
    /// The interval between scans, in wall-clock time [ns].
    private let interval: Int64
    private var scan = 0
    /// The number of updates of earlier plans.
    private var base = 0
    private var due: ContiguousArray<Instant>
    private var dueAt: ContiguousArray<Int64>
    private var window = CoreTally()
    private var countsBefore = CoreCounts()
    private var workedBefore: Int64 = 0

    /// The length of a window [ns].
    private static var windowLength: Int64 { 1_000_000_000 }

    /// A run of a shard, at a speed of the policy's time.
    init(_ shard: consuming CoreShard, clock: Clock, speed: Int64 = 1) {
        precondition(speed > 0, "time goes forward")
        interval = max(1, shard.settings.scanInterval.microseconds * 1000 / speed)
        self.shard = shard
        self.clock = clock
        self.speed = speed
        due = ContiguousArray(repeating: .start, count: CoreShard.batch)
        dueAt = ContiguousArray(repeating: 0, count: CoreShard.batch)
    }

    /// Runs a plan to its end and returns the measurements after the warm-up.
    ///
    /// - Parameters:
    ///   - begin: The beginning of the plan [ns since the beginning of the run], not before the end of an earlier plan.
    ///   - warmUp: The warm-up [ns from the beginning of the plan], which is not measured.
    ///   - observe: Called with each second of the run and the measurements so far. It returns false to stop the run.
    mutating func run(
        _ plan: RatePlan,
        begin: Int64,
        warmUp: Int64 = 0,
        observe: (CoreWindow, CoreTally) -> Bool
    ) -> CoreTally {
        var total = CoreTally()
        let end = begin + plan.duration.microseconds * 1000
        var (done, dueBefore) = (0, 0)
        clock.wait(until: begin)
        // Scans that were due between two plans do not count as missed.
        var now = max(begin, clock.now())
        scan = max(scan, Int(now / interval))
        var windowStart = begin
        countsBefore = shard.counts
        workedBefore = clock.worked()
        running: while true {
            let isOver = now >= end
            if now - windowStart >= CoreRun.windowLength || isOver {
                let due = plan.dueCount(at: min(now, end) - begin)
                window.backlog = due - done
                window.due = due - dueBefore
                dueBefore = due
                let shown = close(windowStart, now)
                if windowStart - begin >= warmUp { total.append(window) }
                window.reset()
                windowStart = now
                if !observe(shown, total) || isOver { break running }
            }
            let nextScan = Int64(scan + 1) * interval
            if nextScan <= now {
                now = scanAndDecide(since: now)
                continue
            }
            let dueCount = plan.dueCount(at: now - begin)
            if done < dueCount {
                let count = min(CoreShard.batch, dueCount - done)
                now = apply(plan, first: done, count: count, begin: begin, at: now)
                done += count
            } else {
                // Never shorter than the shortest sleep; updates that become due meanwhile make a larger batch.
                let nextUpdate = done < plan.total ? begin + plan.due(done) : end
                clock.wait(until: min(max(nextUpdate, now + 20_000), nextScan, end))
                now = clock.now()
            }
        }
        base += plan.total
        return total
    }

    /// The policy's time at an instant of the wall clock.
    private func instant(_ nanoseconds: Int64) -> Instant { Instant(microseconds: nanoseconds * speed / 1000) }

    /// Applies a batch, records the latency of each update, and returns the instant at which it was done.
    @inline(__always)
    private mutating func apply(_ plan: borrowing RatePlan, first: Int, count: Int, begin: Int64, at now: Int64)
        -> Int64
    {
        for place in 0..<count {
            let at = begin + plan.due(first + place)
            dueAt[place] = at
            due[place] = instant(at)
        }
        due.withUnsafeBufferPointer { due in
            shard.apply(first: base + first, due: UnsafeBufferPointer(rebasing: due[..<count]), at: instant(now))
        }
        let after = clock.now()
        for place in 0..<count { window.updateLatency.record(after - dueAt[place]) }
        return after
    }

    /// Makes the due scan and the decisions that follow from it.
    private mutating func scanAndDecide(since began: Int64) -> Int64 {
        let intended = Int64(scan + 1) * interval
        let missed = Int((began - intended) / interval)
        window.missedScans += missed
        scan += 1 + missed
        let now = instant(began)
        shard.scan(at: now)
        let scanned = clock.now()
        let (scale, speed) = (Int64(1000), speed)
        shard.decide(scan: scan, at: now) { since in
            window.decisionLatency.record((now - since).microseconds * scale / speed)
        }
        let decided = clock.now()
        window.scanTime.record(scanned - began)
        window.decidingTime.record(decided - scanned)
        window.scanLateness.record(decided - intended - Int64(missed) * interval)
        return decided
    }

    /// Closes the current window.
    private mutating func close(_ start: Int64, _ now: Int64) -> CoreWindow {
        let worked = clock.worked()
        window.wall = now - start
        window.worked = worked - workedBefore
        window.counts = shard.counts
        window.counts.subtract(countsBefore)
        countsBefore = shard.counts
        workedBefore = worked
        return CoreWindow(window, start: start, residentBytes: clock.residentBytes())
    }
}
