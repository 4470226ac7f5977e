public import Experiments
import TextFormats

extension RunFiles {
    /// Writes up a sweep.
    public init(_ result: SweepResult) {
        let analysis = SweepAnalysis(result)
        let charts = Chart.charts(analysis)
        var files = [
            File(path: "report.md", text: SweepReport(analysis: analysis, charts: charts).markdown),
            File(path: "sweep.json", text: SweepDescription(result).json.text),
            File(path: "scenario.resolved.yaml", text: ScenarioWriter.resolvedYAML(result.sweep.experiment)),
            File(path: "points.csv", text: CSVText.points(result)),
            File(path: "results.csv", text: CSVText.results(result)),
        ]
        if analysis.effects.contains(where: { $0 != nil }) {
            files.append(File(path: "effects.csv", text: CSVText.effects(analysis)))
        }
        if analysis.sensitivity.contains(where: { $0 != nil }) {
            files.append(File(path: "sensitivity.csv", text: CSVText.sensitivity(analysis)))
        }
        if let tradeOff = analysis.tradeOff {
            files.append(File(path: "pareto.csv", text: CSVText.pareto(analysis, tradeOff)))
        }
        if !result.sweep.experiment.checks.isEmpty {
            files.append(File(path: "checks.csv", text: CSVText.checks(result)))
        }
        self.init(files: files + charts.map { File(path: $0.path, text: $0.text) })
    }
}
