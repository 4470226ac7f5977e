/// Which system to look for, and how sure to be.
public struct SelectionProblem: Hashable, Sendable {
    /// How many systems there are to choose from.
    public let systems: Int
    /// Which means of the objective are better.
    public let direction: ResponseDirection
    /// The smallest difference of means worth telling apart, in the objective's unit; above 0.
    ///
    /// Kim and Nelson's δ.
    public let indifference: Double
    /// What the chosen system must keep to, in the order of the responses after the objective.
    public let constraints: [ResponseConstraint]
    /// The chance of a wrong choice that is accepted, α; above 0 and below 1/2.
    public let errorProbability: Double
    /// Replications of every system before anything is decided, n₀; at least 2.
    ///
    /// The variances are estimated from them. Few make the procedure cautious, many cost runs; 10 to 20 are usual.
    public let initialReplications: Int
    /// The most runs in all, a run being one replication of one system; nil for as many as it takes.
    public let budget: Int?

    /// A problem; ``errors`` says what is wrong with it.
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

    /// Everything that is wrong, in the order of the fields; empty when nothing is.
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

    /// What of the chance of error goes to feasibility, and what to the comparison: half each, where there are both.
    var errorParts: (feasibility: Double, comparison: Double) {
        let share = constraints.isEmpty ? 0 : systems == 1 ? 1 : 0.5
        return (errorProbability * share, errorProbability * (1 - share))
    }
}
