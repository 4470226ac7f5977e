public import Quantities
public import SimulationKernel

extension Scenario {
    /// The rides: arrivals and stages drawn from distributions, or both read from a trace.
    public struct Rides: Hashable, Sendable {
        /// The factor on arrivals: on the rates and counts of a process; a trace is thinned below 1 and repeated above
        /// it.
        public var scale = 1.0
        /// The arrivals, unless there is a trace.
        public var arrivals = Arrivals()
        /// The stages of a ride in order; the ride ends with the last one.
        public var stages: [Stage] = [Stage(name: "ride", duration: .constant(20 * 60e6))]
        /// Rides that are cancelled before a stage is over.
        public var cancellation = Cancellation()
        /// Rides that their drivers drop.
        public var rematching = Rematching()
        /// Rides with several stops; nil if each ride passes through each stage once.
        public var stops: Stops?
        /// Rides that are booked ahead; nil if none is.
        public var booked: Booked?
        /// Further rides of the same rider; nil if each ride has a phone of its own.
        public var again: Again?
        /// Real rides instead of drawn ones.
        public var trace: Trace?

        /// Creates the default rides.
        public init() {}
    }

    /// The arrival process.
    public enum ArrivalProcess: String, CaseIterable, Sendable {
        /// A Poisson process with a rate that is constant within each rate interval.
        case poisson
        /// A fixed number, evenly spaced: at one instant when the spread is zero.
        case even
    }

    /// The arrivals of rides.
    public struct Arrivals: Hashable, Sendable {
        /// The arrival process.
        public var process = ArrivalProcess.poisson
        /// Rides per hour in successive rate intervals, repeated in a cycle (process `poisson`).
        public var ratesPerHour: [Double] = [60]
        /// The length of a rate interval (process `poisson`).
        public var rateInterval: TimeSpan = .hours(1)
        /// The number of rides (process `even`).
        public var count = 1
        /// The first arrival (process `even`).
        public var at: TimeSpan = .zero
        /// The time over which arrivals are evenly spaced (process `even`).
        public var spread: TimeSpan = .zero
        /// The cities among which requests are divided (process `poisson`); if empty, results have no cities.
        public var cities: [City] = []

        /// Creates the default arrivals.
        public init() {}
    }

    /// A city with a share of the requests and a daily curve.
    public struct City: Hashable, Sendable {
        /// The city's name, for scopes.
        public var name: String
        /// Its share of all requests; the shares of all cities add up to one.
        public var share: Probability
        /// The offset of its local time from the run's clock; negative if its local time is earlier.
        public var timeZone: TimeSpan = .zero
        /// Its daily curve: the relative rates of successive rate intervals of its local time, repeated in a cycle; nil
        /// to use the curve of ``Arrivals/ratesPerHour``.
        public var curve: [Double]?

        /// The maximum number of cities in a scenario.
        public static let most = 64

        /// Creates a city.
        public init(name: String, share: Probability) {
            self.name = name
            self.share = share
        }
    }

    /// One stage of a ride.
    public struct Stage: Hashable, Sendable {
        /// The stage's name, for scopes and histories.
        public var name: String
        /// The length of the stage.
        public var duration: Distribution
        /// The time between ETA refreshes in this stage; nil takes `content.refresh`.
        public var refresh: Distribution?
        /// The rank, 0...7, of updates generated in this stage in the sender's queue; nil takes the rank in
        /// ``Sender/ranks``.
        public var rank: Int?
        /// The size of content of this stage without a photo [bytes]; nil takes `content.payload.bytes`.
        public var payloadBytes: Distribution?
        /// `true` if the first update of the stage carries an alert, which lights the screen up and sounds.
        public var alert = false

        /// Creates a stage.
        public init(name: String, duration: Distribution, refresh: Distribution? = nil) {
            self.name = name
            self.duration = duration
            self.refresh = refresh
        }
    }

    /// Rides that the rider cancels.
    ///
    /// A share of rides has a cancellation time, counted from the request. It takes effect only before the end of stage
    /// ``untilStage``, so the share of rides that are actually cancelled is smaller. It is reported.
    public struct Cancellation: Hashable, Sendable {
        /// The share of rides that would be cancelled if nothing came first.
        public var share = Probability.never
        /// The time from the request to the cancellation.
        public var after: Distribution = .constant(60e6)
        /// The last stage in which a ride can be cancelled; empty for the last stage of the ride.
        public var untilStage = ""

        /// Creates settings without cancellations.
        public init() {}
    }

    /// Rides that their drivers drop, and that then wait for another driver.
    ///
    /// Each driver drops a share of the rides, at a time ``after`` the beginning of stage ``fromStage``. The drop takes
    /// effect only if it comes before the end of that stage and before a cancellation. The ride returns to ``toStage``,
    /// and every stage from there on gets a new duration.
    public struct Rematching: Hashable, Sendable {
        /// The share of rides that a driver would drop if nothing came first, below 1.
        public var share = Probability.never
        /// The time from the beginning of ``fromStage`` to the drop.
        public var after: Distribution = .constant(60e6)
        /// The stage in which a driver may drop the ride; empty for the one after ``toStage``.
        public var fromStage = ""
        /// The stage, before ``fromStage``, that the ride returns to; empty for the first.
        public var toStage = ""

