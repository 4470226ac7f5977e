import Experiments
import LiveActivityModel
import SimulationKernel
import TextFormats

/// `sweep.json`: what was varied and what came of it, in a few numbers; nothing of the machine, the commit or the moment.
struct SweepDescription {
    /// Grows when a script that reads `sweep.json` would have to change.
    static let schemaVersion: Int64 = 1

    /// What is written.
    let json: JSONValue

    init(_ result: SweepResult) {
        let sweep = result.sweep
        let factors = sweep.factors
        json = [
            "schema_version": .integer(SweepDescription.schemaVersion),
            "sweep_id": .string(sweep.id.hexadecimal),
            "name": .string(sweep.experiment.scenario.name),
            "seed": .unsigned(sweep.experiment.scenario.seed),
            "design": .string(factors.design.rawValue),
            "design_points": .integer(Int64(sweep.designSize)),
            "points": .array(result.points.map { .integer(Int64($0.point.number)) }),
            "replications": .integer(Int64(sweep.replications)),
            "factors": .array(factors.vary.map { .string($0.path) }),
            "responses": .array(result.responses.map { .string($0) }),
            "run_ids": .array(result.points.map { .string($0.point.run.description) }),
            "fingerprint": .string(result.fingerprint.value.hexadecimal),
            "counts": [
                "activities": .integer(result.points.reduce(0) { $0 + $1.activities }),
                "events": .unsigned(result.points.reduce(0) { $0 + $1.events }),
            ],
        ]
    }
}
