import Evaluation
import LiveActivityModel
import ScenarioLanguage
import Shell
import Statistics
import Studies
import TextFormats

extension TuningResult {
    /// `tune.json`: the goal and the outcome, for scripts.
    var json: JSONValue {
        let problem = tuning.problem
        let decision: JSONValue =
            switch outcome.decision {
            case .selected: "selected"
            case .noneFeasible: "none_feasible"
            case .notSure: "not_sure"
            }
        let constraints = zip(tuning.limits, problem.constraints)
            .map { response, constraint -> JSONValue in
                [
                    "response": .string(response.text),
                    "side": constraint.side == .atMost ? "at_most" : "at_least",
                    "limit": .number(constraint.limit), "tolerance": .number(constraint.tolerance),
                    "confidence": constraint.confidence.map { .decimal($0, places: 6) } ?? .null,
                ]
            }
        return [
            // The version grows if scripts that read the file would have to change.
            "schema_version": 1, "freshet_version": .string(Release.version),
            "tune_id": .string(tuning.sweep.id.hexadecimal),
            "name": .string(tuning.sweep.experiment.scenario.name),
            "seed": .unsigned(tuning.sweep.experiment.scenario.seed),
            "objective": .string(tuning.objective.text),
            "terms": .array(tuning.objective.terms.map { .string($0.text) }),
            "direction": problem.direction == .maximise ? "maximise" : "minimise",
            "constraints": .array(constraints),
            "indifference": .number(problem.indifference),
            "confidence": .decimal(1 - problem.errorProbability, places: 6),
            "first_replications": .integer(Int64(problem.initialReplications)),
            "decision": decision, "mark": .string(TuningReport(self).mark),
            "point": best.map { .integer(Int64($0.number)) } ?? .null,
            "levels": best.map { best in
                let levels = zip(tuning.sweep.factors.vary, best.levels).map { ($0.path, JSONValue.string($1.label)) }
                return .object(Dictionary(levels) { first, _ in first })
            } ?? .null,
            "nearest": nearest.map { json($0) } ?? .null, "unreached": jsonOfCeilings,
            "as_good": .array(asGood.map { .integer(Int64(tuning.sweep.points[$0].number)) }),
            "today": jsonOfPresent,
            "today_missing": noteOnAbsentPresent.map { .string($0) } ?? .null,
            "answer": .strings(TuningReport(self).answer),
            "numbers": .array(TuningReport(self).numbers.map(\.json)),
            "numbers_basis": .string(TuningReport(self).basisOfNumbers),
            "guarantee": .strings(TuningReport(self).guarantee),
            "replications": .integer(Int64(outcome.runs)),
        ]
    }

    /// The present settings, with the difference that the best point makes, or the nearest without one; null if they were
    /// not run.
    private var jsonOfPresent: JSONValue {
        guard let present, let means = present.means else { return .null }
        let levels = zip(tuning.sweep.factors.vary, present.point.levels)
            .map { ($0.path, JSONValue.string($1.label)) }
        var members: [String: JSONValue] = [
            "point": .integer(Int64(present.point.number)),
            "is_design_point": .bool(present.system != nil),
            "levels": .object(Dictionary(levels) { first, _ in first }),
            "replications": .integer(Int64(present.samples.count)),
            "means": .array(means.map { .number($0) }),
        ]
        if let system = bestOrNearest {
            members["differences"] = .array(
                means.indices.map { change(of: $0, at: system).map { .number($0.difference) } ?? .null }
            )
            members["pushes"] =
                volumes(at: system)
                .map {
                    PushPeriod(tuning.sweep.experiment.scenario).json(present: $0.present, point: $0.point)
                } ?? .null
        }
        return .object(members)
    }

    /// Returns the point that misses the limits least.
    private func json(_ miss: Miss) -> JSONValue {
        let misses = miss.gaps.map { gap -> JSONValue in
            ["response": .string(tuning.limits[gap.constraint].text), "by": .number(gap.distance)]
        }
        return ["point": .integer(Int64(tuning.sweep.points[miss.system].number)), "misses": .array(misses)]
    }
}

extension Tuning {
    /// The texts of the terms of a cost; empty if the objective is a single response or factor.
    var termTexts: [String] { objective.terms.count > 1 ? objective.terms.map(\.text) : [] }
}

extension CSVText {
    /// Returns `tune.csv`: one row per design point, with its levels, its verdict and its means.
    static func tuning(_ result: TuningResult) -> String {
        let sweep = result.tuning.sweep
        func verdict(_ index: Int) -> String {
            if case .selected(index) = result.outcome.decision { return "selected" }
            return switch result.outcome.systems[index].status {
            case .surviving: "surviving"
            case .infeasible: "infeasible"
            case .eliminated: "eliminated"
            }
        }
        return text(
            header: ["point"] + sweep.factors.vary.map(\.path) + ["verdict", "replications"]
                + [result.tuning.objective.text] + result.tuning.limits.map(\.text) + result.tuning.termTexts,
            rows: result.outcome.systems.enumerated()
                .map { index, system in
                    let terms = result.tuning.termTexts.isEmpty ? [] : result.meanTerms(of: index)
                    return sweep.points[index].leadingCells + [verdict(index), "\(system.replications)"]
                        + system.means.map { field($0) } + terms.map { field($0) }
                }
        )
    }

    /// Returns `results.csv` of a search: one row per replication and response.
    static func results(_ result: TuningResult) -> String {
        let tuning = result.tuning
        let responses =
            [(tuning.objective.text, tuning.objective.unit)] + tuning.limits.map { ($0.text, $0.unit) }
            + tuning.termTexts.map { ($0, "1") }
        return results(
            of: responses,
            zip(tuning.sweep.points, result.samples)
                .flatMap { point, samples in
                    samples.map { sample in
                        let values = sample.values + (tuning.termTexts.isEmpty ? [] : sample.terms)
                        return (point.number, sample.replication, values.map { field($0) })
                    }
                }
        )
    }
}