        /// Creates settings in which no driver drops a ride.
        public init() {}
    }

    /// Rides with several stops: after a stage, a share of rides goes back to a stage and goes on from there.
    ///
    /// Every stage from there on gets a new duration, and is announced like any other stage.
    public struct Stops: Hashable, Sendable {
        /// The maximum of ``most``.
        public static let mostStops = 15

        /// The share of rides that make another stop, each time that ``fromStage`` is over.
        public var share: Probability
        /// The maximum number of additional stops of a ride, 1...``mostStops``.
        public var most = 1
        /// The stage after which a ride may go back; empty for the last.
        public var fromStage = ""
        /// The stage that it goes back to, not after ``fromStage``; empty for ``fromStage`` itself.
        public var toStage = ""

        /// Creates settings for rides with at most one additional stop.
        public init(share: Probability) { self.share = share }

        /// The expected number of additional stops of a ride.
        package var stopsPerRide: Double {
            (0..<most)
                .reduce((sum: 0.0, share: share.fraction)) { so, _ in
                    (so.sum + so.share, so.share * share.fraction)
                }
                .sum
        }
    }

    /// Rides that are booked ahead: the app is not in use when they begin.
    public struct Booked: Hashable, Sendable {
        /// The share of rides.
        public var share: Probability
        /// The time from the booking to the beginning of the ride, which is its request.
        public var ahead: Distribution = .constant(8 * 3600e6)

        /// Creates settings with the default time.
        public init(share: Probability) { self.share = share }
    }

    /// Riders who book another ride some time after the last one has ended, on the same phone.
    public struct Again: Hashable, Sendable {
        /// The maximum of ``most``; a ride's number has room for no more.
        public static let mostRides = 10

        /// The share of rides after which their rider books another.
        public var share: Probability
        /// The time from the end of a ride to the rider's next request.
        public var after: Distribution = .constant(30 * 60e6)
        /// The maximum number of a rider's rides, 2...``mostRides``.
        public var most = 2

        /// Creates settings for riders with at most two rides.
        public init(share: Probability) { self.share = share }

        /// The expected number of rides of a rider who has one, if the run has time for all.
        package var ridesPerRider: Double {
            (0..<most).reduce((sum: 0.0, share: 1.0)) { so, _ in (so.sum + so.share, so.share * share.fraction) }.sum
        }
    }

    /// A trace: a file of real rides.
    ///
    /// See `RideTraceReader` for its columns and repairs.
    public struct Trace: Hashable, Sendable {
        /// The file; its path is relative to the scenario file or to the working directory, in this order.
        public var file: String
        /// Keeps only the rides of this provider, by name or licence number; empty keeps all.
        public var provider = ""
        /// The maximum length of a ride from request to drop-off; longer rides are omitted as unclean.
        public var longestRide: TimeSpan = .hours(6)
        /// The maximum share of rows that may be omitted as unclean; with more, the file is rejected.
        public var mostBadRows: Probability = Probability(0.2)
        /// The names of columns that differ from the known names.
        public var columns = TraceColumns()
        /// The order of day and month in dates such as `05/06/2026`; nil to detect it from the whole file.
        public var dates: DateOrder?
        /// The IANA time zone of times without an offset, for their clock changes; empty if it is unknown.
        public var timeZone = ""
        /// `true` if all requests are moved to one day, by their time of day; otherwise the run starts at the first
        /// request.
        public var foldOntoOneDay = false
        /// The rides in order of request; set by the reader.
        public var rides: [TracedRide] = []
        /// The rows that the reader kept, repaired and omitted; set by the reader.
        public var cleaning = TraceCleaning()

        /// Creates a trace that has yet to be read.
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
        /// The name of the ride, by which a file of estimates refers to it.
        public var ride = ""
        public var provider = ""
        /// The outcome: completed or cancelled.
        public var status = ""
        public var requestTime = ""
        /// The time at which a driver accepted the ride.
        public var acceptedTime = ""
        /// The time at which the driver arrived at the pickup.
        public var driverArrivedTime = ""
        /// The time at which the rider got in.
        public var pickupTime = ""
        /// The time at which the rider got out.
        public var dropoffTime = ""
        /// The time at which the ride was cancelled.
        public var cancelledTime = ""

        /// Creates columns with the known names.
        public init() {}
    }
}

extension Scenario.Arrivals {
    /// The rides per hour in successive rate intervals of local time, by city; without cities, only ``ratesPerHour``.
    ///
    /// Over a cycle of its curve, a city has its share of the mean rate. The shares are normalized, because their sum
    /// may differ from one by rounding.
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

    /// `true` if the rate of a Poisson process never changes.
    package var hasConstantRate: Bool { ratesByCity.allSatisfy { Set($0).count == 1 } }
}

