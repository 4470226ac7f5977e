public import Experiments

extension RunFiles {
    /// Writes up a sweep.
    public init(_ result: SweepResult) {
        self.init(
            files: [
                File(path: "report.md", text: SweepReport(result: result).markdown),
                File(path: "sweep.json", text: SweepDescription(result).json.text),
                File(path: "scenario.resolved.yaml", text: ScenarioWriter.resolvedYAML(result.sweep.experiment)),
                File(path: "points.csv", text: CSVText.points(result)),
                File(path: "results.csv", text: CSVText.results(result)),
            ]
        )
    }
}
