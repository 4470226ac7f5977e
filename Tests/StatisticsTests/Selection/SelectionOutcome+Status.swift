import Statistics

extension SelectionOutcome {
    /// The systems that violate a constraint, in order.
    var infeasible: [Int] {
        systems.indices.filter { if case .infeasible = systems[$0].status { true } else { false } }
    }

    /// The survivors whose feasibility is not known, in order.
    var undecided: [Int] {
        systems.indices.filter { systems[$0].status == .surviving(isFeasible: false) }
    }
}
