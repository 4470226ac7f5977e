import Evaluation
import Results

/// Thresholds that are undecided because of requests in flight.
extension LoadReport {
    /// Marks thresholds as undecided that hold, or have no answers yet, and that requests in flight could still break.
    ///
    /// Without this, all thresholds would hold for an endpoint that never answers, since only answered requests have a
    /// latency.
    ///
    /// A limit on latency fails already if requests in flight have waited too long for it, whatever their answers.
    public mutating func leaveUndecided(by progress: LoadSnapshot.Progress) {
        let inFlight = progress.unanswered
        guard inFlight > 0 else { return }
        for index in results.outcomes.indices {
            let (comparison, limit) = (results.outcomes[index].check.comparison, results.outcomes[index].limit)
            if [.less, .lessOrEqual].contains(comparison.relation),
                let row = results.rows.named(comparison.response.text).first,
                let unanswered = self.unanswered(beyond: row, during: progress), let bound = unanswered.bound,
                !comparison.relation.holds(bound, limit)
            {
                results.outcomes[index].unanswered = unanswered
            } else if isUndecided(results.outcomes[index], by: inFlight) {
                results.outcomes[index].undecidedBy = inFlight
            }
        }
    }

    /// The time series, with the requests without an answer if its p99 does not cover them.
    var boundedCourse: LoadCourse? {
        let unanswered = latency99.flatMap { Unanswered(in: results.rows, beyond: $0) }
        var bounded = course
        bounded?.unanswered = unanswered
        return bounded
    }

    /// The row of the p99 latency.
    private var latency99: SummaryRow? { results.rows.named("request_latency_us.p99").first }

    /// States the p99 of the time series over all requests that are due so far.
    mutating func boundCourse(during progress: LoadSnapshot.Progress) {
        let unanswered = latency99.flatMap { self.unanswered(beyond: $0, during: progress) }
        course?.unanswered = unanswered
    }

    /// Returns the requests without an answer if a quantile of latency falls among them, as if those in flight were given
    /// up now; without their waits, only those that were given up.
    private func unanswered(beyond row: SummaryRow, during progress: LoadSnapshot.Progress) -> Unanswered? {
        guard row.metric == "request_latency_us", row.scope == "all", !progress.waits.isEmpty,
            let share = Unanswered.share(ofQuantile: row.stat),
            let kind = Unanswered.requests.first(where: { kind in results.rows.contains { $0.metric == kind.sent } })
        else { return Unanswered(in: results.rows, beyond: row) }
        func number(_ metric: String, _ stat: String) -> Int64? {
            results.rows.row(metric, stat)?.value.map { Int64($0.double) }
        }
        let (givenUp, more) = (number(kind.missing, "total") ?? 0, Int64(progress.unanswered))
        func counts(_ metric: String, _ stat: String, _ unit: String, _ value: Int64) -> SummaryRow {
            SummaryRow(scope: "all", metric: metric, stat: stat, unit: unit, value: .integer(value))
        }
        var counted = [
            counts(kind.missing, "total", "count", givenUp + more),
            counts(kind.sent, "total", "count", (number(kind.sent, "total") ?? 0) + more),
        ]
        let replaced = counted.map(\.metric) + [Unanswered.wait]
        counted += results.rows.filter { !($0.scope == "all" && replaced.contains($0.metric)) }
        guard let first = Unanswered(in: counted, beyond: row) else { return nil }
        let rank = Int((Double(first.all) * share).rounded(.up)) - (first.all - first.missing)
        let shortest = number(Unanswered.wait, "min").map { LoadSnapshot.Wait(time: $0, count: Int(givenUp)) }
        let wait = progress.wait(ofRank: rank, besides: shortest)
        return Unanswered(in: counted + ["min", "max"].map { counts(Unanswered.wait, $0, "us", wait) }, beyond: row)
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
            return results.rows.named(subject).first.map { Unanswered.isOfAnswers($0.metric) } ?? false
        }
        guard outcome.holds else { return false }
        if subject == CheckOutcome.failedRequests { return breaks(value + more) }
        guard let row = results.rows.named(subject).first else { return false }
        if Unanswered.requests.contains(where: { $0.missing == row.metric }) { return breaks(value + more) }
        if row.metric == "errors_ratio" {
            let known = Double(course.map { $0.totals.reduce(0, +) } ?? 0)
            return breaks((value * known + more) / (known + more))
        }
        guard Unanswered.isOfAnswers(row.metric) else { return false }
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
        if row.scope == "all", let histogram = results.histograms.first(where: { $0.metric == row.metric }) {
            return histogram.buckets.reduce((within: 0, answered: 0)) { sums, bucket in
                (sums.within + (inTime(bucket.low) ? Int(bucket.weight) : 0), sums.answered + Int(bucket.weight))
            }
        }
        let counts = ["monitor_requests_count", "apns_response_count"]
        let count = results.rows.first { counts.contains($0.metric) && $0.scope == row.scope }?.value?.double ?? 0
        return (Int(count), Int(count))
    }
}
