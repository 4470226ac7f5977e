public import Experiments

/// What a load test must come to: `update_latency_us.p99 < 10ms`.
///
/// It has the form of a scenario's `checks:` and names a metric of summary.csv, with its scope in braces:
/// `apns_response_count{status:200} > 0`. Without a statistic it means the usual one: a total, a ratio or a mean.
public struct Threshold: Hashable, Sendable {
    private let comparison: Comparison

    /// Reads a threshold.
    ///
    /// - Throws: Why it is none.
    public init(parsing text: String) throws(ThresholdError) {
        do throws(ResponseError) {
            comparison = try Comparison(parsing: text)
        } catch .unfitConfidence, .confidenceOfEquality {
            throw .noInterval(text)
        } catch {
            throw .malformed(text, reason: error)
        }
    }

    /// The response, in one way of writing it.
    public var subject: String { comparison.response.text }
    /// The limit.
    public var limit: Amount { comparison.limit }
    /// The threshold in one way of writing it.
    public var text: String { comparison.text }

    /// The outcome by the rows of a load.
    ///
    /// A quantile of latency that falls among the requests without an answer keeps to no limit: it is longer than anything
    /// measured, and only a bound below it is known.
    ///
    /// - Throws: When no row or more than one matches, the limit measures something else, or the threshold has a confidence or
    ///   a window.
    public func outcome(in rows: [SummaryRow]) throws(ThresholdError) -> CheckRow {
        guard comparison.confidence == nil else { throw .noInterval(text) }
        guard comparison.response.window == nil else { throw .noWindow(text) }
        let matching = rows.named(subject)
        guard let row = matching.first else {
            throw .unknown(subject, allowed: Set(rows.map(\.name)).sorted())
        }
        guard matching.count == 1 else { throw .ambiguous(subject, allowed: matching.map(\.name)) }
        let isShare = LoadMetrics.isShare(row.metric, unit: row.unit)
        guard let value = limit.value(in: row.unit, isShare: isShare) else {
            throw .unfit(limit.text, of: subject, allowed: Amount.allowed(in: row.unit, isShare: isShare))
        }
        let unanswered = Self.unanswered(in: rows, row)
        let holds = unanswered == nil ? row.value.map { comparison.relation.holds($0.double, value) } : false
        let verdict: CheckOutcome.Verdict = holds.map { $0 ? .holds : .fails } ?? .undefined
        return CheckRow(
            name: text,
            response: subject,
            relation: comparison.relation,
            demand: comparison.demand,
            limit: value,
            unit: row.unit,
            isShare: isShare,
            value: unanswered == nil ? row.value : nil,
            lowerBound: unanswered == nil ? nil : row.value,
            verdict: verdict,
            words: unanswered.map { "does not hold: \($0)" } ?? verdict.words
        )
    }

    /// How many requests had no answer, where a quantile of latency falls among them.
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
            return "\(Format.count(Int64(missing))) of \(Format.count(Int64(all))) requests unanswered"
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
}

extension [SummaryRow] {
    /// The statistics that a metric is known by, as in a scenario's checks.
    private static let usual = ["total", "ratio", "mean"]

    /// The rows that match a threshold's subject: the exact row, or without a statistic the row of the usual one, or all rows.
    func named(_ subject: String) -> [SummaryRow] {
        if let exact = first(where: { $0.name == subject }) { return [exact] }
        let all = filter { $0.name.dropLast($0.stat.utf8.count + 1) == subject }
        let usual = Self.usual.lazy.compactMap { stat in all.first { $0.stat == stat } }.first
        return usual.map { [$0] } ?? all
    }
}

/// Why a threshold cannot be judged.
public enum ThresholdError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is no comparison.
    case malformed(String, reason: ResponseError)
    /// It asks for a confidence.
    case noInterval(String)
    /// It asks for a part of the load.
    case noWindow(String)
    /// No metric has the name.
    case unknown(String, allowed: [String])
    /// Several have it.
    case ambiguous(String, allowed: [String])
    /// The limit cannot be one of the metric.
    case unfit(String, of: String, allowed: String)

    /// What, got, allowed.
    public var description: String {
        switch self {
        case .malformed(let text, .malformedComparison), .malformed(let text, .malformedResponse):
            "a threshold is a metric, one of < <= > >= == != and a limit, as `update_latency_us.p99 < 10ms`; got `\(text)`"
        case .malformed(let text, let reason):
            "`\(text)` \(reason)"
        case .noInterval(let text):
            "a threshold is judged by the value: a live run has no interval, so nothing can be asked `with` a confidence; "
                + "got `\(text)`"
        case .noWindow(let text):
            "a threshold is judged over the whole load, so nothing can be asked of a part of it (`@…`); got `\(text)`"
        case .unknown(let name, let allowed):
            "there is no metric `\(name)`; \(Threshold.advice(for: name, among: allowed))"
        case .ambiguous(let name, let allowed):
            "`\(name)` means several metrics: \(allowed.joined(separator: ", "))"
        case .unfit(let limit, let name, let allowed):
            "`\(name)` must be compared with \(allowed); got `\(limit)`"
        }
    }
}
