import Evaluation
internal import Foundation
import InputFiles
import LiveActivityModel
import Results
import ScenarioLanguage
import TextFormats

/// Results in the OpenMetrics text format, for Prometheus and compatible programs.
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
/// Parts of a whole (`reason:severe`) have a family of their own (`freshet_activities_ended_by_reason_total`) with the
/// part as a label, so that the sum of a family is the whole and not twice the whole. Every sample has the scenario's
/// name as a label. A sample of a real-time test has the test's command, such as `load="load apns"`. A sample of a
/// sweep also has its point and the point's levels. If a run ended early, its information has `ended_early="true"`,
/// because its numbers cover only a part.
public struct OpenMetricsExport: Sendable {
    public let text: String

    /// Reads and exports the results of a run, a real-time test or a sweep.
    ///
    /// - Parameter directory: A result directory: `run.json`, `summary.csv`; `histograms.csv` and `checks.csv` if
    ///   there; or `sweep.json`, `points.csv` and the others of a sweep.
    /// - Throws: An error if files are missing or invalid, with all problems at once.
    public init(directory: String) throws(ExportError) {
        let results: RecordedResults
        do {
            results = try RecordedResults(directory: directory, withScenario: false)
        } catch {
            if case .missing(let path) = error { throw .missing(path: path) }
            throw .invalid("\(error)".split(separator: "\n").map(String.init))
        }
        text = try results.isSweep ? OpenMetricsExport.sweep(results) : OpenMetricsExport.run(results)
    }

    /// Returns the metrics of a run or a load.
    private static func run(_ results: RecordedResults) throws(ExportError) -> String {
        let isLoad = results.isLoad
        let name: OpenMetricsText.Label = (isLoad ? "load" : "scenario", results.name)
        var metrics = OpenMetricsText()
        metrics.info(
            isLoad ? "freshet_load" : "freshet_run",
            "The \(isLoad ? "real-time test" : "run") that these numbers describe.",
            [name, ("run_id", results.id), ("seed", "\(results.seed)")]
                + (results.fingerprint.map { [("fingerprint", $0)] } ?? [])
                + (results.isEndedEarly ? [("ended_early", "true")] : [])
                + (results.isOfSomeShares ? [("shares", "incomplete")] : [])
        )
        if !isLoad {
            metrics.gauge(
                "freshet_replications",
                "Number of replications; counts are sums over all of them.",
                [([name], results.replications)]
            )
        }
        try add(results.path, to: &metrics, named: name, isLive: isLoad)
        return metrics.text
    }

    /// Adds the summary, the histograms and the checks of a directory.
    private static func add(
        _ directory: String,
        to metrics: inout OpenMetricsText,
        named name: OpenMetricsText.Label,
        isLive: Bool
    ) throws(ExportError) {
        var problems: [String] = []
        let summary = try read(
            directory + "/summary.csv",
            ["scope", "metric", "stat", "unit", "value", "ci_low", "ci_high"]
        )
        for row in summary where !SummarySample(row.fields).add(to: &metrics, labels: [name]) {
            problems.append(
                "\(directory)/summary.csv:\(row.line): \(OneLine.excerpt(row.fields.prefix(3).joined(separator: ","))) "
                    + "must be a decimal number of the same kind as other rows of its name, got "
                    + "\"\(OneLine.excerpt(row.fields[4]))\""
            )
        }
        if FileManager.default.fileExists(atPath: directory + "/histograms.csv") {
            let rows = try read(
                directory + "/histograms.csv",
                ["metric", "scope", "bucket_low", "bucket_high", "weight", "unit"]
            )
            var histograms = CumulativeHistograms(isLive: isLive)
            for row in rows where !histograms.add(row.fields) {
                problems.append(
                    "\(directory)/histograms.csv:\(row.line): the bounds and the weight must be integers within 64 bits"
                )
            }
            histograms.write(to: &metrics, labels: [name], means: SummarySample.means(summary.map(\.fields)))
        }
        if FileManager.default.fileExists(atPath: directory + "/checks.csv") {
            for row in try read(directory + "/checks.csv", ["name", "verdict"]) {
                add(
                    check: OneLine.excerpt(row.fields[0], longest: 300),
                    verdict: row.fields[1],
                    labels: [name],
                    to: &metrics
                )
            }
        }
        guard problems.isEmpty else { throw .invalid(problems) }
    }

    private static func add(
        check: String,
        verdict: String,
        labels: [OpenMetricsText.Label],
        to metrics: inout OpenMetricsText
    ) {
        metrics.gauge(
            "freshet_check_holds",
            "1 if a check of the scenario holds, 0 if it does not, has no value or was not measured.",
            [(labels + [("check", check)], verdict == CheckOutcome.Verdict.holds.rawValue ? 1 : 0)]
        )
    }

    // MARK: - Sweeps

    private static func sweep(_ sweep: RecordedResults) throws(ExportError) -> String {
        let name: OpenMetricsText.Label = ("scenario", sweep.name)
        var metrics = OpenMetricsText()
        metrics.info(
            "freshet_sweep",
            "The sweep that these numbers describe.",
            [name, ("sweep_id", sweep.id), ("seed", "\(sweep.seed)"), ("fingerprint", sweep.fingerprint ?? "")]
        )
        metrics.gauge(
            "freshet_replications",
            "Number of replications of each design point; counts are sums over all of them.",
            [([name], sweep.replications)]
        )
        let responses = sweep.resolvedResponses
        let columns =
            ["point"] + sweep.factors + responses.flatMap { [$0.text, "\($0.text)_ci_low", "\($0.text)_ci_high"] }
        var labels: [String: [OpenMetricsText.Label]] = [:]
        var problems: [String] = []
        for row in try read("\(sweep.path)/points.csv", columns) {
            let levels = zip(sweep.factors, row.fields.dropFirst()).map { (name: $0, value: $1) }
            let point = [name, (name: "point", value: row.fields[0])] + levels
            labels[row.fields[0]] = point
            for (index, resolved) in responses.enumerated() {
                let values = row.fields[(1 + sweep.factors.count + 3 * index)...].prefix(3)
                let response = resolved.response
                let fields = [response.scope, response.metric, response.statistic ?? "", resolved.unit] + values
                let window = response.windowText.map { [(name: "window", value: $0)] } ?? []
                if !SummarySample(fields).add(to: &metrics, labels: point + window, isPart: !window.isEmpty) {
                    problems.append(
                        "\(sweep.path)/points.csv:\(row.line): \(resolved.text) has a value that is not a decimal number"
                    )
                }
            }
        }
        if FileManager.default.fileExists(atPath: "\(sweep.path)/checks.csv") {
            for row in try read("\(sweep.path)/checks.csv", ["point", "name", "verdict"]) {
                add(
                    check: OneLine.excerpt(row.fields[1], longest: 300),
                    verdict: row.fields[2],
                    labels: labels[row.fields[0]] ?? [name],
                    to: &metrics
                )
            }
        }
        guard problems.isEmpty else { throw .invalid(problems) }
        return metrics.text
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
