/// What a selection has come to, and how sure that is.
public struct SelectionOutcome: Hashable, Sendable {
    /// The answer.
    public enum Decision: Hashable, Sendable {
        /// This system, with the stated guarantee.
        case selected(Int)
        /// No system keeps to the constraints, with the stated guarantee.
        case noneFeasible
        /// The budget was spent first: not sure.
        ///
        /// `leader` has the best mean so far among the survivors, of those already known to be feasible if there are
        /// any; equal means go to the lower index. It carries no guarantee.
        case notSure(leader: Int)
    }

    /// Where a system stands.
    public enum Status: Hashable, Sendable {
        /// Neither ruled out nor alone; `isFeasible` tells whether all its constraints are settled.
        case surviving(isFeasible: Bool)
        /// On the wrong side of these constraints, as was found after these replications.
        case infeasible(constraints: [Int], replications: Int)
        /// Worse than a feasible system, as was found after these replications.
        case eliminated(by: Int, replications: Int)
    }

    /// One system's part.
    public struct System: Hashable, Sendable {
        /// Where it stands.
        public let status: Status
        /// How many of its replications were used.
        public let replications: Int
        /// The means of its responses over these: the objective, then the constraints; empty before the first.
        public let means: [Double]
    }

    /// The answer.
    public let decision: Decision
    /// Every system, by index.
    public let systems: [System]
    /// What the answer rests on.
    public let guarantee: SelectionGuarantee

    /// The systems that are not ruled out, in order.
    public var survivors: [Int] {
        systems.indices.filter { if case .surviving = systems[$0].status { true } else { false } }
    }

    /// All runs that were used, one for each replication of a system.
    public var runs: Int { systems.reduce(0) { $0 + $1.replications } }
}
