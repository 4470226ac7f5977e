import Evaluation
import Results

/// The headline numbers of a real-time test.
extension HeadlineTile {
    /// The possible tiles in order of display; a test has about five of them.
    private static let ofLoads: [(response: Response, label: String)] =
        [
            (Response(metric: "displayed_fresh_time_ratio", statistic: "ratio"), "fresh on phones"),
            (Response(metric: "age_of_information_us", statistic: "mean"), "mean age on screens"),
            (Response(metric: "requests_per_second", statistic: "mean"), "answered per second during the load"),
            (Response(metric: "request_latency_us", statistic: "p50"), "median latency"),
            (Response(metric: "request_latency_us", statistic: "p99"), "p99 latency"),
            (Response(metric: "errors_ratio", statistic: "ratio"), "not accepted"),
        ] + Unanswered.requests.map { (Response(metric: $0.missing, statistic: "total"), "without an answer") }

    /// Returns the possible tiles of a test, up to five; with more, a table would be better.
    ///
    /// Each label occurs once, for the first metric that the test has: a monitor's pushes are not the load's requests.
    private static func tiles(_ tile: (Response, _ label: String) -> HeadlineTile?) -> [HeadlineTile] {
        let tiles = ofLoads.compactMap(tile)
        return Array(
            tiles.enumerated().filter { index, tile in !tiles[..<index].contains { $0.label == tile.label } }
                .map(\.element).prefix(5)
        )
    }

    /// Returns the tiles of a test.
    ///
    /// - Parameter rows: The metrics of the test; a tile without its metric is left out.
    static func tiles(of rows: [SummaryRow]) -> [HeadlineTile] {
        // A monitor may reject requests correctly (409), so "not accepted" does not always mean "failed".
        let isOfMonitor = rows.contains { $0.metric == "monitor_requests_count" }
        return tiles { response, label in
            guard let row = rows.named(response.text).first else { return nil }
            return HeadlineTile(
                metric: response.text,
                label: isOfMonitor && response.metric == "errors_ratio" ? "failed" : label,
                value: rows.valueText(of: row)
            )
        }
    }

    /// Returns the tiles of the second of two tests, with the changes.
    static func tiles(of comparison: ResultComparison) -> [HeadlineTile] {
        tiles { response, label in
            guard let metric = comparison.compared(response) else { return nil }
            return HeadlineTile(
                metric: response.text,
                label: label,
                value: Format.value(metric.second, unit: metric.unit, isShare: metric.isShare),
                change: metric.changeText,
                verdict: metric.verdict
            )
        }
    }

    init(metric: String, label: String, value: String, change: String = "", verdict: MetricComparison.Verdict? = nil) {
        self.metric = metric
        self.label = label
        self.value = value
        interval = ""
        self.change = change
        self.verdict = verdict
    }
}
