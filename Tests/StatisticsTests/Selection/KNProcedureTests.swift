import Testing

@testable import Statistics

struct KNProcedureTests {
    private typealias Run = KNProcedure.Run

    private static let limit = ResponseConstraint(.atMost, 10, tolerance: 0.5)

    /// Runs a procedure on responses that are a function of the run.
    private static func outcome(
        _ problem: SelectionProblem,
        _ responses: (KNProcedure.Run) -> [Double]
    ) -> SelectionOutcome {
        var procedure = KNProcedure(problem)
        for _ in 0..<10_000 {
            switch procedure.next() {
            case .finished(let outcome): return outcome
            case .run(let runs):
                for run in runs { procedure.record(run, responses: responses(run)) }
            }
        }
        Issue.record("does not end")
        return procedure.outcome
    }

    @Test(
        "With a confidence a limit is tested from inside: a mean on it is rejected, one two tolerances inside is not"
    )
    func confidence() {
        func decision(_ mean: Double, _ confidence: Double?) -> SelectionOutcome.Decision {
            let problem = SelectionProblem.largest(
                1,
                indifference: 1,
                .init(.atMost, 10, tolerance: 0.5, confidence: confidence),
                first: 4
            )
            return Self.outcome(problem) { [0, mean + ($0.replication.isMultiple(of: 2) ? 0.1 : -0.1)] }.decision
        }
        #expect(decision(9.99, nil) == .selected(0))
        #expect(decision(9.99, 0.95) == .noneFeasible)
        #expect(decision(9, 0.95) == .selected(0))
        #expect(ResponseConstraint(.atLeast, 10, tolerance: 0.5, confidence: 0.9).target == 10.5)
    }

    /// Differences 3, -1, 3, -1, …: variance 16 / 3 over the first four, n₀ = 4, β = α = 0.1.
    ///
    /// h² = 3 (0.2^(-2/3) - 1) = 5.772053 (by hand), so the half-width with δ = 1 is 15.392142 - r / 2. The sum of r
    /// differences is r for even r, r + 2 for odd r. It exceeds the half-width at r = 9: 11 ≥ 10.892142; not at r = 8:
    /// 8 < 11.392142.
    @Test
    func walkedByHand() {
        let problem = SelectionProblem.largest(2, indifference: 1, error: 0.1, first: 4)
        let outcome = Self.outcome(problem) { [$0.system == 0 ? 0 : $0.replication.isMultiple(of: 2) ? 3 : -1] }
        #expect(outcome.decision == .selected(1))
        #expect(outcome.systems[0].status == .eliminated(by: 1, replications: 9))
        #expect(outcome.systems[0].means == [0])
        #expect(outcome.systems[1].means == [11.0 / 9])
        #expect(outcome.runs == 18)
        #expect(outcome.guarantee.probability == 0.9)
        #expect(outcome.guarantee.holds)
    }

    /// Equal differences relative to a limit: h² for β = 0.1 of one system, drift 1 towards the wrong side.
    @Test
    func limitWalkedByHand() {
        let problem = SelectionProblem.largest(
            1,
            indifference: 1,
            .init(.atLeast, 10, tolerance: 1),
            error: 0.1,
            first: 4
        )
        let outcome = Self.outcome(problem) { [0, $0.replication.isMultiple(of: 2) ? 7 : 11] }
        #expect(outcome.decision == .noneFeasible)
        #expect(outcome.systems[0].status == .infeasible(constraints: [0], replications: 9))
    }

    @Test("Nothing varies: it ends after the first stage, and ties go to the lower index")
    func identical() {
        let problem = SelectionProblem.largest(4, indifference: 0.5, Self.limit, first: 5)
        // A mean on the limit counts as inside.
        let outcome = Self.outcome(problem) { [[0.1, 0.3, 0.3, 0.2][$0.system], 10] }
        #expect(outcome.decision == .selected(1))
        #expect(outcome.runs == 20)
        #expect(outcome.systems[2].status == .eliminated(by: 1, replications: 5))
        #expect(outcome.survivors == [1])
    }

    @Test("Systems that share all their random numbers are distinguished at once")
    func perfectlyPaired() {
        let worlds = NormalWorlds(means: [[1], [1.5], [1.25]], deviation: 100, correlation: 1)
        let outcome = worlds.outcome(
            SelectionProblem(systems: 3, direction: .minimise, indifference: 0.1),
            world: 1
        )
        #expect(outcome.decision == .selected(0))
        #expect(outcome.runs == 30)
    }

    @Test("No system satisfies the constraints: the outcome names the violated ones")
    func noneFeasible() {
        let problem = SelectionProblem.largest(
            2,
            indifference: 0.5,
            Self.limit,
            .init(.atLeast, 4, tolerance: 0.5),
            first: 5
        )
        let outcome = Self.outcome(problem) { $0.system == 0 ? [1, 11, 3] : [2, 9, 3] }
        #expect(outcome.decision == .noneFeasible)
        #expect(outcome.systems[0].status == .infeasible(constraints: [0, 1], replications: 5))
        #expect(outcome.systems[1].status == .infeasible(constraints: [1], replications: 5))
        #expect(outcome.infeasible == [0, 1])
        #expect(outcome.survivors.isEmpty)
        #expect(outcome.guarantee.holds && outcome.guarantee.feasibilityError == 0.025)
    }

    @Test("A single system is tested only against its constraints")
    func alone() {
        let worlds = NormalWorlds(means: [[1, 9.5]])
        let problem = SelectionProblem.largest(1, indifference: 1, Self.limit, error: 0.01)
        let outcome = worlds.outcome(problem, world: 3)
        #expect(outcome.decision == .selected(0))
        #expect(outcome.guarantee.feasibilityError == 0.01)
    }

