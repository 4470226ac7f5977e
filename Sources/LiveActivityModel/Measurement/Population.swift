import Quantities

/// The number of activities on screens, integrated over time.
struct Population {
    private let measuredFrom: Instant
    private let horizon: Instant
    private let windowLength: Int64
    private var count: Int64 = 0
    /// The same city by city; empty without cities.
    private var countByCity: [Int64]
    /// Up to when it is integrated.
    private var integratedUntil = Instant.start
    /// The next window of the time series to begin; the warm-up's end begins the first one that is measured.
    private var nextWindowStart: Instant

    /// None yet.
    init(_ world: World) {
        measuredFrom = world.measuredFrom
        horizon = world.horizon
        windowLength = world.scenario.clock.window.microseconds
        nextWindowStart = measuredFrom
        countByCity = [Int64](repeating: 0, count: world.scenario.rides.arrivals.cities.count)
    }

    /// Activities of a city come to screens, or leave them.
    mutating func changed(by change: Int64, inCity city: Int, at now: Instant, _ recorder: inout Recorder) {
        advance(to: now, &recorder)
        count += change
        if !countByCity.isEmpty { countByCity[city] += change }
        if measuredFrom <= now {
            recorder.raise(.population, to: count)
        }
    }

    /// Adds the time since the last call, and the level at the beginning of each window since then.
    mutating func advance(to now: Instant, _ recorder: inout Recorder) {
        if integratedUntil < measuredFrom, measuredFrom <= now {
            recorder.count(.liveAtWarmUp, by: count)
            recorder.raise(.population, to: count)
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
        }
        integratedUntil = now
    }
}
