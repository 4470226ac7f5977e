/// What is promised of a selection, on which conditions.
public struct SelectionGuarantee: Hashable, Sendable {
    /// What was looked for.
    public let problem: SelectionProblem
    /// Whether the selection ended by itself; when the budget has ended it, nothing is promised.
    public let holds: Bool

    /// The chance that the choice is right, at the least: 1 - α.
    public var probability: Double {
        // To twelve decimals, so that 1 - 0.05 is 0.95.
        ((1 - problem.errorProbability) * 1e12).rounded() / 1e12
    }

    /// The chance that any judgement of feasibility is wrong, at the most.
    public var feasibilityError: Double { problem.errorParts.feasibility }

    /// The chance that the comparison is wrong, at the most.
    public var comparisonError: Double { problem.errorParts.comparison }

    /// The guarantee in sentences, each of one line: what is promised, then what it rests on.
    ///
    /// Numbers are in the units of the responses; constraints are counted from 0.
    public var sentences: [String] {
        guard holds else {
            return ["The budget was spent before the choice was sure: nothing is promised of it."]
        }
        var sentences: [String] = []
        if problem.constraints.isEmpty {
            sentences.append(
                "With probability at least \(probability) the selected system is the best, "
                    + "if its mean is better than every other by at least \(problem.indifference)."
            )
        } else {
            sentences.append(
                "With probability at least \(probability) the selected system is the best of those that keep to the "
                    + "constraints, if its mean is better than every other's by at least \(problem.indifference) and it "
                    + "keeps to every limit by the tolerance."
            )
            for (index, constraint) in problem.constraints.enumerated() {
                let side = constraint.side == .atMost ? "at most" : "at least"
                sentences.append(
                    "Constraint \(index): \(side) \(constraint.limit); means within \(constraint.tolerance) of the "
                        + "limit may be judged either way."
                )
            }
            sentences.append(
                "With probability at least \(Self.complement(feasibilityError)) every system outside a tolerance is "
                    + "judged rightly."
            )
        }
        sentences.append(
            "Replications are independent, their responses normal; systems may share random numbers."
        )
        return sentences
    }

    private static func complement(_ probability: Double) -> Double {
        ((1 - probability) * 1e12).rounded() / 1e12
    }
}
