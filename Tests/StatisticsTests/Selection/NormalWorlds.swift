import SimulationKernel
import Statistics

/// Systems with normal responses that share part of their random variation.
///
/// Response r of system i in a replication is mean + deviation · (√ρ · common + √(1 - ρ) · own).
struct NormalWorlds {
    /// The means by system: the objective, then the constraints.
    let means: [[Double]]
    var deviation = 1.0
    /// ρ, between the same response of two systems.
    var correlation = 0.5

    func responses(_ run: KNProcedure.Run, world: UInt32) -> [Double] {
        let source = RandomSource(seed: 2001, replication: world)
        return means[run.system].enumerated()
            .map { response, mean in
                let index = UInt32(run.replication)
                let common = Self.normal(source.draw(entity: 0, purpose: UInt16(response), index: index))
                let own = Self.normal(
                    source.draw(entity: UInt64(run.system) + 1, purpose: UInt16(response), index: index)
                )
                return mean + deviation * (correlation.squareRoot() * common + (1 - correlation).squareRoot() * own)
            }
    }

    /// The outcome of the whole procedure in one world.
    func outcome(_ problem: SelectionProblem, world: UInt32, lookahead: Int = 1) -> SelectionOutcome {
        var procedure = KNProcedure(problem)
        while true {
            switch procedure.next(lookahead: lookahead) {
            case .finished(let outcome): return outcome
            case .run(let runs):
                for run in runs { procedure.record(run, responses: responses(run, world: world)) }
            }
        }
    }

    private static func normal(_ draw: UInt64) -> Double {
        Normal.quantile((Double(draw >> 11) + 0.5) * 0x1p-53)
    }
}

extension SelectionProblem {
    /// The largest mean of some systems.
    static func largest(
        _ systems: Int,
        indifference: Double,
        _ constraints: ResponseConstraint...,
        error: Double = 0.05,
        first: Int = 10,
        budget: Int? = nil
    ) -> SelectionProblem {
        SelectionProblem(
            systems: systems,
            direction: .maximise,
            indifference: indifference,
            constraints: constraints,
            errorProbability: error,
            initialReplications: first,
            budget: budget
        )
    }
}
