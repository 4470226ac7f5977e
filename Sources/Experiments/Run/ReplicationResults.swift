import LiveActivityModel
public import SimulationKernel

/// What whole replications did, each with its cells added up.
///
/// The seconds of the load, and but for the first replication the cells, are let go as soon as a replication is complete: a
/// thousand replications of many cells take little more memory than a hundred of one.
public struct ReplicationResults: Sendable {
    /// The cells of each replication added up.
    public private(set) var sums = ReplicationSums()
    /// The hash of each cell's history, by replication, then by cell.
    public private(set) var fingerprints: [Fingerprint] = []
    /// The cells of the first replication, from whose differences intervals come as long as it is the only one, and for a
    /// prefix that has only it; none where only sums over cells were kept.
    private(set) var firstCells: [CellResult] = []

    /// None yet.
    public init() {}

    /// How many there are.
    public var count: Int { sums.count }

    /// One more replication.
    ///
    /// - Parameter cells: All of its cells, in order.
    public mutating func append(_ cells: [CellResult]) {
        if sums.isEmpty { firstCells = cells }
        append(sum: Measurements.sum(cells.map(\.measurements)), cells.map(\.fingerprint))
    }

    /// One more replication that was done in tasks.
    ///
    /// - Parameter parts: Those with all of its cells, in order.
    mutating func append(_ parts: [TaskResult]) {
        if sums.isEmpty, parts.allSatisfy({ $0.measurements.count == $0.cells.count }) {
            firstCells = parts.flatMap { part in
                part.cells.enumerated()
                    .map { index, cell in
                        CellResult(
                            replication: 0,
                            cell: cell,
                            measurements: part.measurements[index],
                            fingerprint: part.fingerprints[index]
                        )
                    }
            }
        }
        append(sum: Measurements.sum(parts.flatMap(\.measurements)), parts.flatMap(\.fingerprints))
    }

    private mutating func append(sum: Measurements, _ fingerprints: [Fingerprint]) {
        var sum = sum
        sum.settle()
        sums.append(sum)
        self.fingerprints += fingerprints
    }

    /// The first of them.
    public func prefix(_ count: Int) -> ReplicationResults {
        precondition(count <= sums.count, "there are fewer replications")
        guard count < sums.count else { return self }
        var first = self
        first.sums = sums.first(count)
        first.fingerprints.removeLast(fingerprints.count / sums.count * (sums.count - count))
        return first
    }
}
