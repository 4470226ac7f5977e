/// What is promised of a selection, on which conditions.
public struct SelectionGuarantee: Hashable, Sendable {
    /// What was looked for.
    public let problem: SelectionProblem
    /// What it is promised of.
    public let subject: Subject

    /// What can be promised.
    public enum Subject: Hashable, Sendable {
        /// That the selected system is the best.
        case selection
        /// That no system keeps to the constraints.
        case noneFeasible
        /// Nothing: the budget has ended the procedure.
        case nothing
    }

    /// Whether anything is promised.
    public var holds: Bool { subject != .nothing }

    /// The chance that the choice is right, at the least: 1 - α.
    public var probability: Double {
        Self.complement(problem.errorProbability)
    }

    /// The chance that any judgement of feasibility is wrong, at the most.
    public var feasibilityError: Double { problem.errorParts.feasibility }

    /// To twelve decimals, so that 1 - 0.05 is 0.95.
    private static func complement(_ probability: Double) -> Double {
        ((1 - probability) * 1e12).rounded() / 1e12
    }
}
