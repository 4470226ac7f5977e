import LiveActivityModel
import TextFormats

/// A requirement on results: a comparison with a name for reports.
///
/// A scenario lists checks, and a load takes them as thresholds: `request_latency_us.p99 < 10ms`.
public struct Check: Hashable, Sendable {
    /// The given name; empty for none.
    public var givenName: String
    /// The comparison that must hold.
    public var comparison: Comparison

    /// Creates a check, with or without a name.
    public init(_ comparison: Comparison, name: String = "") {
        self.comparison = comparison
        givenName = name
    }

    /// Parses a check without a name.
    ///
    /// - Throws: ``ResponseError`` if the text does not have the form of a comparison.
    public init(parsing text: String) throws(ResponseError) { self.init(try Comparison(parsing: text)) }

    /// The name in reports: the given name, or else the comparison itself.
    public var name: String { givenName.isEmpty ? comparison.text : OneLine.text(givenName) }

    /// Evaluates the check over the rows of a load.
    ///
    /// A quantile of latency whose rank falls among the requests without an answer satisfies no limit. It is longer
    /// than anything measured, and only a lower bound is known.
    ///
    /// - Throws: ``ResponseError`` if no row or several rows match, if the limit has the wrong unit, or if the check
    ///   requires a confidence or covers a window.
    public func outcome(in rows: [SummaryRow]) throws(ResponseError) -> CheckOutcome {
        let subject = comparison.response.text
        guard comparison.confidence == nil else { throw .confidenceOfLoad(comparison.text) }
        guard comparison.response.window == nil else { throw .windowOfLoad(comparison.text) }
        let matching = rows.named(subject)
        guard let row = matching.first else {
            let metrics = Set(rows.map(\.metric)).sorted()
            let nearest = Suggestion.nearest(to: subject, among: rows.map(\.name) + metrics)
            throw .notOfLoad(subject, nearest: nearest, known: metrics)
        }
        guard matching.count == 1 else { throw .unknownStatistic("", of: subject, known: matching.map(\.stat)) }
        let limit = try comparison.limit(of: subject, in: row.unit, isShare: row.isShare)
        var outcome = CheckOutcome(self, limit: limit, of: row, in: row.unit, isShare: row.isShare, replications: 0)
        outcome.unanswered = Unanswered(in: rows, beyond: row)
        outcome.isOfNone = Unanswered.isWaitOfNone(row, in: rows)
        return outcome
    }
}

extension SummaryRow {
    /// The name of the value in checks, with its statistic.
    package var name: String { Response(metric: metric, scope: scope, statistic: stat).text }

    /// `true` if the value is a share of a whole.
    package var isShare: Bool { Self.isShare(metric, unit: unit) }

    /// Returns `true` if values are shares of a whole, by the metric's unit and name.
    package static func isShare(_ metric: String, unit: String) -> Bool { unit == "1" && metric.hasSuffix("_ratio") }
}

extension [SummaryRow] {
    /// The default statistics of a metric, as in a scenario's checks.
    private static let usual = ["total", "ratio", "mean"]

    /// Returns the rows that match the text of a response: the exact row; without a statistic, the row of the default
    /// one, else all rows.
    package func named(_ subject: String) -> [SummaryRow] {
        if let exact = first(where: { $0.name == subject }) { return [exact] }
        let all = filter { $0.name.dropLast($0.stat.utf8.count + 1) == subject }
        let usual = Self.usual.lazy.compactMap { stat in all.first { $0.stat == stat } }.first
        return usual.map { [$0] } ?? all
    }
}
