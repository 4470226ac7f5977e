import HeapModule
import Quantities

/// The number of activities on screens, integrated over time.
///
/// Changes can be known ahead of time. They are applied in order when their time comes.
struct Population {
    private let measuredFrom: Instant
    private let horizon: Instant
    private let windowLength: Int64
    private var count: Int64 = 0
    /// The number by segment; empty if the fleet is not divided.
    private var countBySegment: [Int64]
    /// The instant up to which the number is integrated.
    private var integratedUntil = Instant.start
    /// The changes that are not applied yet.
    private var changes = Heap<Change>()
    /// The start of the next window of the time series; the first measured window starts at the end of the warm-up.
    private var nextWindowStart: Instant

    private struct Change: Comparable {
        let at: Instant
        let change: Int32
        let segment: Int32

        static func < (left: Change, right: Change) -> Bool { left.at < right.at }
    }

    /// Creates an empty population.
    init(_ world: World) {
        measuredFrom = world.measuredFrom
        horizon = world.horizon
        windowLength = world.scenario.clock.window.microseconds
        nextWindowStart = measuredFrom
        countBySegment = [Int64](repeating: 0, count: world.scenario.segmentCount)
    }

    /// Records that activities of a segment appear on screens, or leave them, at an instant that may be in the future.
    ///
    /// - Parameter instant: Not before the instant of the last ``advance(to:_:)``.
    /// - Complexity: O(log *n*) for *n* changes that are not applied.
    mutating func changed(by change: Int, inSegment segment: Int, at instant: Instant) {
        changes.insert(Change(at: instant, change: Int32(change), segment: Int32(segment)))
    }

    /// Applies all changes up to now, and integrates up to now.
    mutating func advance(to now: Instant, _ recorder: inout Recorder) {
        while let next = changes.min, next.at <= now {
            changes.removeMin()
            integrate(to: next.at, &recorder)
            count += Int64(next.change)
            if !countBySegment.isEmpty { countBySegment[Int(next.segment)] += Int64(next.change) }
        }
        integrate(to: now, &recorder)
    }

    /// Adds the time since the last call, and the level at the beginning of each window since then.
    private mutating func integrate(to now: Instant, _ recorder: inout Recorder) {
        if integratedUntil < measuredFrom, measuredFrom <= now {
            recorder.count(.liveAtWarmUp, by: count)
            recorder.addCutLives(countBySegment.isEmpty ? [count] : countBySegment)
        }
        while nextWindowStart <= now, nextWindowStart < horizon {
            recorder.add(count, to: .liveAtStart, at: nextWindowStart)
            for segment in countBySegment.indices {
                recorder.add(countBySegment[segment], to: .liveAtStart, inSegment: segment, at: nextWindowStart)
            }
            nextWindowStart = Instant(
                microseconds: (nextWindowStart.microseconds / windowLength + 1) * windowLength
            )
        }
        let from = max(integratedUntil, measuredFrom)
        if from < now {
            recorder.add(count * (now - from).microseconds, to: .populationTime)
            // Only a level that lasts counts, because the order of changes at one instant is arbitrary.
            recorder.raise(.population, to: count)
        }
        integratedUntil = now
    }
}
