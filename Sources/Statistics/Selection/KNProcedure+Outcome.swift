extension KNProcedure {
    /// The current outcome; before the end it is ``SelectionOutcome/Decision/notSure(leader:)``.
    public var outcome: SelectionOutcome {
        let contenders = self.contenders
        let isPastFirstStage = replications >= problem.initialReplications
        let decision: SelectionOutcome.Decision
        var holds = true
        if isPastFirstStage, let only = contenders.first, contenders.count == 1, systems[only].isFeasible {
            decision = .selected(only)
        } else if let leader = leader(of: contenders) {
            (decision, holds) = (.notSure(leader: leader), false)
        } else {
            decision = .noneFeasible
        }
        return SelectionOutcome(
            decision: decision,
            systems: systems.map(report),
            guarantee: SelectionGuarantee(problem: problem, holds: holds)
        )
    }

    /// The contender with the best mean so far, among the feasible ones if there are any; nil without contenders.
    private func leader(of contenders: [Int]) -> Int? {
        let feasible = contenders.filter { systems[$0].isFeasible }
        // All contenders have the same number of replications, so their sums compare like their means. Ties go to the
        // first.
        return (feasible.isEmpty ? contenders : feasible)
            .reduce(nil as Int?) { best, system in
                guard let best else { return system }
                return systems[system].sums[0] > systems[best].sums[0] ? system : best
            }
    }

    private func report(_ system: SystemState) -> SelectionOutcome.System {
        let status: SelectionOutcome.Status =
            switch system.exit {
            case nil: .surviving(isFeasible: system.isFeasible && system.replications >= problem.initialReplications)
            case .infeasible(let constraints):
                .infeasible(constraints: constraints, replications: system.replications)
            case .eliminated(let better): .eliminated(by: better, replications: system.replications)
            }
        let means =
            system.replications == 0 ? [] : (0...problem.constraints.count).map { system.column($0).mean }
        return SelectionOutcome.System(status: status, replications: system.replications, means: means)
    }
}
