extension KNProcedure {
    /// Processes every replication that all contenders have, and makes the decisions that it allows.
    mutating func advance() {
        while !isFinished {
            let contenders = self.contenders
            let values = contenders.compactMap { systems[$0].response(replications) }
            guard values.count == contenders.count else { return }
            for (system, responses) in zip(contenders, values) {
                systems[system].take(oriented(responses))
            }
            replications += 1
            if replications == problem.initialReplications { estimateVariances() }
            if replications >= problem.initialReplications { screen() }
            isFinished = isSettled || !canPayForMore
        }
    }

    /// The responses, transformed so that a larger objective is better and a constraint above 0 is violated.
    private func oriented(_ responses: [Double]) -> [Double] {
        var values = [problem.direction.oriented(responses[0])]
        for (constraint, response) in zip(problem.constraints, responses.dropFirst()) {
            values.append(constraint.excess(response, over: constraint.target))
        }
        return values
    }

    private mutating func estimateVariances() {
        for system in systems.indices {
            systems[system].variances = problem.constraints.indices
                .map { Self.variance(systems[system].column($0 + 1)) }
        }
        let objectives = systems.map { $0.column(0) }
        for first in systems.indices {
            for second in (first + 1)..<max(first + 1, systems.count) {
                pairs[pairIndex(first, second)].variance =
                    Self.variance(zip(objectives[first], objectives[second]).map { $0 - $1 })
            }
        }
    }

    private static func variance(_ values: [Double]) -> Double {
        // For identical values, whose mean may be rounded, it is 0.
        guard let first = values.first, values.contains(where: { $0 != first }) else { return 0 }
        return values.squaredDeviations / Double(values.count - 1)
    }

    private mutating func screen() {
        for system in contenders { judgeFeasibility(of: system) }
        let contenders = self.contenders
        for (position, first) in contenders.enumerated() {
            for second in contenders[(position + 1)...] { compare(first, second) }
        }
        eliminate()
    }

    private mutating func judgeFeasibility(of system: Int) {
        var broken: [Int] = []
        for (constraint, region) in limitRegions.enumerated() where !systems[system].isSatisfied[constraint] {
            let sum = systems[system].sums[constraint + 1]
            let width = region.width(variance: systems[system].variances[constraint], replications: replications)
            if sum <= -width {
                systems[system].isSatisfied[constraint] = true
            } else if sum >= width {
                broken.append(constraint)
            }
        }
        if !broken.isEmpty { systems[system].exit = .infeasible(constraints: broken) }
    }

    private mutating func compare(_ first: Int, _ second: Int) {
        let pair = pairIndex(first, second)
        guard let region = differenceRegion, pairs[pair].winner == nil else { return }
        let sum = systems[first].sums[0] - systems[second].sums[0]
        let width = region.width(variance: pairs[pair].variance, replications: replications)
        if sum >= width {
            pairs[pair].winner = first
        } else if sum <= -width {
            pairs[pair].winner = second
        }
    }

    /// Eliminates systems that have lost to a feasible system which was in contention before this step.
    ///
    /// Feasible systems are processed from the best sum to the worst, ties by index. A system that is eliminated in
    /// this step still eliminates those after it, as in Kim and Nelson, but none before it. One system therefore always
    /// remains, even if pairs that were decided at different times form a cycle.
    private mutating func eliminate() {
        let feasible = contenders.filter { systems[$0].isFeasible }
            .sorted { (-systems[$0].sums[0], $0) < (-systems[$1].sums[0], $1) }
        for (rank, better) in feasible.enumerated() {
            let isIn = systems[better].isInContention
            for worse in contenders where worse != better && winner(better, worse) == better {
                if isIn || !feasible[..<rank].contains(worse) { systems[worse].exit = .eliminated(by: better) }
            }
        }
    }

    /// `true` if nothing is left to decide: there is no contender, or a single feasible one.
    private var isSettled: Bool {
        guard replications >= problem.initialReplications else { return false }
        let contenders = self.contenders
        return contenders.isEmpty || contenders.count == 1 && systems[contenders[0]].isFeasible
    }

    private var canPayForMore: Bool {
        guard let budget = problem.budget else { return true }
        return spent + contenders.count <= budget
    }
}
