import DequeModule
import Quantities

/// The number of activities on screens, integrated over time.
///
/// Changes may be known before their time; they are taken in when it has come, in their order.
struct Population {
    private let measuredFrom: Instant
    private let horizon: Instant
    private let windowLength: Int64
    private var count: Int64 = 0
    /// The same city by city; empty without cities.
    private var countByCity: [Int64]
    /// Up to when it is integrated.
    private var integratedUntil = Instant.start
    /// Those that have not been taken in, in the order of time.
    private var changes: Deque<Change> = []
    /// The next window of the time series to begin; the warm-up's end begins the first one that is measured.
    private var nextWindowStart: Instant

    private struct Change {
        let at: Instant
        let change: Int32
        let city: Int32
    }

    /// None yet.
    init(_ world: World) {
        measuredFrom = world.measuredFrom
        horizon = world.horizon
        windowLength = world.scenario.clock.window.microseconds
        nextWindowStart = measuredFrom
        countByCity = [Int64](repeating: 0, count: world.scenario.rides.arrivals.cities.count)
    }

    /// Activities of a city come to screens, or leave them, at an instant that may lie ahead.
    ///
    /// - Parameter instant: Not before that of the last ``advance(to:_:)``.
    /// - Complexity: O(changes that are later): few, for little is known ahead.
    mutating func changed(by change: Int, inCity city: Int, at instant: Instant) {
        var place = changes.endIndex
        while place > changes.startIndex, instant < changes[place - 1].at { place -= 1 }
        changes.insert(Change(at: instant, change: Int32(change), city: Int32(city)), at: place)
    }

    /// Takes in all changes up to now, and the time up to now.
    mutating func advance(to now: Instant, _ recorder: inout Recorder) {
        while let next = changes.first, next.at <= now {
            changes.removeFirst()
            integrate(to: next.at, &recorder)
            count += Int64(next.change)
            if !countByCity.isEmpty { countByCity[Int(next.city)] += Int64(next.change) }
        }
        integrate(to: now, &recorder)
    }

    /// Adds the time since the last call, and the level at the beginning of each window since then.
    private mutating func integrate(to now: Instant, _ recorder: inout Recorder) {
        if integratedUntil < measuredFrom, measuredFrom <= now {
            recorder.count(.liveAtWarmUp, by: count)
        }
        while nextWindowStart <= now, nextWindowStart < horizon {
            recorder.add(count, to: .liveAtStart, at: nextWindowStart)
            for city in countByCity.indices {
                recorder.add(countByCity[city], to: .liveAtStart, inCity: city, at: nextWindowStart)
            }
            nextWindowStart = Instant(
                microseconds: (nextWindowStart.microseconds / windowLength + 1) * windowLength
            )
        }
        let from = max(integratedUntil, measuredFrom)
        if from < now {
            recorder.add(count * (now - from).microseconds, to: .populationTime)
            // A level counts that lasts: in which order changes of one instant come says nothing.
            recorder.raise(.population, to: count)
        }
        integratedUntil = now
    }
}
