public import Experiments
import TextFormats

/// The files that tell of a run, as texts: the same bytes whenever scenario and seed are the same.
public struct RunFiles: Hashable, Sendable {
    /// One file.
    public struct File: Hashable, Sendable {
        /// Its place within the run directory.
        public let path: String
        /// All of it, in UTF-8.
        public let text: String
    }

    /// In the order in which a person would look at them.
    public let files: [File]
}

extension RunFiles {
    /// Writes up a result, and what came of the checks of its scenario file.
    public init(_ result: RunResult, checks: [CheckOutcome] = []) {
        let summary = Summary(result)
        let list = CheckList(checks)
        let experiment = Experiment(scenario: result.scenario, checks: checks.map(\.check))
        files =
            [
                File(path: "report.md", text: Report(result, summary: summary, checks: list).markdown),
                File(path: "run.json", text: RunDescription(result).json.text),
                File(path: "scenario.resolved.yaml", text: ScenarioWriter.resolvedYAML(experiment)),
                File(path: "summary.csv", text: CSVText.summary(summary.rows)),
                File(path: "timeseries.csv", text: CSVText.timeSeries(result)),
                File(path: "replications.csv", text: CSVText.replications(result)),
                File(path: "histograms.csv", text: CSVText.histograms(result)),
            ]
            + (list.isEmpty ? [] : [File(path: "checks.csv", text: list.csv)])
            + Chart.charts(result).map { File(path: $0.path, text: $0.text) }
    }
}
