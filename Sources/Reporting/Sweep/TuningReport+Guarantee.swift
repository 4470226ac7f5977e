import Evaluation
import ScenarioLanguage
import Statistics
import Studies
import TextFormats

/// The guarantee of a search, with its conditions and exceptions.
extension TuningReport {
    /// The guarantee of the search, with its conditions.
    var guarantee: [String] {
        let guarantee = outcome.guarantee
        guard guarantee.holds else {
            let left = outcome.survivors
            let rivals = left.count > 6 ? "\(left.count) design points" : named(left)
            return [
                "There is no guarantee: the budget of \(Format.replications(result.tuning.goal.budget)) was spent while "
                    + "\(rivals) \(left.count == 1 ? "was" : "were") left. A search with a larger `--budget` can decide."
            ]
        }
        // A limit that the replications cannot decide is a condition, or the reason why there is no guarantee.
        let open = result.ruledOutInDoubt
        let doubts = open.map { index in
            guard case .infeasible(let broken, _) = outcome.systems[index].status else { return "" }
            return "D\(named([index]).dropFirst()): \(doubt(index, "breaks", among: broken))."
        }
        let problem = guarantee.problem
        let objective = result.tuning.objective
        let indifference = zone
        let probability =
            "With a probability of at least \(Format.level(guarantee.probability)) the selected point is the best"
        if case .noneFeasible = outcome.decision {
            guard open.isEmpty else {
                return ["There is no guarantee that every design point breaks a limit."] + doubts + tolerances
            }
            return [
                "With a probability of at least \(Format.level(1 - guarantee.feasibilityError)) no point meets every limit "
                    + "by at least the tolerance."
            ] + tolerances + [conditions]
        }
        var condition: [String] = []
        if case .selected(let index) = outcome.decision {
            let margins = margins(of: index)
            let doubt = doubt(index, "meets")
            if !margins.isEmpty || !doubt.isEmpty {
                condition = [
                    "The guarantee holds only if the selected point meets each limit by at least the tolerance."
                        + margins + (doubt.isEmpty ? "" : " \(doubt).")
                ]
            }
        }
        var exceptions: [String] = []
        if !open.isEmpty {
            exceptions.append(
                "There is no guarantee against \(named(open)), which the search ruled out although it may meet every limit."
            )
            exceptions += doubts
        }
        if case let rivals = result.leadsByFewEvents, !rivals.isEmpty {
            exceptions.append("There is no guarantee against \(named(rivals)): too few events decide the lead.")
        }
        if objective.isExact {
            return condition + [
                "\(probability) that meets each limit by at least the tolerance. `\(objective.text)` is known for "
                    + "every point without a run; of equal points the first is selected."
            ] + exceptions + tolerances + [conditions]
        }
        guard !problem.constraints.isEmpty else {
            return ["\(probability), if it is better than every other by at least \(indifference)."] + exceptions + [
                conditions
            ]
        }
        return condition + [
            "\(probability) that meets the limits, if it is better by at least \(indifference) than all others that "
                + "meet them within the tolerance, and meets each limit by at least the tolerance."
        ] + exceptions + tolerances + [conditions]
    }

    /// A sentence on each limit and its tolerance.
    private var tolerances: [String] {
        zip(result.tuning.limits.indices, result.tuning.problem.constraints)
            .map { place, constraint in
                let response = result.tuning.limits[place]
                let limit = "`\(result.tuning.goal.constraints[place].text)`"
                guard let confidence = constraint.confidence else {
                    return
                        "\(limit), with a tolerance of \(response.distance(constraint.tolerance)): a mean this close may be "
                        + "judged either way."
                }
                return
                    "\(limit) with \(Format.level(confidence)): a point whose mean breaks the limit is ruled out with at "
                    + "least that probability, and one whose mean meets it by less than "
                    + "\(response.distance(constraint.tolerance * 2)) may also be."
            }
    }

    /// The points that were eliminated because they never differed from another.
    var setAside: [Int] {
        outcome.systems.indices.filter { index in
            guard case .eliminated(let better, _) = outcome.systems[index].status else { return false }
            return result.neverDiffered(index, from: better)
        }
    }

    private var conditions: String {
        let alike = setAside
        let remark =
            alike.isEmpty
            ? ""
            : "There is no guarantee about \(named(alike)): no "
                + "replication differed from the preferred point, but more might. "
        return remark
            + "The guarantee assumes independent replications with nearly normal responses. The method is that of "
            + "Kim and Nelson (2001), with the check of limits by Andradóttir and Kim (2010)."
    }
}
