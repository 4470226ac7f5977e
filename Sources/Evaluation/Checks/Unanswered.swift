/// The requests of a load that have no answer, if a latency covers only the others.
public struct Unanswered: Hashable, Sendable {
    /// The number of requests without an answer.
    public let missing: Int
    /// The number of all requests.
    public let all: Int

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
            return
        }
        for metrics in LoadMetrics.requests {
            guard let lost = count(metrics.missing), lost > 0, let sent = count(metrics.sent) else { continue }
            let (missing, all) = (Int(lost), Int(sent + (count(metrics.missing, "why:not_sent") ?? 0)))
            let answered = all - missing
            guard Self.include(Self.share(ofQuantile: row.stat) ?? 1, within: answered, of: answered, and: missing)
            else { continue }
            (self.missing, self.all) = (missing, all)
            return
        }
        return nil
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
