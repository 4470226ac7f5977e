import Evaluation
import LiveActivityModel
import Quantities

/// The load on the senders in an interval of a run, over all cells.
struct SenderStep {
    let step: TimeSteps.Step
    /// Requests that began, summed over the replications.
    let requests: Int64
    /// The largest number of streams in use in a replication.
    ///
    /// The peaks of cells within the same second are added, as for ``mostQueued``, so both are upper bounds.
    let mostStreams: Int64
    /// The largest length of the queue in a replication.
    let mostQueued: Int64
    /// The p99 of the waits of pushes that were sent or given up in the interval [µs]; nil without any.
    let waitP99: Int64?
    /// The length of the interval, summed over the replications [µs].
    private let time: Double
    private let cells: Double

    init(_ step: TimeSteps.Step, of result: RunResult) {
        self.step = step
        let measured = result.total
        requests = SeriesColumn.requests.reduce(0) { $0 + step[$1] }
        mostStreams = measured.senderCourse.mostStreams(in: step.windows)
        mostQueued = measured.senderCourse.mostQueued(in: step.windows)
        waitP99 = measured.waits(in: step.windows).quantile(0.99)
        time = Double(max(1, step.length.microseconds)) * Double(max(1, result.replications))
        cells = Double(max(1, result.scenario.cells))
    }

    var requestsPerSecond: Double { perSecond(requests) }
    /// The mean number of streams in use, over all cells.
    var meanStreams: Double { Double(step[.busyTime]) / time }
    /// The mean length of the queue, over all cells.
    var meanQueued: Double { Double(step[.queuedTime]) / time }
    /// Returns a sum over the interval as a rate of one replication [1/s].
    func perSecond(_ count: Int64) -> Double { Double(count) / time * 1e6 }
    /// The share of the time in which a cell had no free stream, a mean over the cells.
    var fullShare: Double { Double(step[.saturatedTime]) / (time * cells) }
    /// The share of the time in which a push waited in a cell, a mean over the cells.
    var waitingShare: Double { Double(step[.waitingTime]) / (time * cells) }
}
