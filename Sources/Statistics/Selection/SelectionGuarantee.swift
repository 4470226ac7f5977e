/// The guarantee of a selection and its conditions.
public struct SelectionGuarantee: Hashable, Sendable {
    public let problem: SelectionProblem
    /// `true` if the guarantee holds; `false` if the budget has ended the procedure.
    public let holds: Bool

    /// The minimum probability of a correct selection: 1 - α, to twelve decimals, so that 1 - 0.05 is 0.95.
    public var probability: Double { ((1 - problem.errorProbability) * 1e12).rounded() / 1e12 }

    /// The maximum probability of any wrong decision about feasibility.
    public var feasibilityError: Double { problem.errorParts.feasibility }
}
