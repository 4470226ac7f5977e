import Experiments

/// Which thresholds requests without an answer could still break.
extension LoadResults {
    /// Keeps a threshold open that holds over the answers so far, where those that are missing could still break it.
    ///
    /// Without this an endpoint that has gone silent would hold every threshold: only what is answered has a latency.
    ///
    /// - Parameter open: How many requests are due and have no answer yet.
    mutating func keepOpen(by open: Int) {
        guard open > 0 else { return }
        for index in outcomes.indices where outcomes[index].holds && isOpen(outcomes[index], by: open) {
            outcomes[index].verdict = .notSure
            outcomes[index].words = "open: \(Self.withoutAnswer(open))"
        }
    }

    /// How many have no answer, as a sentence without its full stop.
    static func withoutAnswer(_ open: Int) -> String {
        open == 1 ? "1 request has no answer yet" : "\(Format.count(Int64(open))) requests have no answer yet"
    }

    /// The quantiles that are stated of times, by their names, each with the part of all values that it is not below.
    public static let quantiles = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("p999", 0.999), ("max", 1.0)]

    /// The part of all values that a quantile is not below; nil for a statistic that is none.
    static func share(ofQuantile name: String) -> Double? { quantiles.first { $0.0 == name }?.1 }

    /// Whether a quantile's rank falls among requests without an answer, where these take longest.
    ///
    /// - Parameters:
    ///   - share: The quantile, as 0.99.
    ///   - within: How many were answered, or of these how many in time.
    ///   - answered: How many were answered.
    ///   - unanswered: How many have no answer, or none yet.
    public static func isAmongUnanswered(_ share: Double, within: Int, of answered: Int, and unanswered: Int) -> Bool {
        unanswered > 0 && Int((Double(answered + unanswered) * share).rounded(.up)) > within
    }

    private func isOpen(_ check: CheckRow, by open: Int) -> Bool {
        func breaks(_ value: Double) -> Bool { !check.relation.holds(value, check.limit) }
        guard let value = check.value?.double else { return false }
        if check.response == CheckRow.failedRequests { return breaks(value + Double(open)) }
        guard let row = rows.first(where: { $0.isNamed(check.response) }) else { return false }
        if LoadMetrics.requests.contains(where: { $0.missing == row.metric }) { return breaks(value + Double(open)) }
        if row.metric == "errors_ratio" {
            let known = Double(course.map { $0.totals.reduce(0, +) } ?? 0)
            return breaks((value * known + Double(open)) / (known + Double(open)))
        }
        guard LoadMetrics.isOfAnswers(row.metric) else { return false }
        // Neither a mean nor a demand for long latencies is sure before the last answer.
        guard let share = Self.share(ofQuantile: row.stat), [.less, .lessOrEqual].contains(check.relation) else {
            return true
        }
        let (within, answered) = answers(of: row) { !breaks($0) }
        return Self.isAmongUnanswered(share, within: within, of: answered, and: open)
    }

    /// How many of the answers behind a latency were in time, and how many there were.
    ///
    /// Latencies of one kind of request have no histogram: that they hold says that those answered were in time.
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
