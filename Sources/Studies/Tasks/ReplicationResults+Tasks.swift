import Evaluation
import LiveActivityModel

extension ReplicationResults {
    /// Appends a replication from tasks.
    ///
    /// - Parameter parts: The results of the tasks, with all cells in order.
    mutating func append(_ parts: [TaskResult]) {
        var cells: [CellResult] = []
        if count == 0, parts.allSatisfy({ $0.measurements.count == $0.cells.count }) {
            cells = parts.flatMap { part in
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
        append(parts: parts.flatMap(\.measurements), cells: cells, parts.flatMap(\.fingerprints))
    }
}
