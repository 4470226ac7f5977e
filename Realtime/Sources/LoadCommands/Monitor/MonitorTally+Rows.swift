import Experiments
import Histogram
import LoadGenerator

extension MonitorTally.Share {
    /// The quantiles that are stated of answers' times.
    static let quantiles: [(name: String, percent: Double)] = [
        ("p50", 50), ("p95", 95), ("p99", 99), ("p999", 99.9), ("max", 100),
    ]

    /// The rows of summary.csv about the answers' times [µs]; without values where there was no answer.
    func latencies(scope: String) -> [SummaryRow] {
        func row(_ stat: String, _ value: SummaryRow.Value) -> SummaryRow {
            SummaryRow(
                scope: scope,
                metric: "request_latency_us",
                stat: stat,
                unit: "us",
                value: latency.totalCount > 0 ? value : nil
            )
        }
        return [row("mean", .decimal(latency.mean))]
            + Self.quantiles.map { row($0.name, .integer(Int64(latency.valueAtPercentile($0.percent)))) }
    }
}

extension SummaryRow {
    /// A count; without a value where nothing is known.
    static func count(_ metric: String, _ value: Int?, scope: String = "all") -> SummaryRow {
        SummaryRow(scope: scope, metric: metric, stat: "total", unit: "count", value: value.map { .integer(Int64($0)) })
    }
}
