/// Chooses the best of some systems by replications, ruling systems out as soon as they are sure to be worse.
///
/// The fully sequential procedure KN of Kim and Nelson (ACM TOMACS 11, 2001) for the comparison, with the feasibility
/// check of Andradóttir and Kim (Naval Research Logistics 57, 2010; for several constraints Batur and Kim, ACM TOMACS 20,
/// 2010), both at once, as in Andradóttir and Kim's procedure AK+. It is told the responses of runs and says which runs
/// come next. The caller may run them in parallel and in any order, and resume by telling the kept ones again:
///
///         ┌── next() ──▶ .run([system, replication]) ──▶ (the caller runs them) ──▶ record(…) ──┐
///         │                                                                                     │
///         └◀────────────────────────────────────────────────────────────────────────────────────┘
///         └── next() ──▶ .finished(outcome)
///
/// After n₀ replications of each system, and then after every further one of those still in contention:
/// 1. Each constraint of a system is settled once the sum of its distances from the limit leaves a ``TriangularRegion``.
///    A system on the wrong side of one is infeasible and out.
/// 2. Each pair of systems is settled once the sum of its paired differences leaves such a region. That is remembered.
/// 3. A system that lost to a feasible system in contention is out. (To an undecided one it is not: that one may turn
///    out infeasible.)
///
/// It ends with one feasible system, with none, or with the budget. Bonferroni: α₁ / (systems · constraints) for each
/// judgement of a limit and α₂ / (systems - 1) for each pair, α₁ + α₂ = α. That holds for any dependence between systems
/// and responses, so for common random numbers, which make the differences small and the procedure quick.
///
/// Ties: a sum on the limit counts as inside; of equal systems the lower index wins; both occur where nothing varies
/// (a variance of 0 closes the region at once). Decisions are taken replication by replication in index order, so the
/// outcome does not depend on the order of `record`, nor on how far the caller runs ahead.
public struct KNProcedure: Hashable, Sendable {
    /// One replication of one system.
    public struct Run: Hashable, Sendable {
        /// The system, from 0.
        public let system: Int
        /// The replication, from 0; the same replication of two systems shares its random numbers.
        public let replication: Int
    }

    /// What to do next.
    public enum Step: Hashable, Sendable {
        /// Do these runs, in any order, and record their responses; never empty, by replication and then by system.
        case run([Run])
        /// Nothing more to do.
        case finished(SelectionOutcome)
    }

    /// What is looked for.
    public let problem: SelectionProblem
    /// The state of each system.
    var systems: [SystemState]
    /// The state of each pair of systems; see `pairIndex`.
    var pairs: [PairState]
    /// How many replications have been taken into account.
    var replications = 0
    /// Whether nothing is left to decide, or nothing left to spend.
    var isFinished = false

    let limitRegions: [TriangularRegion]
    let differenceRegion: TriangularRegion?

    /// A procedure that has seen nothing yet.
    ///
    /// - Precondition: The problem has no ``SelectionProblem/errors``.
    public init(_ problem: SelectionProblem) {
        precondition(problem.errors.isEmpty, "the problem can be solved")
        self.problem = problem
        systems = Array(repeating: SystemState(constraints: problem.constraints.count), count: problem.systems)
        pairs = Array(repeating: PairState(), count: problem.systems * (problem.systems - 1) / 2)
        let parts = problem.errorParts
        limitRegions = problem.constraints.map { constraint in
            TriangularRegion(
                errorProbability: min(
                    parts.feasibility / Double(problem.systems * problem.constraints.count),
                    // Whichever system is chosen, the chance that it breaks this limit is asked for.
                    constraint.confidence.map { (1 - $0) / Double(problem.systems) } ?? 1
                ),
                distance: constraint.tolerance,
                initialReplications: problem.initialReplications
            )
        }
        differenceRegion =
            problem.systems == 1
            ? nil
            : TriangularRegion(
                errorProbability: parts.comparison / Double(problem.systems - 1),
                distance: problem.indifference,
                initialReplications: problem.initialReplications
            )
    }

    /// What to do next: the runs that are not recorded yet, or the outcome.
    ///
    /// Asking changes nothing. All n₀ replications of the first stage are named at once.
    ///
    /// - Parameter lookahead: How many replications of each system in contention to name after the first stage. More
    ///   keep more processors busy; runs of systems that are ruled out meanwhile are in vain and not counted.
    /// - Precondition: `lookahead` is at least 1.
    public func next(lookahead: Int = 1) -> Step {
        precondition(lookahead >= 1, "there is something to do next")
        guard !isFinished else { return .finished(outcome) }
        let contenders = self.contenders
        var last = max(problem.initialReplications, replications + lookahead)
        if let budget = problem.budget {
            // At least one more can be paid: otherwise the procedure would have finished.
            last = min(last, replications + (budget - spent) / contenders.count)
        }
        return .run(
            (replications..<last)
                .flatMap { replication in
                    contenders
                        .filter { systems[$0].response(replication) == nil }
                        .map { Run(system: $0, replication: replication) }
                }
        )
    }

    /// Takes the responses of a run: the objective, then one for each constraint.
    ///
    /// Runs may come in any order, also such as were not asked for (from an earlier session with more lookahead). A run
    /// that is known already, or of a system that is out, changes nothing.
    ///
    /// - Precondition: The system exists, the replication is not negative, there are as many responses as that, all finite.
    /// - Complexity: O(systems · (systems + constraints)) when it completes a replication, else O(systems).
    public mutating func record(_ run: Run, responses: [Double]) {
        precondition(systems.indices.contains(run.system), "there are \(systems.count) systems")
        precondition(run.replication >= 0, "replications count from 0")
        precondition(responses.count == 1 + problem.constraints.count, "an objective and each constraint")
        precondition(responses.allSatisfy(\.isFinite), "responses are finite")
        guard !isFinished, systems[run.system].isInContention else { return }
        systems[run.system].keep(responses, replication: run.replication)
        advance()
    }

    /// The systems that are not ruled out, in order.
    var contenders: [Int] { systems.indices.filter { systems[$0].isInContention } }

    /// The runs that have been taken into account.
    var spent: Int { systems.reduce(0) { $0 + $1.replications } }
}
