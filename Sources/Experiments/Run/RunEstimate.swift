public import LiveActivityModel
import Quantities
import Statistics

/// An estimate of a run's size before it begins.
///
/// With it, a run that cannot fit is refused instead of being killed by the system halfway.
///
/// It uses only means and rates, so it takes no time for any scenario. The memory of activities is accurate to a
/// quarter (docs/experiments.md). The records of cells are counted at the size for rich scenarios. Floating-point
/// numbers cannot overflow: a value that is too large is infinite, which exceeds every limit.
public struct RunEstimate: Hashable, Sendable {
    /// The rides of one replication.
    public let rides: Double
    /// The maximum number of activities that are on screen or known to the server at the same time.
    public let liveActivities: Double
    /// The events of one replication.
    public let events: Double
    private let cells: Int
    /// The memory of all concurrent activities of a replication [bytes].
    private let bytesOfActivities: Double
    /// The memory of the measurements of one cell; those of a replication have the same form [bytes].
    private let bytesPerCell: Double
    /// The seconds up to the end of the last ride, for each of which the load is kept.
    private let seconds: Double

    /// Estimates the size of a scenario's runs.
    ///
    /// - Precondition: The data files have been read, and the distributions are valid.
    /// - Parameter isWatched: `true` if the runs search for activities or report one: then no activity is packed.
    public init(_ scenario: Scenario, isWatched: Bool = false) {
        let rides = scenario.rides
        let stages = rides.stages.map { stage in
            (seconds: max(0, stage.duration.mean) / 1e6, refresh: stage.refresh ?? scenario.content.refresh)
        }
        // Each driver who drops a ride repeats some of its stages.
        let attempts = 1 / max(0.01, 1 - rides.rematching.share.fraction)
        let life = stages.reduce(0) { $0 + $1.seconds } * attempts
        let updates = stages.reduce(Double(stages.count - 1 + scenario.content.updatesAt.count)) { sum, stage in
            sum + (stage.refresh.map { stage.seconds / max(1e-6, $0.mean / 1e6) } ?? 0)
        }
        let (count, peak) = Self.requests(of: scenario, within: life)
        self.rides = count
        liveActivities = min(count, peak)
        let eventsPerUpdate = scenario.devices.token.never == .always ? 1.0 : 3.0
        events = count * (Self.eventsPerRide + eventsPerUpdate * updates * attempts)
        cells = scenario.cells
        let run = scenario.clock.duration + scenario.clock.drain
        let mayRest = !isWatched && run.microseconds < 1 << 40
        bytesOfActivities = Self.bytes(of: liveActivities, scenario, mayRest: mayRest)
        seconds = min(Double(run.microseconds) / 1e6, Self.lastRequest(of: scenario) + life)
        let windows = Double(run.microseconds) / Double(scenario.clock.window.microseconds)
        let cities = Double(rides.arrivals.cities.count)
        bytesPerCell =
            Self.bytesPerCell + (Self.bytesPerWindow + Self.bytesPerCityWindow * cities) * windows.rounded(.up)
    }

    /// Returns the memory that a run takes besides the program itself [bytes].
    ///
    /// - Parameters:
    ///   - replications: The number of replications, for each of which the sum over its cells is kept.
    ///   - jobs: The number of groups of cells that run at the same time.
    public func bytes(replications: Int, jobs: Int) -> Double {
        let groups = RunEngine.groups(ofCells: cells)
        let largest = groups.map(\.count).max() ?? 1
        let running = min(Double(jobs), Double(groups.count) * Double(replications))
        // Each running group holds its share of a replication's activities.
        let share = min(Double(replications), running * Double(largest) / Double(cells))
        // Replications with unfinished cells take full size. Others keep one sum each, most of many in packed form.
        let open = min(Double(replications), running + 1)
        let ready = min(replications, ReplicationSums.readyCount)
        let sums = Double(ready) + Double(replications - ready) * Self.packedShare
        return bytesOfActivities * share
            + (Double(cells) * open + sums) * bytesPerCell
            + seconds * Self.bytesPerSecond * (running + open)
    }

    /// Returns the memory of concurrent activities [bytes]; it does not decrease if there are more.
    private static func bytes(of live: Double, _ scenario: Scenario, mayRest: Bool) -> Double {
        let limit = Double(scenario.cells) * Double(CellSimulation.restLimit)
        guard mayRest, live > limit else { return live * bytesPerActivity }
        guard scenario.faults.isEmpty else { return live * bytesPerWokenActivity }
        return max(limit * bytesPerActivity, live * bytesPerRestingActivity)
    }

    /// An activity with its pending events (docs/performance.md), and the spare capacity of the event list.
    private static let bytesPerActivity = 650.0
    /// An activity in cells where activities can be packed and nearly all are.
    private static let bytesPerRestingActivity = 270.0
    /// An activity in such cells if a fault may keep all activities unpacked, in addition to their packed storage.
    private static let bytesPerWokenActivity = 700.0
    /// A cell with its records: measured from 30 kB in a small world to 2.5 MB in a rich one; 0.5 MB each for
    /// 1,946 cells of a random world.
    private static let bytesPerCell = 500_000.0
    /// The size of a packed sum and its lines in replications.csv, relative to the records: 64 kB to 500 kB.
    private static let packedShare = 0.125
    /// A window of a cell's time series.
    private static let bytesPerWindow = 300.0
    /// A window of a city's time series in a cell, in proportion to its number of columns.
    private static let bytesPerCityWindow = 220.0
    /// A second of a group's load, with spare capacity, and its part of the kept sum.
    private static let bytesPerSecond = 16.0
    /// Request, start, token, end and the monitor's own events.
    private static let eventsPerRide = 8.0

    /// The latest possible request of a ride [s].
    private static func lastRequest(of scenario: Scenario) -> Double {
        let (arrivals, duration) = (scenario.rides.arrivals, scenario.clock.duration)
        let last =
            if let trace = scenario.rides.trace {
                trace.rides.last.map { $0.request - .start } ?? .zero
            } else {
                arrivals.process == .even ? arrivals.at + arrivals.spread : duration
            }
        return Double(min(last, duration).microseconds) / 1e6
    }

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
