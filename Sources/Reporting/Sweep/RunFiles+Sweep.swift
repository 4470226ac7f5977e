public import Experiments
import LiveActivityModel
import SimulationKernel
import TextFormats

extension RunFiles {
    /// Creates the files of a sweep.
    public init(_ result: SweepResult) {
        let analysis = SweepAnalysis(result)
        let charts = Chart.charts(analysis)
        var files = [
            File(path: "report.md", text: SweepReport(analysis: analysis, charts: charts).markdown),
            File(path: "sweep.json", text: result.json.text),
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
        self.files = files + charts.map(File.init)
    }
}

extension SweepResult {
    /// `sweep.json`: the factors and the main results.
    ///
    /// It contains nothing about the machine, the commit or the time.
    fileprivate var json: JSONValue {
        let factors = sweep.factors
        return [
            // The version grows if scripts that read the file would have to change.
            "schema_version": 1, "freshet_version": .string(Release.version),
            "sweep_id": .string(sweep.id.hexadecimal),
            "name": .string(sweep.experiment.scenario.name),
            "seed": .unsigned(sweep.experiment.scenario.seed),
            "design": .string(factors.design.rawValue),
            "design_points": .integer(Int64(sweep.designSize)),
            "points": .array(points.map { .integer(Int64($0.point.number)) }),
            "replications": .integer(Int64(sweep.replications)),
            "factors": .array(factors.vary.map { .string($0.path) }),
            "responses": .array(responses.map { .string($0) }),
            "run_ids": .array(points.map { .string($0.point.run.description) }),
            "fingerprint": .string(fingerprint.value.hexadecimal),
            "counts": [
                "activities": .integer(points.reduce(0) { $0 + $1.activities }),
                "events": .unsigned(points.reduce(0) { $0 + $1.events }),
            ],
        ]
    }
}
