internal import Foundation
package import FreshnessCore

/// Runs the core's shards in real time, each on a thread of its own.
///
/// Shards share nothing, as cells do: each has its part of the instances and of the rate.
package final class CoreLoad: Sendable {
    /// One shard with what it needs, in the hands of one thread at a time.
    private final class Lane: @unchecked Sendable {
        // Unchecked: only the thread of the plan under way touches the run, and one plan is over before the next begins;
        // the group of `run(_:warmUp:observe:)` sees to both.
        var run: CoreRun<SystemCoreClock>

        init(_ run: consuming CoreRun<SystemCoreClock>) { self.run = run }
    }

    private let lanes: [Lane]
    private let clock: SystemCoreClock
    /// What the instances took of the process's memory [bytes].
    package let residentBytes: Int

    /// The instances, in shards.
    ///
    /// - Parameters:
    ///   - settings: Of all shards together.
    ///   - shards: How many threads there are, at most one for each instance.
    ///   - speed: How much faster than the clock the policy's time goes.
    /// - Throws: `PolicyError` when a table cannot hold the policy's recovery window.
    package init(_ settings: CoreSettings, shards: Int, speed: Int64) throws(PolicyError) {
        let before = SystemCoreClock.residentBytes()
        let first = try CoreLoad.shard(settings, 0, of: shards)
        var made: [Lane] = []
        // Made first, begun later: a million instances take a while.
        let clock = SystemCoreClock(beginsIn: Int64(settings.instances) * 150 + 20_000_000)
        made.append(Lane(CoreRun(first, clock: clock, speed: speed)))
        for index in 0..<shards where index > 0 {
            made.append(Lane(CoreRun(try CoreLoad.shard(settings, index, of: shards), clock: clock, speed: speed)))
        }
        lanes = made
        self.clock = clock
        residentBytes = SystemCoreClock.residentBytes() - before
    }

    private static func shard(_ settings: CoreSettings, _ index: Int, of shards: Int) throws(PolicyError) -> CoreShard {
        var settings = settings
        let all = settings.instances
        settings.instances = all * (index + 1) / shards - all * index / shards
        return try CoreShard(settings, shard: UInt32(index))
    }

    /// Now, since the beginning of the run [ns]; below zero before it.
    package var now: Int64 { clock.now() }

    /// Runs one plan in each shard to its end and returns what was measured in all of them together.
    ///
    /// - Parameters:
    ///   - begin: When it begins [ns since the beginning of the run].
    ///   - warmUp: What happens before this, counted from the beginning of the plan [ns], is not measured.
    ///   - observe: Is given each second of each shard and all that was measured in it so far, on that shard's thread; false
    ///     stops that shard.
    package func run(
        _ plan: RatePlan,
        begin: Int64,
        warmUp: Int64,
        observe: @escaping @Sendable (_ shard: Int, CoreWindow, CoreTally) -> Bool
    ) async -> CoreTally {
        await withTaskGroup(of: CoreTally.self) { group in
            for (index, lane) in lanes.enumerated() {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        // A thread of its own: the shared ones must not be kept from their work for minutes.
                        Thread.detachNewThread {
                            let tally = lane.run.run(plan, begin: begin, warmUp: warmUp) { observe(index, $0, $1) }
                            continuation.resume(returning: tally)
                        }
                    }
                }
            }
            var total: CoreTally?
            for await tally in group { if total == nil { total = tally } else { total?.addShard(tally) } }
            return total ?? CoreTally()
        }
    }

    /// How fast memory is copied here: as many bytes as the table of all instances has [bytes/s, read and written].
    ///
    /// The yardstick for scans, taken in the same process; the median of nine copies.
    package static func copySpeed(bytes: Int) -> Double {
        let source = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        let target = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        defer {
            source.deallocate()
            target.deallocate()
        }
        memset(source, 1, bytes)
        memset(target, 2, bytes)
        let clock = SystemCoreClock()
        var speeds: [Double] = []
        for _ in 0..<9 {
            let began = clock.now()
            copy(target, source, bytes)
            speeds.append(Double(2 * bytes) / Double(max(1, clock.now() - began)) * 1e9)
        }
        return speeds.sorted()[speeds.count / 2]
    }

    /// Out of line, so that a copy whose result is never read is made all the same.
    @inline(never)
    private static func copy(_ target: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer, _ count: Int) {
        memcpy(target, source, count)
    }
}
