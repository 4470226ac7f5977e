/// A selection problem and its required certainty.
public struct SelectionProblem: Hashable, Sendable {
    /// The number of systems.
    public let systems: Int
    /// The better means of the objective.
    public let direction: ResponseDirection
    /// The indifference zone: the smallest relevant difference of means, in the objective's unit; above 0.
    ///
    /// Kim and Nelson's δ.
    public let indifference: Double
    /// The constraints on the selected system, in the order of the responses after the objective.
    public let constraints: [ResponseConstraint]
    /// The accepted probability of a wrong selection, α; above 0 and below 1/2.
    public let errorProbability: Double
    /// The replications of every system before the first decision, n₀; at least 2.
    ///
    /// The variances are estimated from them. A small number makes the procedure cautious, a large one costs runs; 10
    /// to 20 are usual.
    public let initialReplications: Int
    /// The maximum number of runs, each a replication of one system; nil for no limit.
    public let budget: Int?

    /// Creates a problem; ``errors`` lists its errors.
    public init(
        systems: Int,
        direction: ResponseDirection,
        indifference: Double,
        constraints: [ResponseConstraint] = [],
        errorProbability: Double = 0.05,
        initialReplications: Int = 10,
        budget: Int? = nil
    ) {
        self.systems = systems
        self.direction = direction
        self.indifference = indifference
        self.constraints = constraints
        self.errorProbability = errorProbability
        self.initialReplications = initialReplications
        self.budget = budget
    }

    /// All errors of the problem, in the order of the fields; empty if there are none.
    public var errors: [SelectionError] {
        var errors: [SelectionError] = []
        if systems < 1 { errors.append(.noSystems) }
        if !(indifference.isFinite && indifference > 0) { errors.append(.indifference(indifference)) }
        for (index, constraint) in constraints.enumerated() {
            if !constraint.limit.isFinite { errors.append(.limit(constraint: index, constraint.limit)) }
            if !(constraint.tolerance.isFinite && constraint.tolerance > 0) {
                errors.append(.tolerance(constraint: index, constraint.tolerance))
            }
        }
        if !(errorProbability > 0 && errorProbability < 0.5) { errors.append(.errorProbability(errorProbability)) }
        if initialReplications < 2 { errors.append(.initialReplications(initialReplications)) }
        if let budget {
            let (least, isTooLarge) = systems.multipliedReportingOverflow(by: initialReplications)
            if isTooLarge || budget < least { errors.append(.budget(budget, least: isTooLarge ? .max : least)) }
        }
        return errors
    }

    /// The division of the probability of error between feasibility and comparison: half each if there are both.
    var errorParts: (feasibility: Double, comparison: Double) {
        let share = constraints.isEmpty ? 0 : systems == 1 ? 1 : 0.5
        return (errorProbability * share, errorProbability * (1 - share))
    }
}
