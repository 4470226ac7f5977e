import Evaluation
import Histogram
import LoadGenerator
import Quantities
import Reporting
import Results

/// The time series of a load on an APNs endpoint, second by second.
extension LoadAPNsOutcome {
    /// A second of the load, or its measured part.
    struct Window {
        /// Its beginning, since the beginning of the load [µs].
        let start: Int64
        /// Its length [µs].
        let length: Int64
        /// The number of pushes that the plan has in it; nil without a plan.
        let asked: Int?
        /// The outcomes of the requests that were due in it.
        var due: LoadTally.Second
        /// The outcomes that became known in it, of requests that were due in it or earlier.
        var learnt: LoadTally.Outcomes

        /// The latency of a percentage of the requests that were due in it [µs]; nil without an answer.
        func latency(_ percent: Double) -> Int? {
            due.latency.totalCount > 0 ? Int(due.latency.valueAtPercentile(percent)) : nil
        }
    }

    /// The seconds from the end of the warm-up to the last outcome.
    ///
    /// The seconds in which the warm-up or the plan ends are cut there, so that rates are those of the load.
    var windows: [Window] {
        let planned = Int((duration.microseconds + 999_999) / 1_000_000)
        let count = max(tally.seconds.count, tally.outcomes.count, planned)
        return (0..<count).compactMap { window($0, isLast: $0 == count - 1) }
    }

    /// A second by its number, from 0; nil if no part of it was measured.
    private func window(_ index: Int, isLast: Bool) -> Window? {
        let end = duration.microseconds
        let begin = Int64(index) * 1_000_000
        let start = max(begin, warmUp.microseconds)
        var stop = begin + 1_000_000
        if isLast, start < end { stop = min(stop, end) }
        guard start < stop else { return nil }
        return Window(
            start: start,
            length: stop - start,
            // A push due at the start of a second belongs to it; a push due after an early end belongs to none.
            asked: plan.map { plan in
                dueCount(of: plan, at: max(start, min(stop, end)) * 1000 - 1)
                    - dueCount(of: plan, at: start * 1000 - 1)
            },
            due: index < tally.seconds.count ? tally.seconds[index] : LoadTally.Second(),
            learnt: index < tally.outcomes.count ? tally.outcomes[index] : LoadTally.Outcomes()
        )
    }

    /// The seconds as charts show them.
    ///
    /// The last answers arrive after the plan's end. If they are few, they are drawn in its last second, because a second of
    /// their own would look as if the endpoint had stopped.
    ///
    /// - Parameter hopedFor: The label of successful requests.
    func course(_ windows: [Window], done hopedFor: String = "accepted") -> LoadCourse {
        var windows = windows
        let busiest = windows.map(\.learnt.total).max() ?? 0
        while windows.count > 1, let last = windows.last, last.start >= duration.microseconds,
            last.learnt.total * 100 <= busiest
        {
            windows.removeLast()
            windows[windows.count - 1].learnt.add(last.learnt)
            windows[windows.count - 1].due.add(last.due)
        }
        let reasons = tally.learnt.reasons.keys.sorted()
        var course = LoadCourse(
            items: "requests",
            done: "answered",
            outcomes: [hopedFor] + reasons + [
                "no answer in time", "not sent in time", "connection lost", "not processed",
            ],
            windows: windows.map { drawn($0, reasons: reasons) },
            percentile99: tally.latency.totalCount > 0 ? Double(tally.latency.valueAtPercentile(99)) : nil
        )
        course.countsByDueTime = true
        return course
    }

    private func drawn(_ window: Window, reasons: [String]) -> LoadCourse.Window {
        let outcomes = window.due.learnt
        let refused = reasons.map { outcomes.reasons[$0] ?? 0 }
        return LoadCourse.Window(
            start: window.start,
            length: window.length,
            asked: window.start < duration.microseconds ? window.asked : nil,
            done: window.learnt.answered,
            latency: LoadCourse.Latency(window.due.latency),
            outcomes: [outcomes.accepted] + refused + [
                outcomes.timedOut, outcomes.notSent, outcomes.connectionLost, outcomes.notProcessed,
            ]
        )
    }
}

extension LoadReport {
    /// Sets the time series.
    ///
    /// - Parameter columns: The names of the columns, each with its value in a window; nil if it is undefined.
    mutating func setSeries(
        of windows: [LoadAPNsOutcome.Window],
        _ columns: [(name: String, value: (LoadAPNsOutcome.Window) -> Int?)]
    ) {
        results.series = RecordedResults.Series(
            columns.map(\.name),
            windows.map { window in
                (window.start, window.length, columns.map { column in column.value(window).map { Int64($0) } })
            }
        )
    }
}
