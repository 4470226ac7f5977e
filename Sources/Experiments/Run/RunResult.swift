public import LiveActivityModel
public import Quantities
public import SimulationKernel

/// What one cell did in one replication.
public struct CellResult: Sendable {
    /// Which replication, counted from 0.
    public let replication: Int
    /// Which cell, counted from 0.
    public let cell: Int
    /// What was measured.
    public let measurements: Measurements
    /// The hash of the cell's history.
    public let fingerprint: Fingerprint

    /// What was run elsewhere than in the engine.
    public init(replication: Int, cell: Int, measurements: Measurements, fingerprint: Fingerprint) {
        self.replication = replication
        self.cell = cell
        self.measurements = measurements
        self.fingerprint = fingerprint
    }
}

/// What a whole run did: every cell of every replication, in order.
public struct RunResult: Sendable {
    /// The scenario that was run.
    public let scenario: Scenario
    /// Replications.
    public let replications: Int
    /// The cells of the only replication; none where there are several, or only sums over cells were kept.
    public let cells: [CellResult]
    /// The hash of each cell's history, by replication, then by cell.
    public let fingerprints: [Fingerprint]
    /// How precise the metric of `replications.until` has become; nil without such a wish.
    public let precision: PrecisionReached?

    /// How it was run in real time; nil for a simulation.
    public var realTime: RealTime?

    /// Parts of the run that were measured by themselves, as many as were asked for.
    public internal(set) var stretches: [Stretch] = []

    /// A part of a run, measured by itself: what ``SummaryRow`` can say of the whole it can say of the part.
    public struct Stretch: Sendable {
        /// From the start of the run, the end not included.
        public let window: Range<TimeSpan>
        /// What was measured in it, over the same replications and cells.
        public let result: RunResult
    }

    /// All cells of all replications added up.
    public let total: Measurements
    /// The cells of each replication added up.
    public let perReplication: ReplicationSums

    /// The result of replications that have run.
    ///
    /// - Precondition: There is at least one.
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

    /// The result of a run in which there is one history.
    ///
    /// - Parameter cells: All of its cells, in order.
    public init(scenario: Scenario, cells: [CellResult]) {
        var replications = ReplicationResults()
        replications.append(cells)
        self.init(scenario: scenario, replications)
    }

    /// A sum over all replications as people read it: that of one replication, on average.
    public func perReplication(_ sum: Int64) -> Double { Double(sum) / Double(max(1, replications)) }

    /// The hash of the whole run's history.
    public var fingerprint: Fingerprint {
        var combined = Fingerprint()
        for fingerprint in fingerprints {
            combined.combine(fingerprint.value)
        }
        return combined
    }

    /// Independent, equally distributed parts of the run, from whose differences intervals are taken: replications if
    /// there are at least two, else cells, which differ only in the rides that hash to them.
    ///
    /// The members of an antithetic pair depend on each other by design, so the pair is one part.
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

    /// What intervals rest on.
    public enum IntervalBasis: Hashable, Sendable {
        case replications
        case antitheticPairs
        /// The differences between the cells of the only replication.
        case cells
        /// Batches of windows of the only replication of the only cell; for shares of time alone.
        case windows
    }

    /// What this run's intervals rest on.
    public var intervalBasis: IntervalBasis {
        if replications > 1 { return scenario.replications.antithetic ? .antitheticPairs : .replications }
        return cells.count > 1 ? .cells : .windows
    }
}

/// How a run in real time was made, which a simulation has nothing of.
public struct RealTime: Sendable {
    /// How much faster than wall-clock time.
    public var speed: Double
    /// What played APNs: `in_process`, `stand_in` or `endpoint`.
    public var apns: String
    /// Whether it was told what became of each push, and did not draw that by the scenario.
    public var isObserved: Bool
    /// How many requests were sent.
    public var requests: Int
    /// How late the driver itself handed requests over.
    public var lateness: DriverLateness
    /// That it was ended before its time; nil for one that ran to its end.
    public var earlyEnd: EarlyEndMark?

    /// How a run was made.
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
