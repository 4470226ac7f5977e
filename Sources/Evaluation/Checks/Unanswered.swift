/// The requests of a load that have no answer, if a latency covers only the others.
public struct Unanswered: Hashable, Sendable {
    /// The number of requests without an answer.
    public let missing: Int
    /// The number of all requests.
    public let all: Int
    /// The lower bound of the latency; nil if nothing is known.
    ///
    /// It is the value over the answered requests, or the shortest wait of the others if that is longer.
    public let bound: Double?

    /// The metric of the time from the due time of a request without an answer until it was given up.
    public static let wait = "unanswered_wait_us"

    /// The quantiles of durations, by name, each with its probability.
    public static let quantiles = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("p999", 0.999), ("max", 1.0)]

    /// Counts the requests without an answer if a quantile of latency falls among them.
    ///
    /// A single request without an answer is enough for the mean and the maximum. The result is nil if the row covers
    /// all requests, or if it is not a latency.
    package init?(in rows: [SummaryRow], beyond row: SummaryRow) {
        guard LoadMetrics.isOfAnswers(row.metric) else { return nil }
        func count(_ metric: String, _ scope: String = "all") -> Double? {
            rows.first { $0.metric == metric && $0.scope == scope }?.value?.double
        }
        if row.scope.hasPrefix("phase:") {
            guard let lost = count("apns_response_missing_count", row.scope), lost > 0,
                let answered = count("apns_response_count", row.scope),
                Self.include(
                    Self.share(ofQuantile: row.stat) ?? 1,
                    within: Int(answered),
                    of: Int(answered),
                    and: Int(lost)
                )
            else { return nil }
            (missing, all) = (Int(lost), Int(lost + answered))
            bound = Self.bound(in: rows, of: row, missing: missing, all: all)
            return
        }
        for metrics in LoadMetrics.requests {
            guard let lost = count(metrics.missing), lost > 0, let sent = count(metrics.sent) else { continue }
            let (missing, all) = (Int(lost), Int(sent + (count(metrics.missing, "why:not_sent") ?? 0)))
            let answered = all - missing
            guard Self.include(Self.share(ofQuantile: row.stat) ?? 1, within: answered, of: answered, and: missing)
            else { continue }
            (self.missing, self.all) = (missing, all)
            bound = Self.bound(in: rows, of: row, missing: missing, all: all)
            return
        }
        return nil
    }

    /// Returns the lower bound of a statistic over all requests.
    ///
    /// Waits count from due times, as only `request_latency_us` does. Rows of one kind of request have no waits of their
    /// own.
    private static func bound(in rows: [SummaryRow], of row: SummaryRow, missing: Int, all: Int) -> Double? {
        func wait(_ stat: String) -> Double? {
            guard row.metric == "request_latency_us" else { return nil }
            return rows.first { $0.metric == Self.wait && $0.stat == stat && $0.scope == row.scope }?.value?.double
        }
        let known = row.value?.double
        let waited =
            row.stat == "mean"
            ? wait("min").map { ((known ?? 0) * Double(all - missing) + $0 * Double(missing)) / Double(max(1, all)) }
            : wait(row.stat == "max" ? "max" : "min")
        return [known, waited].compactMap(\.self).max()
    }

    /// Returns the probability of a quantile; nil for any other statistic.
    package static func share(ofQuantile name: String) -> Double? { quantiles.first { $0.0 == name }?.1 }

    /// Returns `true` if a quantile's rank falls among requests without an answer, taken as the slowest.
    ///
    /// - Parameters:
    ///   - share: The quantile's probability, such as 0.99.
    ///   - within: The number of answered requests, or the number of those answered in time.
    ///   - answered: The number of answered requests.
    ///   - unanswered: The number of requests without an answer so far.
    public static func include(_ share: Double, within: Int, of answered: Int, and unanswered: Int) -> Bool {
        unanswered > 0 && Int((Double(answered + unanswered) * share).rounded(.up)) > within
    }
}
