/// Selection of the best of several systems by replications, which eliminates systems as soon as they are certain to be
/// worse.
///
/// The fully sequential procedure KN of Kim and Nelson (ACM TOMACS 11, 2001) for the comparison, with the feasibility
/// check of Andradóttir and Kim (Naval Research Logistics 57, 2010; for several constraints Batur and Kim, ACM TOMACS
/// 20, 2010), both at once, as in Andradóttir and Kim's procedure AK+. It receives the responses of runs and returns
/// the next runs. The caller may run them in parallel and in any order, and resume by recording the stored ones again:
///
///         ┌── next() ──▶ .run([system, replication]) ──▶ (the caller runs them) ──▶ record(…) ──┐
///         │                                                                                     │
///         └◀────────────────────────────────────────────────────────────────────────────────────┘
///         └── next() ──▶ .finished(outcome)
///
/// After n₀ replications of each system, and then after every further replication of the systems in contention:
///
/// 1. Each constraint of a system is decided once the sum of its distances from the limit leaves a
///    ``TriangularRegion``. A system that violates one is infeasible and out.
/// 2. Each pair of systems is decided once the sum of its paired differences leaves such a region. The decision is
///    stored.
/// 3. A system that lost to a feasible system in contention is out. (A loss to an undecided one does not count: that
///    one may turn out infeasible.)
///
/// It ends with one feasible system, with none, or with the budget. Bonferroni: α₁ / (systems · constraints) for each
/// decision about a limit and α₂ / (systems - 1) for each pair, α₁ + α₂ = α. That holds for any dependence between
/// systems and responses, and so for common random numbers, which make the differences small and the procedure fast.
///
/// Ties: a sum on the limit counts as inside; of equal systems the lower index wins; both occur if nothing varies (a
/// variance of 0 closes the region at once). Decisions are made replication by replication in index order, so the
/// outcome depends neither on the order of `record` nor on how far the caller runs ahead.
public struct KNProcedure: Hashable, Sendable {
    /// One replication of one system.
    public struct Run: Hashable, Sendable {
        /// The system, from 0.
        public let system: Int
        /// The replication, from 0; the same replication of two systems shares its random numbers.
        public let replication: Int
    }

    /// The next step.
    public enum Step: Hashable, Sendable {
        /// The runs to perform, in any order, and to record; never empty, sorted by replication and then by system.
        case run([Run])
        /// There is nothing left to do.
        case finished(SelectionOutcome)
    }

    public let problem: SelectionProblem
    /// The state of each system.
    var systems: [SystemState]
    /// The state of each pair of systems; see `pairIndex`.
    var pairs: [PairState]
    /// The number of processed replications.
    var replications = 0
    /// `true` if nothing is left to decide, or the budget is spent.
    var isFinished = false

    let limitRegions: [TriangularRegion]
    let differenceRegion: TriangularRegion?

    /// Creates a procedure without any replications.
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
                    // The confidence is that the chosen system, whichever it is, does not violate this limit.
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

    /// The next step: the runs that are not recorded yet, or the outcome.
    ///
    /// The call changes nothing. All n₀ replications of the first stage are returned at once.
    ///
    /// - Parameter lookahead: The number of replications per system in contention to return after the first stage. More
    ///   keep more processors busy; runs of systems that are eliminated meanwhile are wasted and not counted.
    /// - Precondition: `lookahead` is at least 1.
    public func next(lookahead: Int = 1) -> Step {
        precondition(lookahead >= 1, "there is something to do next")
        guard !isFinished else { return .finished(outcome) }
        let contenders = self.contenders
        var last = max(problem.initialReplications, replications + lookahead)
        if let budget = problem.budget {
            // At least one more replication is affordable; otherwise the procedure would have finished.
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

    /// Records the responses of a run: the objective, then one for each constraint.
    ///
    /// Runs may arrive in any order, and may include runs that were not requested (from an earlier session with more
    /// lookahead). A run that is already recorded, or that belongs to a system that is out, changes nothing.
    ///
    /// - Precondition: The system exists, the replication is not negative, the number of responses matches, and all are
    ///   finite.
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

    /// The systems in contention, in order.
    var contenders: [Int] { systems.indices.filter { systems[$0].isInContention } }

    /// The number of processed runs.
    var spent: Int { systems.reduce(0) { $0 + $1.replications } }
}
