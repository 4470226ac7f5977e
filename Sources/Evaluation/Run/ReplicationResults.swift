package import LiveActivityModel
public import SimulationKernel

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
