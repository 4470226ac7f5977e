package import InputFiles
package import LiveActivityModel
package import SimulationKernel
import Synchronization

/// A cache of data files, so that the design points of a sweep read each of them once.
///
/// A file that changes in the meantime is not read again, so all points use the same data. Rides may fill much of the
/// memory, so only those that were read last are kept.
package final class DataFiles: Sendable {
    private struct State {
        var trace: KnownTrace?
        var estimates: EstimateFile?
        var reported: Set<String> = []
        var columns: [Column: [Int64]] = [:]
    }

    private struct KnownTrace {
        let path: String
        let asked: Scenario.Trace
        let durations: [Distribution]
        let estimates: EstimateFile.Key?
        let read: Scenario.Trace
    }

    private struct Column: Hashable {
        let path: String
        let name: String
        let unit: EmpiricalColumn.Unit
    }

    private let state = Mutex(State())

    /// Creates an empty cache.
    package init() {}

    /// Returns a trace with the rides of a file.
    ///
    /// - Parameters:
    ///   - trace: The trace of the scenario, without rides.
    ///   - durations: The durations of the trace's stages.
    ///   - estimates: The recorded estimates of its rides; nil if there are none.
    package func trace(
        _ trace: Scenario.Trace,
        durations: [Distribution],
        estimates: EstimateFile? = nil,
        path: String,
        notify: (String) -> Void
    ) throws(DataFileError) -> Scenario.Trace {
        if let known = state.withLock({ $0.trace }), known.path == path, known.asked == trace,
            known.durations == durations, known.estimates == estimates?.key
        {
            return known.read
        }
        var read = trace
        (read.rides, read.cleaning) = try RideTraceReader.read(
            path: path,
            for: trace,
            durations: durations,
            estimates: estimates,
            notify: notify
        )
        let known = KnownTrace(
            path: path,
            asked: trace,
            durations: durations,
            estimates: estimates?.key,
            read: read
        )
        state.withLock { $0.trace = known }
        return read
    }

    /// Returns the recorded estimates of a file.
    package func estimates(_ key: EstimateFile.Key, notify: (String) -> Void) throws(DataFileError) -> EstimateFile {
        if let known = state.withLock({ $0.estimates }), known.key == key { return known }
        let read = try EstimateFile(key, notify: notify)
        state.withLock { $0.estimates = read }
        return read
    }

    /// Reports a text once only.
    package func notifyOnce(_ text: String, _ notify: (String) -> Void) {
        if state.withLock({ $0.reported.insert(text).inserted }) { notify(text) }
    }

    /// Returns the values of a column of a file, ascending.
    package func column(
        _ name: String,
        path: String,
        unit: EmpiricalColumn.Unit,
        notify: (String) -> Void
    ) throws(DataFileError) -> [Int64] {
        let column = Column(path: path, name: name, unit: unit)
        if let known = state.withLock({ $0.columns[column] }) { return known }
        let values = try EmpiricalColumn.read(path: path, column: name, unit: unit, notify: notify)
        state.withLock { $0.columns[column] = values }
        return values
    }
}
