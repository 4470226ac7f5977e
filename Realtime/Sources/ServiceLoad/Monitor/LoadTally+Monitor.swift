package import LoadGenerator
import NIOCore
package import Wire

extension LoadTally {
    /// A tally of requests to a monitor.
    package static var ofMonitor: LoadTally { LoadTally(kinds: MonitorOperations.kinds.map(\.rawValue)) }

    /// Records a request to a monitor.
    ///
    /// - Parameter offset: Its due time since the beginning of the load [ns]; nil if no time series is kept.
    package mutating func record(
        _ kind: MonitorRoute,
        _ outcome: APNsOutcome,
        microseconds: Int64,
        dueAfter offset: Int64? = nil
    ) {
        let done = NIODeadline.now()
        let due = done - .microseconds(microseconds)
        let completion = APNsCompletion(number: 0, outcome: outcome, due: due, sent: nil, done: done)
        record(completion, kind: MonitorOperations.kinds.firstIndex(of: kind), dueAfter: offset)
    }
}
