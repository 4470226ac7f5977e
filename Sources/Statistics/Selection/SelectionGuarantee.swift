/// What is promised of a selection, on which conditions.
public struct SelectionGuarantee: Hashable, Sendable {
    /// What was looked for.
    public let problem: SelectionProblem
    /// Whether anything is promised; not where the budget has ended the procedure.
    public let holds: Bool

    /// The chance that the choice is right, at the least: 1 - α, to twelve decimals, so that 1 - 0.05 is 0.95.
    public var probability: Double { ((1 - problem.errorProbability) * 1e12).rounded() / 1e12 }

    /// The chance that any judgement of feasibility is wrong, at the most.
    public var feasibilityError: Double { problem.errorParts.feasibility }
}
