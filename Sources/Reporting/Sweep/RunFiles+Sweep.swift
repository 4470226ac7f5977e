import LiveActivityModel
import ScenarioLanguage
import Shell
import SimulationKernel
public import Studies
import TextFormats

extension RunFiles {
    /// Creates the files of a sweep.
    public init(_ result: SweepResult) {
        let analysis = SweepAnalysis(result)
        let charts = Chart.charts(analysis)
        let experiment = result.sweep.experiment
        let hasEffects = analysis.effects.contains { $0 != nil }
        let hasSensitivity = analysis.sensitivity.contains { $0 != nil }
        let data: [(path: String, text: String?)] = [
            ("sweep.json", analysis.json.text), ("scenario.resolved.yaml", ScenarioWriter.resolvedYAML(experiment)),
            ("points.csv", CSVText.points(result)), ("results.csv", CSVText.results(result)),
            ("today.csv", CSVText.present(result)),
            ("effects.csv", hasEffects ? CSVText.effects(analysis) : nil),
            ("sensitivity.csv", hasSensitivity ? CSVText.sensitivity(analysis) : nil),
            ("pareto.csv", analysis.tradeOff.map { CSVText.pareto(analysis, $0) }),
            ("checks.csv", result.sweep.checks.isEmpty ? nil : CSVText.checks(result)),
        ]
        self.init(report: SweepReport(analysis: analysis, charts: charts).blocks, data, charts: charts)
    }
}

extension SweepAnalysis {
    /// `sweep.json`: the factors and the main results.
    ///
    /// It contains nothing about the machine, the commit or the time.
    fileprivate var json: JSONValue {
        let (sweep, points, responses) = (result.sweep, result.points, result.responses)
        let factors = sweep.factors
        let answer = SweepAnswer(analysis: self)
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
            "fingerprint": .string(result.fingerprint.value.hexadecimal),
            "answer": .strings(answer.lines), "across_worlds": answer.acrossWorlds.map { .string($0) } ?? .null,
            "deciding_response": answer.decidingText.map { .string($0) } ?? .null,
            "numbers": .array(
                answer.cheaperThanPresent.map { AgainstPresent(result).numbers(at: $0).map(\.json) } ?? []
            ),
            "against_today": answer.cheapest.map { .string($0) } ?? .null, "mark": .string(answer.mark),
            "movers": .array(
                answer.movers.map { mover in
                    [
                        "factor": .string(mover.factor), "by": .string(mover.by),
                        "effect": mover.effect.map { .decimal($0, places: 6) } ?? .null,
                    ]
                }
            ),
            "today": AgainstPresent(result).json(chosen: answer.cheaperThanPresent),
            "today_missing": sweep.noteOnAbsentPresent.map { .string($0) } ?? .null,
            "counts": [
                "activities": .integer(points.reduce(0) { $0 + $1.activities }),
                "events": .unsigned(points.reduce(0) { $0 + $1.events }),
            ],
        ]
    }
}
