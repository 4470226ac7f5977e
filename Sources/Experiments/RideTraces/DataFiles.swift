import LiveActivityModel
import Synchronization

/// Data files that were read, so that the design points of a sweep read each of them once.
///
/// A file that changes meanwhile is not read again: all points are of the data as they were. Of rides, which may fill much of
/// the memory, only those that were read last are kept.
final class DataFiles: Sendable {
    private struct State {
        var trace: (path: String, as: Scenario.Trace, read: Scenario.Trace)?
        var columns: [Column: [Int64]] = [:]
    }

    private struct Column: Hashable {
        let path: String
        let name: String
        let unit: EmpiricalColumn.Unit
    }

    private let state = Mutex(State())

    /// A trace with the rides of a file.
    ///
    /// - Parameter trace: As it stands in the scenario, without rides.
    func trace(
        _ trace: Scenario.Trace,
        path: String,
        tell: (String) -> Void
    ) throws(DataFileError) -> Scenario.Trace {
        if let known = state.withLock({ $0.trace }), known.path == path, known.as == trace { return known.read }
        var read = trace
        (read.rides, read.cleaning) = try RideTraceReader.read(path: path, for: trace, tell: tell)
        let kept = read
        state.withLock { $0.trace = (path, trace, kept) }
        return read
    }

    /// The values of a column of a file, ascending.
    func column(_ name: String, path: String, unit: EmpiricalColumn.Unit) throws(DataFileError) -> [Int64] {
        let column = Column(path: path, name: name, unit: unit)
        if let known = state.withLock({ $0.columns[column] }) { return known }
        let values = try EmpiricalColumn.read(path: path, column: name, unit: unit)
        state.withLock { $0.columns[column] = values }
        return values
    }
}
