public import Experiments
import TextFormats

/// A requirement on a load test: `request_latency_us.p99 < 10ms`.
///
/// It has the form of a scenario's `checks:` and names a metric of summary.csv, with its scope in braces:
/// `apns_response_count{status:200} > 0`. Without a statistic it uses the default one: a total, a ratio or a mean.
public struct Threshold: Hashable, Sendable {
    private let comparison: Comparison

    /// Reads a threshold.
    ///
    /// - Throws: The reason why the text is not a threshold.
    public init(parsing text: String) throws(ThresholdError) {
        do throws(ResponseError) {
            comparison = try Comparison(parsing: text)
        } catch .unfitConfidence, .confidenceOfEquality {
            throw .noInterval(text)
        } catch {
            throw .malformed(text, reason: error)
        }
    }

    /// The response in canonical form.
    public var subject: String { comparison.response.text }
    public var limit: Amount { comparison.limit }
    /// The threshold in canonical form.
    public var text: String { comparison.text }

    /// Evaluates the threshold over the rows of a load.
    ///
    /// A quantile of latency whose rank falls among the requests without an answer satisfies no limit. It is longer
    /// than anything measured, and only a lower bound is known.
    ///
    /// - Throws: An error if no row or several rows match, if the limit has the wrong unit, or if the threshold has a
    ///   confidence or a window.
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

    /// Returns a text with the number of unanswered requests if a quantile of latency falls among them.
    ///
    /// A single request without an answer is enough for the mean and the maximum. Returns nil if the row covers all
    /// requests, or if it is not a latency.
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

    /// Returns the end of a message about an unknown subject: the nearest name, with or without its statistic, or all
    /// metrics.
    fileprivate static func advice(for subject: String, among names: [String]) -> String {
        let known = names + names.map { name in String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)]) }
        return Suggestion.nearest(to: subject, among: known).map { "did you mean `\($0)`?" }
            ?? "allowed:\n\(Self.metrics(of: names)),\neach with a statistic, such as `\(names.first ?? "")`"
    }

    /// Returns the metrics without scopes and statistics, in lines; with them the text would fill a page.
    private static func metrics(of names: [String]) -> String {
        let metrics = names.map { $0.prefix { $0 != "{" && $0 != "." } }
        return Format.wrapped(Set(metrics).sorted().joined(separator: ", "))
    }
}

extension SummaryRow {
    /// The metric's name in a threshold, with its statistic.
    var name: String { metric + (scope == "all" ? "" : "{\(scope)}") + ".\(stat)" }
}

extension [SummaryRow] {
    /// The default statistics of a metric, as in a scenario's checks.
    private static let usual = ["total", "ratio", "mean"]

    /// Returns the rows that match a threshold's subject: the exact row; without a statistic, the row of the default
    /// one, else all rows.
    func named(_ subject: String) -> [SummaryRow] {
        if let exact = first(where: { $0.name == subject }) { return [exact] }
        let all = filter { $0.name.dropLast($0.stat.utf8.count + 1) == subject }
        let usual = Self.usual.lazy.compactMap { stat in all.first { $0.stat == stat } }.first
        return usual.map { [$0] } ?? all
    }
}

/// The reason why a threshold cannot be evaluated.
public enum ThresholdError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not a comparison.
    case malformed(String, reason: ResponseError)
    /// It requests a confidence.
    case noInterval(String)
    /// It requests a part of the load.
    case noWindow(String)
    /// No metric has this name.
    case unknown(String, allowed: [String])
    /// Several metrics have this name.
    case ambiguous(String, allowed: [String])
    /// The limit does not fit the metric's unit.
    case unfit(String, of: String, allowed: String)

    /// The message: what was wrong, what was given, what is allowed.
    public var description: String {
        switch self {
        case .malformed(let text, .malformedComparison), .malformed(let text, .malformedResponse):
            "a threshold is a metric, one of < <= > >= == != and a limit, such as `request_latency_us.p99 < 10ms`; "
                + "got `\(text)`"
        case .malformed(let text, let reason):
            "`\(text)` \(reason)"
        case .noInterval(let text):
            "a threshold is judged by the value: a live run has no confidence interval, so `with` is not allowed; "
                + "got `\(text)`"
        case .noWindow(let text):
            "a threshold is judged over the whole load, so a window (`@…`) is not allowed; got `\(text)`"
        case .unknown(let name, let allowed):
            "there is no metric `\(name)`; \(Threshold.advice(for: name, among: allowed))"
        case .ambiguous(let name, let allowed):
            "`\(name)` means several metrics: \(allowed.joined(separator: ", "))"
        case .unfit(let limit, let name, let allowed):
            "`\(name)` must be compared with \(allowed); got `\(limit)`"
        }
    }
}
