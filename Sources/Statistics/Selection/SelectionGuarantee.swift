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

    /// The chance that the comparison is wrong, at the most.
    public var comparisonError: Double { problem.errorParts.comparison }

    /// The guarantee in sentences, each of one line: what is promised, then what it rests on.
    ///
    /// Numbers are in the units of the responses; constraints are counted from 0.
    public var sentences: [String] {
        var sentences: [String] = []
        switch subject {
        case .nothing:
            return ["The budget was spent before the choice was sure: nothing is promised of it."]
        case .selection where problem.systems == 1:
            break
        case .selection where problem.constraints.isEmpty:
            sentences.append(
                "With probability at least \(probability) the selected system is the best, "
                    + "if its mean is better than every other by at least \(problem.indifference)."
            )
        case .selection:
            sentences.append(
                "With probability at least \(probability) the selected system is the best of those that keep to the "
                    + "constraints, if its mean is better by at least \(problem.indifference) than that of all others "
                    + "that keep to them within the tolerance, and it keeps to every limit by the tolerance itself."
            )
        case .noneFeasible:
            break
        }
        if !problem.constraints.isEmpty {
            sentences.append(
                "With probability at least \(Self.complement(feasibilityError)) no system is misjudged that is at least "
                    + "the tolerance away from every limit."
            )
        }
        for (index, constraint) in problem.constraints.enumerated() {
            let side = constraint.side == .atMost ? "at most" : "at least"
            sentences.append(
                "Constraint \(index): \(side) \(constraint.limit), with a tolerance of \(constraint.tolerance)."
            )
        }
        sentences.append("Replications are taken as independent and normal; systems may share random numbers.")
        return sentences
    }

    /// To twelve decimals, so that 1 - 0.05 is 0.95.
    private static func complement(_ probability: Double) -> Double {
        ((1 - probability) * 1e12).rounded() / 1e12
    }
}
