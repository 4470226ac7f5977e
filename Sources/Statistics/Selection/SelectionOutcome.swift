/// The outcome of a selection and its certainty.
public struct SelectionOutcome: Hashable, Sendable {
    /// The decision.
    public enum Decision: Hashable, Sendable {
        /// This system was selected, with the stated guarantee.
        case selected(Int)
        /// No system satisfies the constraints, with the stated guarantee.
        case noneFeasible
        /// The budget was spent before a decision.
        ///
        /// `leader` has the best mean so far among the surviving systems, or among the feasible ones if there are any;
        /// ties go to the lower index. It has no guarantee.
        case notSure(leader: Int)
    }

    /// The status of a system.
    public enum Status: Hashable, Sendable {
        /// Neither eliminated nor selected; `isFeasible` is `true` if all its constraints are decided.
        case surviving(isFeasible: Bool)
        /// Violates the listed constraints, as was found after a number of replications.
        case infeasible(constraints: [Int], replications: Int)
        /// Worse than a feasible system, as was found after a number of replications.
        case eliminated(by: Int, replications: Int)
    }

    /// The result of one system.
    public struct System: Hashable, Sendable {
        public let status: Status
        /// The number of its replications that were used.
        public let replications: Int
        /// The means of its responses over these replications: the objective, then the constraints; empty before the
        /// first.
        public let means: [Double]
    }

    public let decision: Decision
    /// The results of the systems, by index.
    public let systems: [System]
    /// The guarantee of the decision.
    public let guarantee: SelectionGuarantee

    /// The systems that are not eliminated, in order.
    public var survivors: [Int] {
        systems.indices.filter { if case .surviving = systems[$0].status { true } else { false } }
    }

    /// The number of runs that were used, one for each replication of a system.
    public var runs: Int { systems.reduce(0) { $0 + $1.replications } }
}
