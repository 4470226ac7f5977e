import LiveActivityModel
import SimulationKernel

/// A piece of a run or of a sweep that is done by itself, anywhere: some cells of one replication of one design point.
public struct RunTask: Hashable, Sendable {
    /// Which design point, counted from 0 in the order of the design.
    public let point: Int
    /// Which replication, counted from 0.
    public let replication: Int
    /// Which cells, counted from 0.
    public let cells: Range<Int>
    /// Whether the measurements of each cell are kept apart, as intervals of a single replication need them.
    public let keepsCells: Bool
    /// What the result is filed under: a hash of all that determines it.
    public let id: TaskID

    init(_ point: DesignPoint, replication: Int, cells: Range<Int>, keepsCells: Bool) {
        self.point = point.number
        self.replication = replication
        self.cells = cells
        self.keepsCells = keepsCells
        id = TaskID(run: point.run, replication: replication, cells: cells, keepsCells: keepsCells)
    }
}

/// The hash of everything that determines what a task gives: scenario, seed, data, replication and cells.
///
/// Two design points that resolve to one scenario share their tasks; so do a sweep and a wider one made of it later.
public struct TaskID: Hashable, Sendable, CustomStringConvertible {
    /// The hash.
    public let value: UInt64

    init(run: RunID, replication: Int, cells: Range<Int>, keepsCells: Bool) {
        var hash = Fingerprint()
        hash.combine(UInt64(TaskFile.formatVersion))
        hash.combine(TaskFile.measures)
        hash.combine(run.value)
        hash.combine(UInt64(replication))
        hash.combine(UInt64(cells.lowerBound))
        hash.combine(UInt64(cells.upperBound))
        hash.combine(keepsCells ? 1 : 0)
        value = hash.value
    }

    /// Sixteen hexadecimal digits.
    public var description: String { value.hexadecimal }
}

/// What a task gave.
public struct TaskResult: Hashable, Sendable {
    /// Which replication, counted from 0.
    public let replication: Int
    /// Which cells, counted from 0.
    public let cells: Range<Int>
    /// The hash of each cell's history, in the order of the cells.
    let fingerprints: [Fingerprint]
    /// What each cell measured; or one sum, where cells are not kept apart.
    let measurements: [Measurements]

    /// A result as it is; its parts must belong together.
    ///
    /// - Precondition: A fingerprint for each cell; measurements for each, or one sum.
    init(replication: Int, cells: Range<Int>, fingerprints: [Fingerprint], measurements: [Measurements]) {
        precondition(fingerprints.count == cells.count, "a fingerprint for each cell")
        precondition(
            measurements.count == cells.count || measurements.count == 1,
            "measurements for each cell, or a sum"
        )
        self.replication = replication
        self.cells = cells
        self.fingerprints = fingerprints
        self.measurements = measurements
    }

    /// The result of cells that have run.
    ///
    /// - Parameter keepsCells: Whether their measurements are kept apart or added up.
    init(_ results: [CellResult], keepsCells: Bool) {
        precondition(!results.isEmpty, "a task has cells")
        let measurements = results.map(\.measurements)
        self.init(
            replication: results[0].replication,
            cells: results[0].cell..<(results[0].cell + results.count),
            fingerprints: results.map(\.fingerprint),
            measurements: keepsCells ? measurements : [Measurements.sum(measurements)]
        )
    }
}
