import Experiments

/// Thresholds that requests in flight leave undecided.
extension LoadResults {
    /// Leaves a threshold undecided that holds over the answers so far, or has none, where requests in flight could break it.
    ///
    /// Without this an endpoint that has gone silent would hold every threshold: only what is answered has a latency.
    ///
    /// - Parameter inFlight: How many requests are due and have no answer yet.
    mutating func leaveUndecided(by inFlight: Int) {
        guard inFlight > 0 else { return }
        for index in outcomes.indices where isUndecided(outcomes[index], by: inFlight) {
            outcomes[index].verdict = .notSure
            outcomes[index].words = "undecided: \(Self.withoutAnswer(inFlight))"
        }
    }

    /// How many have no answer, as a sentence without its full stop.
    static func withoutAnswer(_ inFlight: Int) -> String {
        inFlight == 1
            ? "1 request has no answer yet" : "\(Format.count(Int64(inFlight))) requests have no answer yet"
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

    private func isUndecided(_ check: CheckRow, by inFlight: Int) -> Bool {
        func breaks(_ value: Double) -> Bool { !check.relation.holds(value, check.limit) }
        let more = Double(inFlight)
        guard let value = check.value?.double else {
            guard check.verdict == .undefined, check.lowerBound == nil else { return false }
            return rows.named(check.response).first.map { LoadMetrics.isOfAnswers($0.metric) } ?? false
        }
        guard check.holds else { return false }
        if check.response == CheckRow.failedRequests { return breaks(value + more) }
        guard let row = rows.named(check.response).first else { return false }
        if LoadMetrics.requests.contains(where: { $0.missing == row.metric }) { return breaks(value + more) }
        if row.metric == "errors_ratio" {
            let known = Double(course.map { $0.totals.reduce(0, +) } ?? 0)
            return breaks((value * known + more) / (known + more))
        }
        guard LoadMetrics.isOfAnswers(row.metric) else { return false }
        // Neither a mean nor a demand for long latencies is sure before the last answer.
        guard let share = Self.share(ofQuantile: row.stat), [.less, .lessOrEqual].contains(check.relation) else {
            return true
        }
        let (within, answered) = answers(of: row) { !breaks($0) }
        return Self.isAmongUnanswered(share, within: within, of: answered, and: inFlight)
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
