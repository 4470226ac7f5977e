public import Quantities
public import SimulationKernel

extension Scenario {
    /// The rides: arrivals and stages drawn from distributions, or both read from a trace.
    public struct Rides: Hashable, Sendable {
        /// Multiplies arrivals: rates and counts of a process; a trace is thinned below 1 and repeated above it.
        public var scale = 1.0
        /// When rides are requested, unless a trace says so.
        public var arrivals = Arrivals()
        /// What a ride goes through, in order; the last stage's end is the ride's end.
        public var stages: [Stage] = [Stage(name: "ride", duration: .constant(20 * 60e6))]
        /// Rides given up before a stage is over.
        public var cancellation = Cancellation()
        /// Rides that their drivers drop.
        public var rematching = Rematching()
        /// Real rides in place of drawn ones.
        public var trace: Trace?

        /// Default rides.
        public init() {}
    }

    /// The arrival process.
    public enum ArrivalProcess: String, CaseIterable, Sendable {
        /// A Poisson process with a rate that is constant within each rate interval.
        case poisson
        /// A fixed number, evenly spaced: at one instant when the spread is zero.
        case even
    }

    /// When rides are requested.
    public struct Arrivals: Hashable, Sendable {
        /// Which process.
        public var process = ArrivalProcess.poisson
        /// Rides per hour in successive rate intervals, repeated in a cycle (process `poisson`).
        public var ratesPerHour: [Double] = [60]
        /// How long each rate holds (process `poisson`).
        public var rateInterval: TimeSpan = .hours(1)
        /// How many rides (process `even`).
        public var count = 1
        /// The first arrival (process `even`).
        public var at: TimeSpan = .zero
        /// Over how long arrivals are evenly spaced (process `even`).
        public var spread: TimeSpan = .zero
        /// Among which cities requests are divided (process `poisson`); none: results know no cities.
        public var cities: [City] = []

        /// Default arrivals.
        public init() {}
    }

    /// A city with a part of the requests and a day of its own.
    public struct City: Hashable, Sendable {
        /// The city's name, for scopes.
        public var name: String
        /// Its part of all requests; the shares of all cities add up to one.
        public var share: Probability
        /// How far its local time is ahead of the run's clock; negative where it is behind.
        public var timeZone: TimeSpan = .zero
        /// The course of its day: how rates in successive rate intervals of its local time compare with one another,
        /// repeated in a cycle; nil takes the course of ``Arrivals/ratesPerHour``.
        public var curve: [Double]?

        /// The most that a scenario can name.
        public static let most = 64

        /// A city.
        public init(name: String, share: Probability) {
            self.name = name
            self.share = share
        }
    }

    /// One stage of a ride.
    public struct Stage: Hashable, Sendable {
        /// The stage's name, for scopes and stories.
        public var name: String
        /// How long the stage lasts.
        public var duration: Distribution
        /// Time between ETA refreshes in this stage; nil takes the one of `content.refresh`.
        public var refresh: Distribution?
        /// The rank in the sender's queue of updates generated in this stage, 0...7; nil takes the one of
        /// ``Sender/ranks``.
        public var rank: Int?

        /// A stage.
        public init(name: String, duration: Distribution, refresh: Distribution? = nil) {
            self.name = name
            self.duration = duration
            self.refresh = refresh
        }
    }

    /// Rides that are given up.
    ///
    /// A share of rides carries a time of giving up, counted from the request; it takes effect only when it comes before
    /// the end of stage ``untilStage``. The share of rides that really end so is therefore smaller, and is reported.
    public struct Cancellation: Hashable, Sendable {
        /// The share of rides that would be given up if nothing came first.
        public var share = Probability.never
        /// From the request to giving up.
        public var after: Distribution = .constant(60e6)
        /// The last stage in which a ride can be given up; empty stands for the last stage of all.
        public var untilStage = ""

        /// No cancellations.
        public init() {}
    }

    /// Rides that their drivers drop, and that wait for another driver then.
    ///
    /// Each driver drops a share of the rides, so long after stage ``fromStage`` began; it takes effect only when it comes
    /// before the end of that stage, and before the rider gives up. The ride goes back to ``toStage``, and every stage
    /// from there on has a duration of its own again.
    public struct Rematching: Hashable, Sendable {
        /// The share of rides that a driver would drop if nothing came first, below 1.
        public var share = Probability.never
        /// From the beginning of ``fromStage`` to the drop.
        public var after: Distribution = .constant(60e6)
        /// The stage in which a driver may drop the ride; empty stands for the one after ``toStage``.
        public var fromStage = ""
        /// The stage, before ``fromStage``, that the ride goes back to; empty stands for the first.
        public var toStage = ""

        /// No driver drops a ride.
        public init() {}
    }

    /// A file of real rides.
    ///
    /// See `RideTraceReader` for its columns and repairs.
    public struct Trace: Hashable, Sendable {
        /// The file, looked up beside the scenario file and then in the working directory.
        public var file: String
        /// Keeps only the rides of this provider, by name or licence number; empty keeps all.
        public var provider = ""
        /// Rides longer than this from request to drop-off are left out as unclean.
        public var longestRide: TimeSpan = .hours(6)
        /// The largest share of rows that may be left out as unclean; more refuses the file.
        public var mostBadRows: Probability = Probability(0.2)
        /// The columns whose names are not those that are known.
        public var columns = TraceColumns()
        /// The order of day and month in dates such as `05/06/2026`; nil to recognize it from the whole file.
        public var dates: DateOrder?
        /// The IANA time zone of times without an offset, for their clock changes; empty if it is unknown.
        public var timeZone = ""
        /// Whether all requests are folded onto one day, by their time of day; otherwise the first request starts the run.
        public var foldOntoOneDay = false
        /// The rides that were read, ordered by request; filled in by the reader.
        public var rides: [TracedRide] = []
        /// What the reader kept, repaired and left out; filled in by the reader.
        public var cleaning = TraceCleaning()

