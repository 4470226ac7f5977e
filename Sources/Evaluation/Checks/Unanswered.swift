/// The requests of a load that have no answer, or the pushes that were never accepted, if a latency covers only the others.
public struct Unanswered: Hashable, Sendable {
    /// The number of requests without an answer, or of pushes that were never accepted.
    public let missing: Int
    /// The number of all requests or pushes.
    public let all: Int
    /// `true` for the latency of pushes; one push may have several requests.
    public let isOfPushes: Bool
    /// The lower bound of the latency; nil if nothing is known.
    ///
    /// It is the value over the answered requests, or the shortest wait of the others if that is longer.
    public let bound: Double?

    /// The metric of the time from the due time of a request without an answer until it was given up.
    public static let wait = "unanswered_wait_us"

    /// The metric of the time from the first due time of a push that was never accepted until its last request was over.
    public static let waitOfPushes = "not_accepted_wait_us"
    /// The metric of the number of pushes that were never accepted.
    public static let pushesNotAccepted = "pushes_not_accepted_count"

    private static let pushLatency = "push_latency_us"

    /// The counts of requests without an answer, each with the counts of requests sent and answered.
    ///
    /// Latencies are those of the first kind that a load has: a load on a monitor counts the monitor's own pushes too.
    package static let requests = [
        (
            missing: "monitor_response_missing_count", sent: "monitor_requests_count",
            answered: "monitor_response_count"
        ),
        (missing: "apns_response_missing_count", sent: "pushes_sent_count", answered: "apns_response_count"),
    ]

    /// Returns `true` if a metric is a time of answered requests only.
    package static func isOfAnswers(_ metric: String) -> Bool {
        [pushLatency, "request_latency_us", "send_time_us", "send_wait_us"].contains(metric)
    }

    /// The quantiles of durations, by name, each with its probability.
    public static let quantiles = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("p999", 0.999), ("max", 1.0)]

    /// Counts the requests without an answer if a quantile of latency falls among them.
    ///
    /// A single request without an answer is enough for the mean and the maximum. The result is nil if the row covers
    /// all requests, or if it is not a latency.
    ///
    /// The counts are of the row's own kind of request: in a load on a monitor of requests to the monitor, even if the rows
    /// count the monitor's pushes too. A request that was never sent has no service time, and the wait for a stream is
    /// unknown only for such requests. A push that a retry delivers is not missing in the latency of pushes. A push that was
    /// never accepted is missing, even if its last request had an answer.
    package init?(in rows: [SummaryRow], beyond row: SummaryRow) {
        isOfPushes = row.metric == Self.pushLatency
        guard Self.isOfAnswers(row.metric),
            let (lost, notSent, known) = isOfPushes
                ? Self.pushCounts(in: rows, scope: row.scope) : Self.counts(in: rows, scope: row.scope)
        else { return nil }
        switch row.metric {
        case "send_wait_us": (missing, all) = (notSent, known + lost)
        case "send_time_us": (missing, all) = (lost - notSent, known + lost - notSent)
        default: (missing, all) = (lost, known + lost)
        }
        let share = Self.share(ofQuantile: row.stat) ?? 1
        guard Self.include(share, within: all - missing, of: all - missing, and: missing) else { return nil }
        bound = Self.bound(in: rows, of: row, missing: missing, all: all)
    }

    /// Returns `true` if a row is a wait without a value because there was nothing that waited in vain.
    ///
    /// Each request was answered, or each push accepted, and there was at least one. Every bound on such waits then holds.
    package static func isWaitOfNone(_ row: SummaryRow, in rows: [SummaryRow]) -> Bool {
        guard row.value == nil, row.metric == wait || row.metric == waitOfPushes else { return false }
        let counts = row.metric == wait ? counts(in: rows, scope: row.scope) : pushCounts(in: rows, scope: row.scope)
        return counts.map { $0.lost == 0 && $0.known > 0 } ?? false
    }

    /// The counts behind a latency: without a value, those of them that were never sent, and with a value.
    private typealias Counts = (lost: Int, notSent: Int, known: Int)

    private static func counts(in rows: [SummaryRow], scope: String) -> Counts? {
        guard let metrics = requests.first(where: { kind in rows.contains { $0.metric == kind.sent } })
        else { return nil }
        let lost = count(metrics.missing, scope, in: rows) ?? 0
        let notSent = count(metrics.missing, scope == "all" ? "why:not_sent" : "\(scope);why:not_sent", in: rows) ?? 0
        let known =
            count(metrics.answered, scope, in: rows) ?? count(metrics.sent, scope, in: rows).map { $0 + notSent - lost }
        return known.map { (lost, notSent, $0) }
    }

    /// Counts pushes; each answer without a reason accepts one.
    private static func pushCounts(in rows: [SummaryRow], scope: String) -> Counts? {
        guard let lost = count(pushesNotAccepted, scope, in: rows), let answers = count(Self.answers, scope, in: rows)
        else { return nil }
        let refusals = rows.filter { $0.metric == Self.answers && $0.scope.hasPrefix("reason:") }
        return (lost, 0, answers - refusals.reduce(0) { $0 + Int($1.value?.double ?? 0) })
    }

    private static let answers = "apns_response_count"

    private static func count(_ metric: String, _ scope: String, in rows: [SummaryRow]) -> Int? {
        rows.first { $0.metric == metric && $0.scope == scope }?.value.map { Int($0.double) }
    }

    /// Returns the lower bound of a statistic over all requests.
    private static func bound(in rows: [SummaryRow], of row: SummaryRow, missing: Int, all: Int) -> Double? {
        func value(_ metric: String, _ stat: String) -> Double? {
            rows.row(metric, stat, scope: row.scope)?.value?.double
        }
        let wait = row.metric == pushLatency ? waitOfPushes : Self.wait
        let shortest = value(wait, "min")
        let waits: (shortest: Double?, longest: Double?) =
            switch row.metric {
            // The longest wait may be that of a request of the other sort.
            case "send_wait_us": (shortest, shortest)
            // Waits count from due times. None of the requests was sent later than the longest wait for a stream.
            case "send_time_us":
                value("send_wait_us", "max").flatMap { late in shortest.map { ($0 - late, $0 - late) } } ?? (nil, nil)
            default: (shortest, value(wait, "max"))
            }
        let known = row.value?.double
        let waited =
            row.stat == "mean"
            ? waits.shortest.map { ((known ?? 0) * Double(all - missing) + $0 * Double(missing)) / Double(max(1, all)) }
            : row.stat == "max" ? waits.longest : waits.shortest
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
