public import LiveActivityModel
import Quantities
import Statistics

/// About how large a run is, known before it begins, so that a run that cannot fit is refused in place of being ended by the
/// system halfway.
///
/// Means and rates alone go into it: it takes no time, whatever the scenario says. What activities take is right to a
/// quarter (docs/experiments.md); the books of cells are counted at what those of rich scenarios take.
/// Real numbers cannot overflow; what is too large for them is infinite, which is above every limit.
public struct RunEstimate: Hashable, Sendable {
    /// Rides of one replication.
    public let rides: Double
    /// Activities that are on a screen or known to the server at the same time, at most.
    public let liveActivities: Double
    /// Events of one replication.
    public let events: Double
    private let cells: Int
    /// What all activities of a replication take that are live at the same time [bytes].
    private let bytesOfActivities: Double
    /// What the measurements of one cell take, or those of a replication, which are of the same form [bytes].
    private let bytesPerCell: Double
    /// Seconds up to the end of the last ride, whose load is kept one by one.
    private let seconds: Double

    /// The size of a scenario's runs.
    ///
    /// - Precondition: Its data files have been read, its distributions are valid.
    /// - Parameter isWatched: Whether the runs look for activities, or tell of one: then none is put to rest.
    public init(_ scenario: Scenario, isWatched: Bool = false) {
        let rides = scenario.rides
        let stages = rides.stages.map { stage in
            (seconds: max(0, stage.duration.mean) / 1e6, refresh: stage.refresh ?? scenario.content.refresh)
        }
        // Each driver that drops a ride makes some of its stages happen again.
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

    /// What a run takes beside the program itself [bytes].
    ///
    /// - Parameters:
    ///   - replications: How many of them are run, and of each the sum over its cells kept.
    ///   - jobs: How many groups of cells run at the same time.
    public func bytes(replications: Int, jobs: Int) -> Double {
        let groups = RunEngine.groups(ofCells: cells)
        let largest = groups.map(\.count).max() ?? 1
        let running = min(Double(jobs), Double(groups.count) * Double(replications))
        // Of a replication's activities each group that runs has its share.
        let share = min(Double(replications), running * Double(largest) / Double(cells))
        // Those of which some cells have not ended yet; of the others one sum is kept, of most of many a packed one.
        let open = min(Double(replications), running + 1)
        let ready = min(replications, ReplicationSums.readyCount)
        let sums = Double(ready) + Double(replications - ready) * Self.packedShare
        return bytesOfActivities * share
            + (Double(cells) * open + sums) * bytesPerCell
            + seconds * Self.bytesPerSecond * (running + open)
    }

    /// What activities take that are live at the same time [bytes]; no less where there are more.
    private static func bytes(of live: Double, _ scenario: Scenario, mayRest: Bool) -> Double {
        let limit = Double(scenario.cells) * Double(CellSimulation.restLimit)
        guard mayRest, live > limit else { return live * bytesPerActivity }
        guard scenario.faults.isEmpty else { return live * bytesPerWokenActivity }
        return max(limit * bytesPerActivity, live * bytesPerRestingActivity)
    }

    /// An activity with its pending events (docs/performance.md), and what the list of events has ready for more.
    private static let bytesPerActivity = 650.0
    /// The same in cells in which those at rest take less room, and nearly all are.
    private static let bytesPerRestingActivity = 270.0
    /// The same where a fault may keep all of them awake, beside the places that they had at rest.
    private static let bytesPerWokenActivity = 700.0
    /// A cell with its books: measured from 30 kB in a small world to 2.5 MB in a rich one; 0.5 MB over 1,946 of a random world.
    private static let bytesPerCell = 500_000.0
    /// What a packed sum and its lines in replications.csv take, as a part of the books: 64 kB where these take 500.
    private static let packedShare = 0.125
    /// A window of a cell's time series.
    private static let bytesPerWindow = 300.0
    /// A window of a city's time series in a cell, in the same proportion to its columns.
    private static let bytesPerCityWindow = 220.0
    /// A second of a group's load, with room for more of them, and of what is kept of it.
    private static let bytesPerSecond = 16.0
    /// Request, start, token, end and what the monitor does of its own accord.
    private static let eventsPerRide = 8.0

    /// When the last ride may be requested [s].
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

    /// How many rides are requested, and how many at most within a time [s].
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
        // The fullest neighbouring intervals that a life touches, for the part of them that it lasts.
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
    /// Rides per hour in successive rate intervals of the run's clock, near enough for an estimate.
    ///
    /// A time zone counts in whole rate intervals, and the longest curve says how long the cycle is.
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