        /// A trace that is still to be read.
        public init(file: String) {
            self.file = file
        }
    }
}

extension Scenario {
    /// The order of day and month in dates such as `05/06/2026`.
    public enum DateOrder: String, CaseIterable, Sendable {
        /// 6 May, as in the United States.
        case monthFirst = "month_first"
        /// 5 June, as nearly everywhere else.
        case dayFirst = "day_first"
    }

    /// The names of a trace's columns; an empty one means the known names.
    public struct TraceColumns: Hashable, Sendable {
        /// The company.
        public var provider = ""
        /// The outcome: completed or cancelled.
        public var status = ""
        /// The request.
        public var requestTime = ""
        /// A driver took the ride.
        public var acceptedTime = ""
        /// The driver was at the pickup.
        public var driverArrivedTime = ""
        /// The rider got in.
        public var pickupTime = ""
        /// The rider got out.
        public var dropoffTime = ""
        /// The ride was given up.
        public var cancelledTime = ""

        /// Columns with the names that are known.
        public init() {}
    }
}

extension Scenario.Arrivals {
    /// Rides per hour in successive rate intervals of local time, city by city; without cities ``ratesPerHour`` alone.
    ///
    /// Over a cycle of its curve a city has its share of the mean rate. What rounding leaves of the sum of all shares is
    /// divided like the rest.
    package var ratesByCity: [[Double]] {
        guard !cities.isEmpty else { return [ratesPerHour] }
        let mean = ratesPerHour.reduce(0, +) / Double(ratesPerHour.count)
        let shares = cities.reduce(0) { $0 + $1.share.fraction }
        return cities.map { city in
            let share = city.share.fraction / shares
            guard let curve = city.curve else { return ratesPerHour.map { $0 * share } }
            let curveMean = curve.reduce(0, +) / Double(curve.count)
            return curve.map { $0 / curveMean * mean * share }
        }
    }

    /// Whether a Poisson process never changes its rate.
    package var hasConstantRate: Bool { ratesByCity.allSatisfy { Set($0).count == 1 } }
}

extension Scenario.Rides {
    /// From which stage to which a ride goes back that its driver drops; nil where no driver does.
    ///
    /// The places may be past the last stage, or the wrong way round, until the rules of scenarios are checked.
    package var rematchingStages: (from: Int, to: Int)? {
        guard rematching.share != .never else { return nil }
        let to = stages.firstIndex { $0.name == rematching.toStage } ?? 0
        let from = stages.firstIndex { $0.name == rematching.fromStage } ?? to + 1
        return (from, to)
    }
}

/// One ride of a trace: the moments at which it moved on.
///
/// A month of a city has twenty million of them, so all of it lies in place: 48 bytes.
public struct TracedRide: Hashable, BitwiseCopyable, Sendable {
    /// From the start of the run to the request.
    public var request: Instant
    private var first, second, third, fourth: TimeSpan
    private var storedStageCount: UInt8
    /// Whether the ride was given up at the end of the last of its stages.
    public var isCancelled: Bool

    /// The most stages that a ride of a trace has.
    public static let mostStages = 4

    /// A ride.
    ///
    /// - Parameter stages: How long each of the scenario's stages lasted, in their order; a cancelled ride has only the
    ///   stages it began.
    /// - Precondition: There are at most ``mostStages``.
    public init(request: Instant, stages: some Collection<TimeSpan>, isCancelled: Bool) {
        precondition(stages.count <= Self.mostStages, "a traced ride of \(stages.count) stages")
        self.request = request
        self.isCancelled = isCancelled
        storedStageCount = UInt8(stages.count)
        var rest = stages.makeIterator()
        first = rest.next() ?? .zero
        second = rest.next() ?? .zero
        third = rest.next() ?? .zero
        fourth = rest.next() ?? .zero
    }

    /// How many stages it has.
    public var stageCount: Int { Int(storedStageCount) }

    /// How long a stage lasted; no time at all where it has no such stage.
    public func duration(ofStage stage: Int) -> TimeSpan {
        switch stage {
        case 0: first
        case 1: second
        case 2: third
        case 3: fourth
        default: .zero
        }
    }

    /// How long each stage lasted.
    public var stages: [TimeSpan] { (0..<stageCount).map(duration) }
}

/// What reading a trace kept, repaired and left out, in rows.
public struct TraceCleaning: Hashable, Sendable {
    /// Data rows in the file.
    public var read = 0
    /// Rows that became rides.
    public var kept = 0
    /// Rows of another provider.
    public var otherProvider = 0
    /// Rows repaired, by what was wrong, in the order in which the repairs are tried.
    public var repaired: [Count] = []
    /// Rows left out, by what was wrong.
    public var leftOut: [Count] = []
    /// Further remarks on the rides, a sentence each: moments that no column has, a clock change.
    public var remarks: [String] = []

    /// How many rows had one fault.
    public struct Count: Hashable, Sendable {
        /// What was wrong, as a short name with underscores.
        public var reason: String
        /// How many rows.
        public var rows: Int
        /// The line of the first of them; 0 where they have none.
        public var firstLine: Int

        /// A count of rows.
        public init(reason: String, rows: Int, firstLine: Int = 0) {
            self.reason = reason
            self.rows = rows
            self.firstLine = firstLine
        }
    }

    /// Nothing read yet.
    public init() {}
}
