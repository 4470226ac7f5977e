internal import Foundation
package import FreshnessCore

/// Runs the core's shards in real time, each on its own thread.
///
/// Like cells, shards share nothing. Each has a part of the instances and of the rate.
package final class CoreLoad: Sendable {
    /// One shard and its run, used by one thread at a time.
    private final class Lane: @unchecked Sendable {
        // Unchecked: only the thread of the current plan touches the run, and a plan ends before the next begins. The group
        // of `run(_:warmUp:observe:)` ensures both.
        var run: CoreRun<SystemCoreClock>

        init(_ run: consuming CoreRun<SystemCoreClock>) { self.run = run }
    }

    private let lanes: [Lane]
    private let clock: SystemCoreClock
    /// The memory of the instances [bytes].
    package let residentBytes: Int

    /// The instances, in shards.
    ///
    /// - Parameters:
    ///   - settings: The settings of all shards together.
    ///   - shards: The number of threads, at most one per instance.
    ///   - speed: The speed of the policy's time relative to the wall clock.
    /// - Throws: `PolicyError` if a table cannot hold the policy's recovery window.
    package init(_ settings: CoreSettings, shards: Int, speed: Int64) throws(PolicyError) {
        let before = SystemCoreClock.residentBytes()
        let first = try CoreLoad.shard(settings, 0, of: shards)
        var made: [Lane] = []
        // Instances are made before the run begins, because a million of them take a while.
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

    /// The current time since the beginning of the run [ns]; negative before it.
    package var now: Int64 { clock.now() }

    /// Runs one plan in each shard to its end and returns the measurements of all shards together.
    ///
    /// - Parameters:
    ///   - begin: The beginning of the plan [ns since the beginning of the run].
    ///   - warmUp: The warm-up [ns from the beginning of the plan], which is not measured.
    ///   - observe: Called on a shard's thread with each of its seconds and its measurements so far. It returns false to stop
    ///     the shard.
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
                        // On its own thread, because it would block a shared one for minutes.
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

    /// The speed of memcpy for as many bytes as the table of all instances has [bytes/s, read and written].
    ///
    /// It is the reference for the speed of scans, measured in the same process as the median of nine copies.
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

    /// A copy that is not inlined, so that it is made although its result is never read.
    @inline(never)
    private static func copy(_ target: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer, _ count: Int) {
        memcpy(target, source, count)
    }
}
