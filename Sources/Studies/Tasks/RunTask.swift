import Evaluation
import LiveActivityModel
import ScenarioLanguage
import SimulationKernel

/// A piece of a run or a sweep that can be done anywhere: some cells of one replication of one design point.
public struct RunTask: Hashable, Sendable {
    /// The design point, counted from 0 in the order of the design.
    public let point: Int
    /// The replication, counted from 0.
    public let replication: Int
    /// The cells, counted from 0.
    public let cells: Range<Int>
    /// `true` if the measurements of each cell are kept separately, for intervals of a single replication.
    let keepsCells: Bool
    /// The name of the result: a hash of everything that determines it.
    let id: TaskID

    init(_ point: DesignPoint, replication: Int, cells: Range<Int>, keepsCells: Bool) {
        self.point = point.number
        self.replication = replication
        self.cells = cells
        self.keepsCells = keepsCells
        id = TaskID(run: point.run, replication: replication, cells: cells, keepsCells: keepsCells)
    }
}

/// The hash of everything that determines a task's result: scenario, seed, data, replication and cells.
///
/// Two design points with the same resolved scenario share their tasks; so do a sweep and a later, wider version of it.
struct TaskID: Hashable, Sendable, CustomStringConvertible {
    /// The hash.
    let value: UInt64

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
    var description: String { value.hexadecimal }
}

/// The result of a task.
struct TaskResult: Hashable, Sendable {
    /// The replication, counted from 0.
    let replication: Int
    /// The cells, counted from 0.
    let cells: Range<Int>
    /// The hash of each cell's history, in the order of the cells.
    let fingerprints: [Fingerprint]
    /// The measurements of each cell, or one sum if cells are not kept separately.
    let measurements: [Measurements]

    /// Creates a result from parts that belong together.
    ///
    /// - Precondition: There is a fingerprint for each cell, and measurements for each cell or one sum.
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

    /// Creates the result of cells that have run.
    ///
    /// - Parameter keepsCells: `true` to keep their measurements separately, false to add them up.
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
