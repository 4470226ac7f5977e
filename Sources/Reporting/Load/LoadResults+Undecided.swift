import Evaluation
import Results

/// Thresholds that are undecided because of requests in flight.
extension LoadResults {
    /// Marks thresholds as undecided that hold, or have no answers yet, and that requests in flight could still break.
    ///
    /// Without this, all thresholds would hold for an endpoint that never answers, since only answered requests have a
    /// latency.
    ///
    /// - Parameter inFlight: The number of requests that are due and have no answer yet.
    mutating func leaveUndecided(by inFlight: Int) {
        guard inFlight > 0 else { return }
        for index in outcomes.indices where isUndecided(outcomes[index], by: inFlight) {
            outcomes[index].undecidedBy = inFlight
        }
    }

    /// Returns the number of requests without an answer, as a sentence without its full stop.
    static func withoutAnswer(_ inFlight: Int) -> String {
        inFlight == 1
            ? "1 request has no answer yet" : "\(Format.count(Int64(inFlight))) requests have no answer yet"
    }

    private func isUndecided(_ outcome: CheckOutcome, by inFlight: Int) -> Bool {
        let (comparison, subject) = (outcome.check.comparison, outcome.check.comparison.response.text)
        func breaks(_ value: Double) -> Bool { !comparison.relation.holds(value, outcome.limit) }
        let more = Double(inFlight)
        guard let value = outcome.value?.double else {
            if outcome.isOfNone { return true }
            guard outcome.verdict == .undefined else { return false }
            return rows.named(subject).first.map { LoadMetrics.isOfAnswers($0.metric) } ?? false
        }
        guard outcome.holds else { return false }
        if subject == CheckOutcome.failedRequests { return breaks(value + more) }
        guard let row = rows.named(subject).first else { return false }
        if LoadMetrics.requests.contains(where: { $0.missing == row.metric }) { return breaks(value + more) }
        if row.metric == "errors_ratio" {
            let known = Double(course.map { $0.totals.reduce(0, +) } ?? 0)
            return breaks((value * known + more) / (known + more))
        }
        guard LoadMetrics.isOfAnswers(row.metric) else { return false }
        // A mean, or a lower limit on latency, is certain only after the last answer.
        guard let share = Unanswered.share(ofQuantile: row.stat), [.less, .lessOrEqual].contains(comparison.relation)
        else {
            return true
        }
        let (within, answered) = answers(of: row) { !breaks($0) }
        return Unanswered.include(share, within: within, of: answered, and: inFlight)
    }

    /// Returns the number of answers behind a latency and how many of them were in time.
    ///
    /// Latencies of one kind of request have no histogram. If their threshold holds, all answers count as in time.
    private func answers(of row: SummaryRow, inTime: (Double) -> Bool) -> (within: Int, answered: Int) {
        if row.scope == "all", let histogram = histograms.first(where: { $0.metric == row.metric }) {
            return histogram.buckets.reduce((0, 0)) { sums, bucket in
                (sums.0 + (inTime(bucket.low) ? bucket.count : 0), sums.1 + bucket.count)
            }
        }
        let counts = ["monitor_requests_count", "apns_response_count"]
        let count = rows.first { counts.contains($0.metric) && $0.scope == row.scope }?.value?.double ?? 0
        return (Int(count), Int(count))
    }
}
