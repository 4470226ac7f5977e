import Dispatch
import LiveActivityModel
import LoadGenerator
import Quantities
import Reporting
import Shell
import Studies
import Synchronization

/// The event log of a load or of a scenario in real time, written beside its path and renamed at the end.
final class LoadEventLog: Sendable {
    private struct State {
        let part: EventLogSpool.Part
        var problem: (any Error)?
    }

    private let file: EventLogFile
    private let spool: EventLogSpool
    private let state: Mutex<State>
    /// Sorts and writes rows, so that the threads that hand them over keep their times.
    let consumer = DispatchQueue(label: "event log")

    /// A log without rows.
    ///
    /// - Throws: `EventLogFile.WriteError` if the log cannot be written, `ExportError` if Parquet cannot be written here.
    init(path: String) throws {
        file = EventLogFile(path)
        spool = try file.spool()
        state = Mutex(State(part: spool.part(firstCell: 0)))
    }

    /// Takes rows in any order; a file that cannot be written is reported at the end.
    ///
    /// - Parameter clock: The instant before which no row is still to come.
    private func take(_ rows: [ServerEvent], before clock: Instant) {
        state.withLock { state in
            do {
                if state.problem == nil { try state.part.take(rows, clock: clock) }
            } catch {
                state.problem = error
            }
        }
    }

    /// Takes rows for a load or a run, and returns at once.
    var taker: EventLogTaker {
        { [self] rows, clock in consumer.async { self.take(rows, before: clock) } }
    }

    /// Writes the log.
    ///
    /// - Parameter origin: The beginning of the load, in the time of the rows [µs since 1970].
    /// - Throws: `EventLogSpool.WriteError`, `ExportError`.
    func finish(stages: [String] = [], origin: Int64) throws {
        consumer.sync {}
        try state.withLock { state in
            if let problem = state.problem { throw problem }
            try state.part.finish()
        }
        try file.write(spool, stages: stages, origin: origin)
    }

    /// Writes the log, or reports the problem and returns `false`.
    func finishOrReport(stages: [String] = [], origin: Int64) -> Bool {
        do {
            try finish(stages: stages, origin: origin)
            return true
        } catch {
            printError("\(error)")
            return false
        }
    }
}