    @Test("The budget ends it: no decision, a leader, no guarantee", arguments: [60, 61, 62, 100])
    func budget(_ budget: Int) throws {
        let worlds = NormalWorlds(means: [[1, 9.9], [1.05, 9.9], [1, 9.9]], correlation: 0)
        let problem = SelectionProblem.largest(
            3,
            indifference: 0.01,
            .init(.atMost, 10, tolerance: 0.01),
            first: 20,
            budget: budget
        )
        let outcome = worlds.outcome(problem, world: 0, lookahead: 7)
        #expect(outcome.runs == budget / 3 * 3)
        #expect(outcome.survivors == [0, 1, 2])
        #expect(outcome.undecided == [0, 1, 2])
        #expect(!outcome.guarantee.holds)
        let means = outcome.systems.map { $0.means[0] }
        let leader = try #require(means.indices.max { means[$0] < means[$1] })
        #expect(outcome.decision == .notSure(leader: leader))
    }

    @Test("Order, lookahead and repetition of records change nothing", arguments: 0..<20 as Range<UInt32>)
    func anyOrder(_ world: UInt32) {
        let worlds = NormalWorlds(means: [[5, 10.4], [4.5, 9.6], [4.2, 9.6], [4.4, 9.6]])
        let problem = SelectionProblem.largest(4, indifference: 0.3, Self.limit, budget: 2000)
        let expected = worlds.outcome(problem, world: world)
        var procedure = KNProcedure(problem)
        var told: [KNProcedure.Run] = []
        while case .run(let runs) = procedure.next(lookahead: 1 + told.count % 13) {
            told += runs
            for run in runs.reversed() { procedure.record(run, responses: worlds.responses(run, world: world)) }
        }
        #expect(procedure.next() == .finished(expected))
        // Resumed: all responses are recorded again in a new procedure, the last run first, twice.
        var resumed = KNProcedure(problem)
        for run in told.reversed() + told {
            resumed.record(run, responses: worlds.responses(run, world: world))
        }
        #expect(resumed.next() == .finished(expected))
    }

    @Test("The first stage is returned at once; recorded runs are not returned again")
    func steps() {
        var procedure = KNProcedure(SelectionProblem.largest(2, indifference: 1, first: 2))
        let first = [(0, 0), (1, 0), (0, 1), (1, 1)].map { Run(system: $0.0, replication: $0.1) }
        #expect(procedure.next() == .run(first))
        procedure.record(first[2], responses: [1])
        #expect(procedure.next() == .run([first[0], first[1], first[3]]))
        #expect(procedure.outcome.decision == .notSure(leader: 0))
    }

    /// Better but finally infeasible: it eliminates nothing meanwhile.
    @Test
    func infeasibleRulesOutNothing() {
        let worlds = NormalWorlds(means: [[9, 10.6], [1, 8]])
        let problem = SelectionProblem.largest(2, indifference: 0.5, Self.limit, error: 0.01)
        for world in 0..<50 as Range<UInt32> {
            #expect(worlds.outcome(problem, world: world).decision == .selected(1))
        }
    }

    @Test("All errors are reported at once")
    func refused() {
        let problem = SelectionProblem.largest(
            0,
            indifference: 0,
            .init(.atMost, .infinity, tolerance: -1),
            error: 0.5,
            first: 1,
            budget: -1
        )
        let errors: [SelectionError] = [
            .noSystems, .indifference(0), .limit(constraint: 0, .infinity), .tolerance(constraint: 0, -1),
            .errorProbability(0.5), .initialReplications(1), .budget(-1, least: 0),
        ]
        #expect(problem.errors == errors)
        #expect(
            SelectionError.budget(5, least: 20).description
                == "the budget must be at least 20 runs, which the initial replications take, got 5"
        )
    }

    /// The largest mean whose other response is at most 10, with a tolerance of a tenth.
    private static func limited(systems: Int) -> SelectionProblem {
        SelectionProblem.largest(systems, indifference: 1, .init(.atMost, 10, tolerance: 1), error: 0.1, first: 4)
    }

    /// System 1 is certainly better from the first stage on, but its limit is decided only at replication 33.
    ///
    /// β = 0.05 / 2, h² = 3 (0.05^(-2/3) - 1) = 19.104; the sum is -(r + 2) for odd r, the width 50.944 - r / 2.
    @Test("A win is stored until the winner is known to be feasible")
    func remembered() {
        let outcome = Self.outcome(Self.limited(systems: 2)) { run in
            // After the first stage the loser's objective is the better one: too late.
            run.system == 0
                ? [run.replication < 4 ? 0 : 2, 9] : [1, run.replication.isMultiple(of: 2) ? 7 : 11]
        }
        #expect(outcome.decision == .selected(1))
        #expect(outcome.systems[0].status == .eliminated(by: 1, replications: 33))
        #expect(outcome.runs == 66)
    }

    /// 1 beats 0 and 2 beats 1 in the first stage, 0 beats 2 later, all before any is known to be feasible.
    @Test("Even if wins form a cycle, one system remains")
    func circle() {
        let outcome = Self.outcome(Self.limited(systems: 3)) { run in
            let swing = run.replication.isMultiple(of: 2) ? 0.4 : -0.4
            let limit = run.replication.isMultiple(of: 2) ? 7.0 : 11
            switch (run.system, run.replication < 4) {
            case (0, true): return [swing, limit]
            case (0, false): return [100, limit]
            case (1, _): return [0.25, limit]
            default: return [0.5 - swing, limit]
            }
        }
        #expect(outcome.decision == .selected(0))
        let last = outcome.systems[0].replications
        #expect(outcome.systems[1].status == .eliminated(by: 2, replications: last))
        #expect(outcome.systems[2].status == .eliminated(by: 0, replications: last))
    }
}
