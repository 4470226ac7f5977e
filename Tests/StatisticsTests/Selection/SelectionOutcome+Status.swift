import Statistics

extension SelectionOutcome {
    /// The systems that break a constraint, in order.
    var infeasible: [Int] {
        systems.indices.filter { if case .infeasible = systems[$0].status { true } else { false } }
    }

    /// The survivors of which it is not known whether they keep to the constraints, in order.
    var undecided: [Int] {
        systems.indices.filter { systems[$0].status == .surviving(isFeasible: false) }
    }
}
