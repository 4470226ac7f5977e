import Statistics
import Testing

/// Compared step by step with an independent program that follows the papers: Fixtures/kn.py.
struct KNReferenceTests {
    /// An irregular integer, computed in the same way by the program.
    private static func response(_ system: Int, _ replication: Int) -> Double {
        let mixed = UInt64(system * 7919 + replication * 104_729 + system * replication * 31 + 12_345) * 2_654_435_761
        return Double((mixed >> 16 & 0xFFFF) % 100)
    }

    private static func outcome(
        _ problem: SelectionProblem,
        responses: (KNProcedure.Run) -> [Double]
    ) -> SelectionOutcome {
        var procedure = KNProcedure(problem)
        while case .run(let runs) = procedure.next(lookahead: 50) {
            for run in runs { procedure.record(run, responses: responses(run)) }
        }
        return procedure.outcome
    }

    @Test(arguments: KNReference.selections, ResponseDirection.allCases)
    func selection(_ case: (Int, Double, Double, Int, Int, [Int], Int), _ direction: ResponseDirection) {
        let (systems, errorProbability, indifference, initialReplications, best, eliminations, last) = `case`
        let outcome = Self.outcome(
            SelectionProblem(
                systems: systems,
                direction: direction,
                indifference: indifference,
                errorProbability: errorProbability,
                initialReplications: initialReplications
            )
        ) { run in
            let value = Self.response(run.system, run.replication)
            return [direction == .maximise ? value : 1000 - value]
        }
        #expect(outcome.decision == .selected(best))
        #expect(outcome.systems[best].replications == last)
        for system in 0..<systems where system != best {
            guard case .eliminated(_, let replications) = outcome.systems[system].status else {
                Issue.record("system \(system) is still in")
                continue
            }
            #expect(replications == eliminations[system])
        }
    }

    @Test(arguments: KNReference.feasibility, [ResponseConstraint.Side.atMost, .atLeast])
    func feasibility(_ case: (Int, Double, Double, Double, Int, Bool, Int), _ side: ResponseConstraint.Side) {
        let (system, limit, errorProbability, tolerance, initialReplications, isFeasible, last) = `case`
        let sign = side == .atMost ? 1.0 : -1
        let outcome = Self.outcome(
            SelectionProblem.largest(
                1,
                indifference: 1,
                .init(side, sign * limit, tolerance: tolerance),
                error: errorProbability,
                first: initialReplications
            )
        ) { [0, sign * Self.response(system, $0.replication)] }
        #expect(outcome.decision == (isFeasible ? .selected(0) : .noneFeasible))
        #expect(outcome.systems[0].replications == last)
    }
}
