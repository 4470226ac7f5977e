public import Experiments

/// What a load test must come to: `update_latency_us.p99 < 10ms`.
///
/// Named are a metric of summary.csv and, after a point, its statistic, as in a scenario's `checks:`; a part of the whole
/// stands in braces: `apns_response_count{status:200}.total > 0`. Without a statistic the only one is meant.
public struct Threshold: Hashable, Sendable {
    /// What is compared, as it was written.
    public let subject: String
    let relation: Relation
    /// What it is compared with.
    public let limit: Amount
    /// The level of the interval that it asks for, as it was written; there is none that it could be held to.
    private let confidence: String?

    /// Reads a threshold.
    ///
    /// - Throws: ``ThresholdError/malformed(_:)``.
    public init(parsing text: String) throws(ThresholdError) {
        guard let (left, relation, right) = Relation.split(text), !left.isEmpty else { throw .malformed(text) }
        let (amount, confidence) = Comparison.splitConfidence(right)
        guard let limit = Amount(amount) else { throw .malformed(text) }
        self.confidence = confidence
        subject = left
        self.relation = relation
        self.limit = limit
    }

    /// The threshold in one way of writing it.
    public var text: String { "\(subject) \(demand)" }

    /// What is asked of the subject.
    var demand: String { "\(relation.rawValue) \(limit.text)" + (confidence.map { " with \($0)" } ?? "") }

    /// What came of it.
    ///
    /// - Throws: When no row, or more than one, is meant, the limit measures something else, or a confidence is asked for.
    public func outcome(in rows: [SummaryRow]) throws(ThresholdError) -> CheckRow {
        guard confidence == nil else { throw .noInterval(text) }
        let matching = rows.filter { $0.isNamed(subject) }
        guard let row = matching.first else {
            throw .unknown(subject, allowed: Set(rows.map(\.name)).sorted())
        }
        guard matching.count == 1 else { throw .ambiguous(subject, allowed: matching.map(\.name)) }
        let isShare = LoadMetrics.isShare(row.metric, unit: row.unit)
        guard let value = limit.value(in: row.unit, isShare: isShare) else {
            throw .unfit(limit.text, of: subject, allowed: Amount.allowed(in: row.unit, isShare: isShare))
        }
        let unanswered = Self.unanswered(in: rows, row)
        let holds = unanswered == nil ? row.value.map { relation.holds($0.double, value) } : nil
        let verdict: CheckOutcome.Verdict = holds.map { $0 ? .holds : .fails } ?? .undefined
        return CheckRow(
            name: text,
            response: subject,
            relation: relation,
            demand: demand,
            limit: value,
            unit: row.unit,
            isShare: isShare,
            value: unanswered == nil ? row.value : nil,
            verdict: verdict,
            words: unanswered.map { "does not hold: \($0)" } ?? verdict.words
        )
    }

    /// How many requests had no answer, where a quantile of latency falls among them: it is longer than anything measured.
    ///
    /// The mean and the largest do so where one request had none. Nil where the row has a value of all requests, or is none of
    /// latency.
    private static func unanswered(in rows: [SummaryRow], _ row: SummaryRow) -> String? {
        guard LoadMetrics.isOfAnswers(row.metric) else { return nil }
        func count(_ metric: String, _ scope: String = "all") -> Double? {
            rows.first { $0.metric == metric && $0.scope == scope }?.value?.double
        }
        for metrics in LoadMetrics.requests {
            guard let lost = count(metrics.missing), lost > 0, let sent = count(metrics.sent) else { continue }
            let (missing, all) = (Int(lost), Int(sent + (count(metrics.missing, "why:not_sent") ?? 0)))
            let share = LoadResults.share(ofQuantile: row.stat) ?? 1
            guard LoadResults.isAmongUnanswered(share, within: all - missing, of: all - missing, and: missing) else {
                continue
            }
            return "\(Format.count(Int64(missing))) of \(Format.count(Int64(all))) requests had no answer"
        }
        return nil
    }

    /// The end of a message about an unknown subject: the nearest name, with or without its statistic, or all metrics.
    fileprivate static func advice(for subject: String, among names: [String]) -> String {
        let known = names + names.map { name in String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)]) }
        return Suggestion.nearest(to: subject, among: known).map { "did you mean `\($0)`?" }
            ?? "allowed:\n\(Self.metrics(of: names)),\neach with a statistic, as `\(names.first ?? "")`"
    }

    /// The metrics by themselves, in lines: with each statistic of each part these would be a page.
    private static func metrics(of names: [String]) -> String {
        let metrics = names.map { $0.prefix { $0 != "{" && $0 != "." } }
        return Format.wrapped(Set(metrics).sorted().joined(separator: ", "))
    }
}

extension SummaryRow {
    /// What a threshold calls it, with its statistic.
    var name: String { metric + (scope == "all" ? "" : "{\(scope)}") + ".\(stat)" }

    /// Whether a threshold's subject names it, with its statistic or without.
    func isNamed(_ subject: String) -> Bool { subject == name || subject == name.dropLast(stat.utf8.count + 1) }
}

/// Why a threshold cannot be judged.
public enum ThresholdError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is not of the form at all.
    case malformed(String)
    /// It asks for a confidence.
    case noInterval(String)
    /// No metric has the name.
    case unknown(String, allowed: [String])
    /// Several have it.
    case ambiguous(String, allowed: [String])
    /// The limit cannot be one of the metric.
    case unfit(String, of: String, allowed: String)

    /// What, got, allowed.
    public var description: String {
        switch self {
        case .malformed(let text):
            "a threshold is a metric, one of < <= > >= == != and a limit, as `update_latency_us.p99 < 10ms`; got `\(text)`"
        case .noInterval(let text):
            "a threshold is judged by the value: a live run has no interval, so nothing can be asked `with` a confidence; "
                + "got `\(text)`"
        case .unknown(let name, let allowed):
            "there is no metric `\(name)`; \(Threshold.advice(for: name, among: allowed))"
        case .ambiguous(let name, let allowed):
            "`\(name)` means several metrics: \(allowed.joined(separator: ", "))"
        case .unfit(let limit, let name, let allowed):
            "`\(name)` must be compared with \(allowed); got `\(limit)`"
        }
    }
}
