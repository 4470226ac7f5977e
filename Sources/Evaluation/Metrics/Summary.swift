import InputFiles
import LiveActivityModel
public import Quantities

/// The summary of a run: every metric, its parts and its intervals, in the order of their names.
public struct Summary: Sendable {
    /// The rows, sorted by metric, then scope (`all` first), then the order of the metric's statistics.
    public let rows: [SummaryRow]

    /// Computes the summary of a result.
    public init(_ result: RunResult) {
        self.init(SummarySource(Self.metrics(of: result.scenario), of: result))
    }

    private init(_ source: SummarySource) {
        rows = source.rows.flatMap(\.self)
    }

    /// Computes the metrics of each replication of a result, without intervals.
    ///
    /// - Complexity: O(1), and the cost of a summary for each element that is accessed.
    public static func perReplication(_ result: RunResult) -> LazyMapCollection<ReplicationSums, Summary> {
        let metrics = metrics(of: result.scenario)
        return result.perReplication.lazy.map { Summary(SummarySource(metrics, of: $0, in: result.scenario)) }
    }

    /// Returns the summary for people, see ``SummaryRow/perReplication(_:)``.
    public func perReplication(_ replications: Int) -> Summary {
        Summary(rows: rows.map { $0.perReplication(replications) })
    }

    private init(rows: [SummaryRow]) { self.rows = rows }

    /// Returns the metrics of a scenario in the order of ``rows``.
    private static func metrics(of scenario: Scenario) -> [Metric] {
        MetricCatalog(of: scenario).metrics
            .sorted { ($0.name, $0.scope == "all" ? "" : $0.scope) < ($1.name, $1.scope == "all" ? "" : $1.scope) }
    }

    /// Returns the scope of values over a threshold: `over:15s`.
    public static func scope(over threshold: TimeSpan) -> String {
        "over:\(DurationText.text(threshold))"
    }

    /// Returns the scope of what is within a threshold.
    public static func scope(within threshold: TimeSpan) -> String {
        "within:\(DurationText.text(threshold))"
    }

    /// Returns the row of a metric; nil if the metric, scope or statistic does not exist.
    public func row(_ metric: String, _ stat: String, scope: String = "all") -> SummaryRow? {
        rows.row(metric, stat, scope: scope)
    }
}

extension [SummaryRow] {
    /// Returns the row of a metric; nil if the metric, scope or statistic does not exist.
    package func row(_ metric: String, _ stat: String, scope: String = "all") -> SummaryRow? {
        first { $0.metric == metric && $0.stat == stat && $0.scope == scope }
    }
}
