public import InputFiles
public import LiveActivityModel
public import Quantities
public import SimulationKernel

/// The result of one cell in one replication.
public struct CellResult: Sendable {
    /// The replication, counted from 0.
    public let replication: Int
    /// The cell, counted from 0.
    public let cell: Int
    public let measurements: Measurements
    /// The hash of the cell's history.
    public let fingerprint: Fingerprint

    /// Creates the result of a cell that ran outside of the engine.
    public init(replication: Int, cell: Int, measurements: Measurements, fingerprint: Fingerprint) {
        self.replication = replication
        self.cell = cell
        self.measurements = measurements
        self.fingerprint = fingerprint
    }
}

/// The result of a whole run: every cell of every replication, in order.
public struct RunResult: Sendable {
    @Boxed public private(set) var scenario: Scenario
    /// The number of replications.
    public let replications: Int
    /// The cells of the only replication; empty if there are several, or if only sums over cells were kept.
    public let cells: [CellResult]
    /// The hash of each cell's history, by replication, then by cell.
    public let fingerprints: [Fingerprint]
    /// The precision reached for `replications.until`; nil if none was requested.
    public let precision: PrecisionReached?

    /// Facts about a run in real time; nil for a simulation.
    public var realTime: RealTime?

    /// Parts of the run that were measured separately, as requested.
    public package(set) var stretches: [Stretch] = []

    /// A part of a run, measured separately.
    ///
    /// Every ``SummaryRow`` of the whole exists for the part too.
    public struct Stretch: Sendable {
        /// The window from the start of the run, without its end.
        public let window: Range<TimeSpan>
        /// The measurements in it, over the same replications and cells.
        public let result: RunResult

        /// Creates the measurements of a part of a run.
        package init(window: Range<TimeSpan>, result: RunResult) {
            self.window = window
            self.result = result
        }
    }

    /// The sum over all cells of all replications.
    @Boxed public private(set) var total: Measurements
    /// The sum over the cells of each replication.
    @Boxed public private(set) var perReplication: ReplicationSums

    /// Creates the result of finished replications.
    ///
    /// - Precondition: There is at least one replication.
    public init(scenario: Scenario, _ replications: ReplicationResults, precision: PrecisionReached? = nil) {
        self.scenario = scenario
        self.replications = replications.count
        self.precision = precision
        cells = replications.count > 1 ? [] : replications.firstCells
        fingerprints = replications.fingerprints
        perReplication = replications.sums
        guard let sum = replications.sums.total else { preconditionFailure("a run has a replication") }
        total = sum
    }

    /// Creates the result of a run with a single replication.
    ///
    /// - Parameter cells: All of its cells, in order.
    public init(scenario: Scenario, cells: [CellResult]) {
        var replications = ReplicationResults()
        replications.append(cells)
        self.init(scenario: scenario, replications)
    }

    /// Converts a sum over all replications to the mean per replication, for people.
    public func perReplication(_ sum: Int64) -> Double { Double(sum) / Double(max(1, replications)) }

    /// The hash of the whole run's history.
    public var fingerprint: Fingerprint {
        var combined = Fingerprint()
        for fingerprint in fingerprints {
            combined.combine(fingerprint.value)
        }
        return combined
    }

    /// Independent, identically distributed parts of the run, from whose differences intervals are computed.
    ///
    /// They are the replications if there are at least two. Otherwise they are the cells, which differ only in the
    /// rides that hash to them.
    ///
    /// The members of an antithetic pair depend on each other by design, so a pair is one part.
    public var batches: LazyMapCollection<Range<Int>, Measurements> {
        switch intervalBasis {
        case .replications:
            (0..<perReplication.count).lazy.map { [perReplication] in perReplication[$0] }
        case .antitheticPairs:
            (0..<perReplication.count / 2).lazy
                .map { [perReplication] in Measurements.sum([perReplication[2 * $0], perReplication[2 * $0 + 1]]) }
        case .cells, .windows:
            cells.indices.lazy.map { [cells] in cells[$0].measurements }
        }
    }

