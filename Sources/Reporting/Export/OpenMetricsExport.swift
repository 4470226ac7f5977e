import Experiments
import TextFormats

/// A run in the OpenMetrics text format, for Prometheus and what reads its exposition.
///
/// | in the results | becomes |
/// |---|---|
/// | a total of a count | a counter `freshet_NAME_total` |
/// | a ratio, a mean, a largest value | a gauge with its unit last, times in seconds |
/// | a percentile | a gauge `freshet_NAME_quantile_seconds` with the label `quantile` |
/// | an interval | a gauge `…_interval…` with the label `bound` |
/// | a histogram | a cumulative histogram `freshet_NAME_seconds` |
/// | a check | a gauge `freshet_check_holds`, 1 or 0 |
///
/// Parts of a whole (`reason:severe`) have a family of their own (`freshet_activities_ended_by_reason_total`) with the part
/// as a label, so that the sum of a family is the whole and not twice that. Every sample bears the scenario's name.
public struct OpenMetricsExport: Sendable {
    /// The text.
    public let text: String

    /// Reads the results of a run and writes them up.
    ///
    /// - Parameter directory: A run directory: `run.json`, `summary.csv`; `histograms.csv` and `checks.csv` if there.
    /// - Throws: When files are missing or hold something else, with every problem at once.
    public init(directory: String) throws(ExportError) {
        let run = try RunMark(directory: directory)
        var metrics = OpenMetricsText()
        var problems: [String] = []
        metrics.add(
            "freshet_run",
            kind: .info,
            help: "The run that these numbers are of.",
            suffix: "_info",
            labels: [
                ("scenario", run.name), ("run_id", run.id), ("seed", "\(run.seed)"), ("fingerprint", run.fingerprint),
            ],
            value: "1"
        )
        metrics.add(
            "freshet_replications",
            kind: .gauge,
            help: "How many histories were run; counts are sums over all of them.",
            labels: [("scenario", run.name)],
            value: "\(run.replications)"
        )
        let summary = try OpenMetricsExport.read(
            directory + "/summary.csv",
            ["scope", "metric", "stat", "unit", "value", "ci_low", "ci_high"]
        )
        for row in summary {
            let sample = SummarySample(row.fields)
            if !sample.add(to: &metrics, scenario: run.name) {
                problems.append(
                    "\(directory)/summary.csv:\(row.line): \(row.fields.prefix(3).joined(separator: ",")) has a value "
                        + "that is no decimal number: \"\(row.fields[4])\""
                )
            }
        }
        if RunMark.exists(directory + "/histograms.csv") {
            let rows = try OpenMetricsExport.read(
                directory + "/histograms.csv",
                ["metric", "scope", "bucket_low", "bucket_high", "weight", "unit"]
            )
            var histograms = CumulativeHistograms()
            for row in rows where !histograms.add(row.fields) {
                problems.append("\(directory)/histograms.csv:\(row.line): the bounds and the weight must be integers")
            }
            histograms.write(to: &metrics, scenario: run.name, means: SummarySample.means(summary.map(\.fields)))
        }
        if RunMark.exists(directory + "/checks.csv") {
            for row in try OpenMetricsExport.read(directory + "/checks.csv", ["name", "verdict"]) {
                metrics.add(
                    "freshet_check_holds",
                    kind: .gauge,
                    help: "Whether a check of the scenario holds: 1, or 0 where it does not or has no value.",
                    labels: [("scenario", run.name), ("check", row.fields[0])],
                    value: row.fields[1] == CheckOutcome.Verdict.holds.rawValue ? "1" : "0"
                )
            }
        }
        guard problems.isEmpty else { throw .invalid(problems) }
        text = metrics.text
    }

    private static func read(_ path: String, _ columns: [String]) throws(ExportError) -> [CSVContents.Row] {
        do {
            return try CSVContents(path: path, columns: columns).rows
        } catch {
            if case .missing = error { throw .missing(path: path) }
            throw .invalid(error.description.split(separator: "\n").map(String.init))
        }
    }
}
