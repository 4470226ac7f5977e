internal import Evaluation
internal import Foundation
package import FreshnessCore
package import Quantities

/// The core in real time: live instances in shards, each on its own thread.
///
/// Like cells, shards share nothing. Each has a part of the instances and of the rate.
package final class CoreLoad {
    /// One run in a box, because a run cannot be copied.
    private final class Lane {
        var run: CoreRun

        init(_ run: consuming CoreRun) { self.run = run }
    }

    private let lanes: [Lane]
    private let clock: SystemCoreClock

    /// Creates the instances.
    ///
    /// - Parameters:
    ///   - settings: The settings of all shards together.
    ///   - shards: The number of threads, at most one per instance.
    /// - Throws: `PolicyError` if a table cannot hold the policy's recovery window.
    package init(_ settings: CoreSettings, shards: Int) throws(PolicyError) {
        var lanes: [Lane] = []
        for index in 0..<shards {
            var part = settings
            part.instances = settings.instances * (index + 1) / shards - settings.instances * index / shards
            lanes.append(Lane(CoreRun(try CoreShard(part, shard: UInt32(index)))))
        }
        self.lanes = lanes
        clock = SystemCoreClock()
    }

    /// Applies updates at a rate, all shards together [1/s], and returns the measurements of all shards.
    ///
    /// A run continues where the last one stopped.
    package func run(perSecond rate: Double, for duration: TimeSpan) -> CoreTally {
        let begin = clock.now() + 1_000_000
        // Only one thread uses each lane, and nothing reads it until all have ended.
        nonisolated(unsafe) let lanes = lanes
        let group = DispatchGroup()
        for index in lanes.indices {
            group.enter()
            // On a thread of its own: a pool has no more threads than processors.
            Thread.detachNewThread { [clock] in
                var clock = clock
                let share = rate / Double(lanes.count)
                lanes[index].run.run(perSecond: share, from: begin, for: duration, clock: &clock)
                group.leave()
            }
        }
        group.wait()
        return lanes.dropFirst().reduce(into: lanes[0].run.tally) { $0.add($1.run.tally) }
    }

    /// The highest rate that the core keeps up with for three seconds [1/s], to 5 %.
    ///
    /// It is the lowest one, 1,000/s, if the core does not keep up with that either.
    package func limit(from first: Double) -> Double {
        let lowest = 1000.0
        var search = LimitSearch(first: first, lowest: lowest)
        while let rate = search.next { search.tried(holds: run(perSecond: rate, for: .seconds(3)).keepsUp(with: rate)) }
        return search.held ?? lowest
    }
}
