import FreshnessCore
import Quantities

/// One thread's run of the core in real time: updates when a plan says that they are due, scans on their grid.
///
/// The loop reads the clock once for each batch of updates. A scan that is due comes before updates, as a monitor's does: the
/// updates that wait meanwhile are late, and their latency says so, for it counts from the instant at which each was due.
struct CoreRun<Clock: CoreClock>: ~Copyable {
    private(set) var shard: CoreShard
    private var clock: Clock
    /// How much faster than the clock the policy's time goes.
    private let speed: Int64
    /// From scan to scan by the clock [ns].
    private let interval: Int64
    private var scan = 0
    /// Updates of earlier plans.
    private var base = 0
    private var due: ContiguousArray<Instant>
    private var dueAt: ContiguousArray<Int64>
    private var window = CoreTally()
    private var countsBefore = CoreCounts()
    private var workedBefore: Int64 = 0

    /// Windows are so long [ns].
    private static var windowLength: Int64 { 1_000_000_000 }

    /// A run of a shard; the policy's time may go faster than the clock.
    init(_ shard: consuming CoreShard, clock: Clock, speed: Int64 = 1) {
        precondition(speed > 0, "time goes forward")
        interval = max(1, shard.settings.scanInterval.microseconds * 1000 / speed)
        self.shard = shard
        self.clock = clock
        self.speed = speed
        due = ContiguousArray(repeating: .start, count: CoreShard.batch)
        dueAt = ContiguousArray(repeating: 0, count: CoreShard.batch)
    }

    /// Runs a plan to its end and returns what was measured after the warm-up.
    ///
    /// - Parameters:
    ///   - begin: When the plan begins [ns since the beginning of the run]; not before an earlier plan's end.
    ///   - warmUp: What happens before this, counted from the beginning of the plan [ns], is not measured.
    ///   - observe: Is given each second of the run and all that was measured so far; false stops it.
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
        // Scans whose time has passed between two plans do not count as missed.
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
                // Never shorter than it takes to sleep at all: who comes meanwhile makes a larger batch.
                let nextUpdate = done < plan.total ? begin + plan.due(done) : end
                clock.wait(until: min(max(nextUpdate, now + 20_000), nextScan, end))
                now = clock.now()
            }
        }
        base += plan.total
        return total
    }

    /// The policy's time at an instant of the clock.
    private func instant(_ nanoseconds: Int64) -> Instant { Instant(microseconds: nanoseconds * speed / 1000) }

    /// Applies a batch and records how late each update of it was; returns when it was done.
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

    /// Makes the scan that is due, and takes the decisions that follow from it.
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

    /// Sums the window up.
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
