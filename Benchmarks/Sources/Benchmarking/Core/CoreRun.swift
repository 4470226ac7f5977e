import FreshnessCore
import Quantities

/// One thread's part of the core in real time, with updates at their due times and scans at fixed intervals.
///
/// The loop reads the clock once per batch of updates. A due scan precedes updates, as in a monitor. Updates that wait for it
/// are late, and their latency includes the wait because it counts from their due time.
struct CoreRun: ~Copyable {
    private var shard: CoreShard
    /// The interval between scans [ns].
    private let interval: Int64
    /// The number of the last scan.
    private var scan = 0
    /// The number of updates of earlier runs.
    private var base = 0
    private var due = ContiguousArray(repeating: Instant.start, count: CoreShard.batch)
    private var dueAt = ContiguousArray(repeating: Int64(0), count: CoreShard.batch)
    /// The measurements of the last run.
    private(set) var tally = CoreTally()

    /// A run of a shard.
    init(_ shard: consuming CoreShard) {
        interval = shard.settings.scanInterval.microseconds * 1000
        self.shard = shard
    }

    /// Applies updates at a constant rate and measures.
    ///
    /// - Parameters:
    ///   - rate: Updates per second, the first one due at once.
    ///   - begin: The beginning [ns since the beginning of the clock], not before the end of an earlier run.
    ///   - duration: The length of the run.
    mutating func run(perSecond rate: Double, from begin: Int64, for duration: TimeSpan, clock: inout some CoreClock) {
        let end = begin + duration.microseconds * 1000
        let all = Int((Double(end - begin) * rate / 1e9).rounded(.up))
        func dueCount(at now: Int64) -> Int { min(all, Int(Double(now - begin) * rate / 1e9) + 1) }
        func dueTime(_ number: Int) -> Int64 { begin + Int64((Double(number) * 1e9 / rate).rounded(.up)) }
        tally = CoreTally()
        shard.counts = CoreCounts()
        var done = 0
        clock.wait(until: begin)
        let workedBefore = threadCPUNanoseconds()
        var now = max(begin, clock.now())
        // Scans that were due between two runs do not count as missed.
        scan = max(scan, Int(now / interval))
        while now < end {
            let nextScan = Int64(scan + 1) * interval
            let ready = min(CoreShard.batch, dueCount(at: now) - done)
            if nextScan <= now {
                now = scanAndDecide(since: now, &clock)
            } else if ready > 0 {
                for place in 0..<ready { dueAt[place] = dueTime(done + place) }
                now = apply(ready, first: base + done, at: now, &clock)
                done += ready
            } else {
                // Never shorter than the shortest sleep; updates that become due meanwhile make a larger batch.
                clock.wait(until: min(max(dueTime(done), now + 20_000), nextScan, end))
                now = clock.now()
            }
        }
        base += all
        tally.counts = shard.counts
        tally.backlog = all - done
        tally.wall = now - begin
        tally.worked = Int64(threadCPUNanoseconds() - workedBefore)
    }

    /// The core's time at an instant of the clock.
    private func instant(_ nanoseconds: Int64) -> Instant { Instant(microseconds: nanoseconds / 1000) }

    /// Applies a batch, records the latency of each update, and returns the instant at which it was done.
    @inline(__always)
    private mutating func apply(_ count: Int, first: Int, at now: Int64, _ clock: inout some CoreClock) -> Int64 {
        for place in 0..<count { due[place] = instant(dueAt[place]) }
        due.withUnsafeBufferPointer { due in
            shard.apply(first: first, due: UnsafeBufferPointer(rebasing: due[..<count]), at: instant(now))
        }
        let after = clock.now()
        for place in 0..<count { tally.updateLatency.record(after - dueAt[place]) }
        return after
    }

    /// Makes the due scan and the decisions that follow from it, and returns the instant at which they were done.
    private mutating func scanAndDecide(since began: Int64, _ clock: inout some CoreClock) -> Int64 {
        let missed = Int(began / interval) - scan - 1
        shard.counts.missedScans += missed
        scan += 1 + missed
        let now = instant(began)
        shard.scan(at: now)
        let scanned = clock.now()
        shard.decide(scan: scan, at: now) { since in
            tally.decisionLatency.record((now - since).microseconds * 1000)
        }
        let decided = clock.now()
        tally.scanTime.record(scanned - began)
        tally.decidingTime.record(decided - scanned)
        tally.scanLateness.record(decided - Int64(scan) * interval)
        return decided
    }
}