extension Scenario.Rides {
    /// The stage after which a ride may make another stop, and the stage that it goes back to; nil without stops.
    ///
    /// Until the scenario is validated, the indices may be in the wrong order.
    public var stoppingStages: (from: Int, to: Int)? {
        guard let stops else { return nil }
        let from = stages.firstIndex { $0.name == stops.fromStage } ?? stages.count - 1
        return (from, stages.firstIndex { $0.name == stops.toStage } ?? from)
    }

    /// The stage in which a driver may drop a ride and the stage that it returns to; nil if no driver drops rides.
    ///
    /// Until the scenario is validated, the indices may be past the last stage or in the wrong order.
    public var rematchingStages: (from: Int, to: Int)? {
        guard rematching.share != .never else { return nil }
        let to = stages.firstIndex { $0.name == rematching.toStage } ?? 0
        let from = stages.firstIndex { $0.name == rematching.fromStage } ?? to + 1
        return (from, to)
    }
}

/// One ride of a trace: the times at which its stage changed.
///
/// A month of a city has twenty million rides, so all fields are stored inline: 56 bytes.
public struct TracedRide: Hashable, BitwiseCopyable, Sendable {
    /// The request, from the start of the run.
    public var request: Instant
    /// The lengths of the stages [µs]: the low 32 bits of two stages in each word, and the next 8 bits of all.
    private var (first, second, third, fourth, high) = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    /// The number of the ride in the file of estimates, from 1; 0 if it has none.
    public var estimates: UInt32
    private var storedStageCount: UInt8 = 0
    /// `true` if the ride was cancelled at the end of its last stage.
    public var isCancelled: Bool

    /// The maximum number of stages of a ride from a trace.
    public static let mostStages = 8
    /// The maximum length of a stage of a ride from a trace.
    public static let longestStage = TimeSpan.hours(7 * 24)

    /// Creates a ride.
    ///
    /// - Parameter stages: The lengths of the scenario's stages in order; a cancelled ride has only the stages it
    ///   began.
    /// - Precondition: There are at most ``mostStages``, none negative or longer than ``longestStage``.
    public init(request: Instant, stages: some Collection<TimeSpan>, isCancelled: Bool, estimates: UInt32 = 0) {
        precondition(stages.count <= Self.mostStages, "a traced ride of \(stages.count) stages")
        self.request = request
        self.isCancelled = isCancelled
        self.estimates = estimates
        for stage in stages { append(stage) }
    }

    private mutating func append(_ stage: TimeSpan) {
        precondition((.zero...Self.longestStage).contains(stage), "a stage of \(stage.microseconds) µs")
        let length = UInt64(stage.microseconds)
        let low = (length & 0xFFFF_FFFF) << UInt64((storedStageCount & 1) * 32)
        switch storedStageCount >> 1 {
        case 0: first |= low
        case 1: second |= low
        case 2: third |= low
        default: fourth |= low
        }
        high |= (length >> 32) << UInt64(storedStageCount * 8)
        storedStageCount += 1
    }

    /// The number of stages.
    public var stageCount: Int { Int(storedStageCount) }

    /// The length of a stage; zero if the ride has no such stage.
    public func duration(ofStage stage: Int) -> TimeSpan {
        let pair =
            switch stage >> 1 {
            case 0: first
            case 1: second
            case 2: third
            case 3: fourth
            default: UInt64(0)
            }
        let low = (pair >> ((stage & 1) * 32)) & 0xFFFF_FFFF
        // A shift by more than the width gives 0.
        let upper = (high >> (stage * 8)) & 0xFF
        return TimeSpan(microseconds: Int64(upper << 32 | low))
    }

    /// The lengths of its stages.
    public var stages: [TimeSpan] { (0..<stageCount).map(duration) }
}

/// The numbers of rows that a reader of a trace kept, repaired and omitted.
public struct TraceCleaning: Hashable, Sendable {
    /// Data rows in the file.
    public var read = 0
    /// Rows that became rides.
    public var kept = 0
    /// Rows of another provider.
    public var otherProvider = 0
    /// Rows that were repaired, by reason, in the order in which the repairs are tried.
    public var repaired: [Count] = []
    /// Rows that were omitted, by reason.
    public var leftOut: [Count] = []
    /// Additional remarks on the rides, one sentence each: times without a column, a clock change.
    public var remarks: [String] = []
    /// The local time of the first request since 1970-01-01T00:00:00 [µs]; nil without rides.
    public var firstRequest: Int64?

    /// The number of rows with one defect.
    public struct Count: Hashable, Sendable {
        /// The defect, as a short name with underscores.
        public var reason: String
        /// The number of rows.
        public var rows: Int
        /// The line of the first row; 0 if unknown.
        public var firstLine: Int

        /// Creates a count of rows.
        public init(reason: String, rows: Int, firstLine: Int = 0) {
            self.reason = reason
            self.rows = rows
            self.firstLine = firstLine
        }
    }

    /// Creates empty counts.
    public init() {}
}
