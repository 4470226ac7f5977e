import Experiments
import LiveActivityModel
import Statistics
import TextFormats

/// `tune.json`: what was looked for and what came of it, for scripts.
struct TuningDescription {
    /// Grows when a script that reads `tune.json` would have to change.
    static let schemaVersion: Int64 = 1

    /// What is written.
    let json: JSONValue

    init(_ result: TuningResult) {
        let tuning = result.tuning
        let problem = tuning.problem
        let decision: String =
            switch result.outcome.decision {
            case .selected: "selected"
            case .noneFeasible: "none_feasible"
            case .notSure: "not_sure"
            }
        json = [
            "schema_version": .integer(TuningDescription.schemaVersion),
            "tune_id": .string(tuning.sweep.id.hexadecimal),
            "name": .string(tuning.sweep.experiment.scenario.name),
            "seed": .unsigned(tuning.sweep.experiment.scenario.seed),
            "objective": .string(tuning.objective.text),
            "terms": .array(tuning.objective.terms.map { .string($0.text) }),
            "direction": .string(problem.direction == .maximise ? "maximise" : "minimise"),
            "constraints": .array(
                zip(tuning.limits, problem.constraints)
                    .map { response, constraint in
                        [
                            "response": .string(response.text),
                            "side": .string(constraint.side == .atMost ? "at_most" : "at_least"),
                            "limit": .number(constraint.limit),
                            "tolerance": .number(constraint.tolerance),
                            "confidence": constraint.confidence.map { .decimal($0, places: 6) } ?? .null,
                        ]
                    }
            ),
            "indifference": .number(problem.indifference),
            "confidence": .decimal(1 - problem.errorProbability, places: 6),
            "first_replications": .integer(Int64(problem.initialReplications)),
            "decision": .string(decision),
            "point": result.best.map { .integer(Int64($0.number)) } ?? .null,
            "levels": result.best.map { best in
                .object(
                    Dictionary(
                        zip(tuning.sweep.factors.vary.map(\.path), best.levels.map { .string($0.label) })
                    ) { first, _ in first }
                )
            } ?? .null,
            "nearest": result.nearest.map { Self.value(of: $0, in: tuning) } ?? .null,
            "replications": .integer(Int64(result.outcome.runs)),
        ]
    }

    /// The point that misses the limits least, where none keeps to them.
    private static func value(of miss: TuningResult.Miss, in tuning: Tuning) -> JSONValue {
        [
            "point": .integer(Int64(tuning.sweep.points[miss.system].number)),
            "misses": .array(
                miss.gaps.map { gap in
                    [
                        "response": .string(tuning.limits[gap.constraint].text),
                        "by": .number(gap.distance),
                    ]
                }
            ),
        ]
    }
}

extension Tuning {
    /// The terms of a cost, as they are written; none where the objective is a response or a factor by itself.
    var termTexts: [String] { objective.terms.count > 1 ? objective.terms.map(\.text) : [] }
}

extension CSVText {
    /// `tune.csv`: a row for each design point: its levels, what became of it, and its means.
    static func tuning(_ result: TuningResult) -> String {
        let sweep = result.tuning.sweep
        var csv = CSVText(
            header: ["point"] + sweep.factors.vary.map(\.path) + ["verdict", "replications"]
                + [result.tuning.objective.text] + result.tuning.limits.map(\.text) + result.tuning.termTexts
        )
        for (index, system) in result.outcome.systems.enumerated() {
            let verdict: String
            if case .selected(index) = result.outcome.decision {
                verdict = "selected"
            } else {
                verdict =
                    switch system.status {
                    case .surviving: "surviving"
                    case .infeasible: "infeasible"
                    case .eliminated: "eliminated"
                    }
            }
            csv.add(
                ["\(sweep.points[index].number)"] + sweep.points[index].levels.map(\.label)
                    + [verdict, "\(system.replications)"] + system.means.map { field($0) }
                    + (result.tuning.termTexts.isEmpty ? [] : result.meanTerms(of: index).map { field($0) })
            )
        }
        return csv.text
    }

    /// `results.csv` of a search: a row for each replication that was run and each response.
    static func results(_ result: TuningResult) -> String {
        var csv = CSVText(header: ["point", "replication", "response", "unit", "value"])
        for (point, samples) in zip(result.tuning.sweep.points, result.samples) {
            for sample in samples {
                let responses =
                    [(result.tuning.objective.text, result.tuning.objective.unit)]
                    + result.tuning.limits.map { ($0.text, $0.unit) } + result.tuning.termTexts.map { ($0, "1") }
                let terms = result.tuning.termTexts.isEmpty ? [] : sample.terms
                for (response, value) in zip(responses, sample.values + terms) {
                    csv.add(["\(point.number)", "\(sample.replication)", response.0, response.1, field(value)])
                }
            }
        }
        return csv.text
    }
}