    /// The basis of intervals.
    public enum IntervalBasis: Hashable, Sendable {
        case replications
        case antitheticPairs
        /// The differences between the cells of the only replication.
        case cells
        /// Batches of windows of the only replication of the only cell; only for shares of time.
        case windows
    }

    /// The basis of this run's intervals.
    public var intervalBasis: IntervalBasis {
        if replications > 1 { return scenario.replications.antithetic ? .antitheticPairs : .replications }
        return cells.count > 1 ? .cells : .windows
    }
}

/// Facts about a run in real time that a simulation lacks.
public struct RealTime: Sendable {
    /// The speed relative to wall-clock time.
    public var speed: Double
    /// The implementation of APNs: `in_process`, `stand_in` or `endpoint`.
    public var apns: String
    /// `true` if the outcome of each push was reported to it instead of drawn from the scenario.
    public var isObserved: Bool
    /// The number of requests sent.
    public var requests: Int
    /// The lateness of the driver in handing requests over.
    public var lateness: DriverLateness
    /// The early end; nil if the run was complete.
    public var earlyEnd: EarlyEndMark?

    /// Creates the facts about a run.
    public init(
        speed: Double,
        apns: String,
        isObserved: Bool,
        requests: Int,
        lateness: DriverLateness
    ) {
        self.speed = speed
        self.apns = apns
        self.isObserved = isObserved
        self.requests = requests
        self.lateness = lateness
    }
}

/// The results of whole replications, each summed over its cells.
///
/// The seconds of the load are dropped as soon as a replication is complete, and so are the cells except for the first
/// replication. A thousand replications of many cells take little more memory than a hundred replications of one.
public struct ReplicationResults: Sendable {
    /// The sum over the cells of each replication.
    public private(set) var sums = ReplicationSums()
    /// The hash of each cell's history, by replication, then by cell.
    public private(set) var fingerprints: [Fingerprint] = []
    /// The cells of the first replication, for intervals while it is the only one, also in a prefix of length 1.
    ///
    /// Empty if only sums over cells were kept.
    private(set) var firstCells: [CellResult] = []

    /// Creates empty results.
    public init() {}

    /// The number of replications.
    public var count: Int { sums.count }

    /// Appends a replication.
    ///
    /// - Parameter cells: All of its cells, in order.
    public mutating func append(_ cells: [CellResult]) {
        if sums.isEmpty { firstCells = cells }
        append(sum: Measurements.sum(cells.map(\.measurements)), cells.map(\.fingerprint))
    }

    /// Appends a replication from parts that were summed elsewhere.
    ///
    /// - Parameters:
    ///   - parts: The parts of the replication, each the measurements of a cell or a sum over cells, in order.
    ///   - cells: All cells in order; empty if only sums are known.
    package mutating func append(parts: [Measurements], cells: [CellResult], _ fingerprints: [Fingerprint]) {
        if sums.isEmpty { firstCells = cells }
        append(sum: Measurements.sum(parts), fingerprints)
    }

    /// Creates the results of one cell, to read a few values from them.
    ///
    /// Its seconds are kept, because completing it would cost more than the values do.
    init(cell: CellResult) {
        (firstCells, fingerprints) = ([cell], [cell.fingerprint])
        sums.append(cell.measurements)
    }

    private mutating func append(sum: Measurements, _ fingerprints: [Fingerprint]) {
        var sum = sum
        sum.settle()
        sums.append(sum)
        self.fingerprints += fingerprints
    }

    /// Returns the first replications.
    public func prefix(_ count: Int) -> ReplicationResults {
        precondition(count <= sums.count, "there are fewer replications")
        guard count < sums.count else { return self }
        var first = self
        first.sums = sums.first(count)
        first.fingerprints.removeLast(fingerprints.count / sums.count * (sums.count - count))
        return first
    }
}
