import LiveActivityModel
public import Quantities

/// The summary of a run: every metric, its parts and its intervals, in the order of their names.
public struct Summary: Sendable {
    /// Sorted by metric, then scope (`all` first), then the order in which a metric states its statistics.
    public let rows: [SummaryRow]

    /// Reads the summary off a result.
    public init(_ result: RunResult) {
        self.init(SummarySource(result), of: result.scenario)
    }

    /// Reads the metrics off one replication of a result; there are no intervals then.
    ///
    /// - Precondition: `replication` is one of the result's, counted from 0.
    public init(_ result: RunResult, replication: Int) {
        self.init(SummarySource(result, replication: replication), of: result.scenario)
    }

    private init(_ source: SummarySource, of scenario: Scenario) {
        rows = MetricCatalog(of: scenario).metrics
            .sorted { ($0.name, $0.scope == "all" ? "" : $0.scope) < ($1.name, $1.scope == "all" ? "" : $1.scope) }
            .flatMap { $0.rows(source) }
    }

    /// The scope of what exceeds a threshold: `over:15s`.
    public static func scope(over threshold: TimeSpan) -> String {
        "over:\(DurationText.text(threshold))"
    }

    /// The row of a metric; nil when there is no such metric, scope or statistic.
    public func row(_ metric: String, _ stat: String, scope: String = "all") -> SummaryRow? {
        rows.first { $0.metric == metric && $0.stat == stat && $0.scope == scope }
    }
}
