public import LiveActivityModel
import Quantities
import Statistics

/// An estimate of a run's size before it begins.
///
/// It uses only means and rates, so it takes no time for any scenario. Floating-point numbers cannot overflow: a value
/// that is too large is infinite, which exceeds every limit.
public struct RunEstimate: Hashable, Sendable {
    /// The rides of one replication.
    public let rides: Double
    /// The maximum number of activities that are on screen or known to the server at the same time.
    public let liveActivities: Double
    /// The events of one replication.
    public let events: Double

    /// Estimates the size of a scenario's runs.
    ///
    /// - Precondition: The data files have been read, and the distributions are valid.
    public init(_ scenario: Scenario) {
        let rides = scenario.rides
        // A policy for an ETA that moves sends at most this often.
        let mostOften = scenario.content.refreshWhenMoved.map { Double($0.atMostEvery.microseconds) }
        let pause = scenario.content.refresh?.mean ?? mostOften
        let stages = rides.stages.map { stage in
            (seconds: max(0, stage.duration.mean) / 1e6, pause: stage.refresh?.mean ?? pause)
        }
        // Each driver who drops a ride repeats some of its stages.
        let attempts = 1 / max(0.01, 1 - rides.rematching.share.fraction)
        // Each stop repeats some of them, too.
        let passes = attempts * (1 + (rides.stops?.stopsPerRide ?? 0))
        let life = stages.reduce(0) { $0 + $1.seconds } * passes
        let updates = stages.reduce(Double(stages.count - 1 + scenario.content.updatesAt.count)) { sum, stage in
            sum + (stage.pause.map { stage.seconds / max(1e-6, $0 / 1e6) } ?? 0)
        }
        let first = Self.requests(of: scenario, within: life)
        // At most: some further rides would be requested after the end of arrivals, and some while others are live.
        let perRider = rides.again?.ridesPerRider ?? 1
        let (count, peak) = (first.count * perRider, first.most * perRider)
        self.rides = count
        liveActivities = min(count, peak)
        let eventsPerUpdate = scenario.devices.token.never == .always ? 1.0 : 3.0
        events = count * (Self.eventsPerRide + eventsPerUpdate * updates * passes)
    }

    /// Request, start, token, end and the monitor's own events.
    private static let eventsPerRide = 8.0

    /// Returns the number of requested rides, and the maximum number within a time [s].
    private static func requests(of scenario: Scenario, within life: Double) -> (count: Double, most: Double) {
        let (rides, duration) = (scenario.rides, Double(scenario.clock.duration.microseconds) / 1e6)
        if let trace = rides.trace {
            let times = trace.rides.map { Double($0.request.microseconds) / 1e6 }
            var (first, most) = (0, 0)
            for (index, time) in times.enumerated() {
                while times[first] < time - life { first += 1 }
                most = max(most, index - first + 1)
            }
            return (Double(times.count) * rides.scale, Double(most) * rides.scale)
        }
        let arrivals = rides.arrivals
        if arrivals.process == .even {
            let all = Double(arrivals.count) * rides.scale
            let spread = Double(arrivals.spread.microseconds) / 1e6
            guard spread > 0 else { return (all, all) }
            let left = max(0, duration - Double(arrivals.at.microseconds) / 1e6)
            return (all * min(1, left / spread), all * min(1, life / spread))
        }
        let interval = Double(arrivals.rateInterval.microseconds) / 1e6
        let perInterval = arrivals.ratesOfAllCities.map { $0 * rides.scale / 3600 * interval }
        let cycle = perInterval.reduce(0, +)
        let intervals = duration / interval
        let cycles = (intervals / Double(perInterval.count)).rounded(.down)
        let rest = intervals - cycles * Double(perInterval.count)
        let count = perInterval.enumerated()
            .reduce(cycle * cycles) { $0 + $1.element * min(1, max(0, rest - Double($1.offset))) }
        // These are the fullest consecutive intervals that a life spans, weighted by its length in them.
        let width = min(Double(perInterval.count), max(1, (life / interval).rounded(.up)))
        var sum = perInterval.prefix(Int(width)).reduce(0, +)
        var most = sum
        for index in perInterval.indices {
            sum += perInterval[(index + Int(width)) % perInterval.count] - perInterval[index]
            most = max(most, sum)
        }
        return (count, most * life / (interval * width))
    }
}

extension Scenario.Arrivals {
    /// The rides per hour in successive rate intervals of the run's clock, accurate enough for an estimate.
    ///
    /// A time zone is rounded to whole rate intervals, and the longest curve determines the length of the cycle.
    fileprivate var ratesOfAllCities: [Double] {
        guard !cities.isEmpty else { return ratesPerHour }
        let rates = ratesByCity
        let steps = rates.map(\.count).max() ?? 1
        return (0..<steps)
            .map { step in
                zip(cities, rates)
                    .reduce(0) { sum, city in
                        let ahead = Int(city.0.timeZone.microseconds / rateInterval.microseconds) + step
                        let count = city.1.count
                        return sum + city.1[(ahead % count + count) % count]
                    }
            }
    }
}
