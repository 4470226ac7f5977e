import Evaluation
import ScenarioLanguage
import Statistics
import Studies
import TextFormats

/// The outcome of each design point, in words.
extension TuningReport {
    /// Returns the outcome of a point: selected, as good, worse, or beyond a limit.
    func verdict(_ index: Int) -> String {
        let near = nearMisses(of: index)
        let doubts = result.limitsInDoubt(of: index)
        let unsure = "undecided after \(Format.replications(outcome.systems[index].replications))"
        let remark = near.isEmpty ? "" : "; beyond \(limits(near)), within the tolerance"
        if case .selected(index) = outcome.decision {
            let open = doubts.filter { !near.contains($0) }
            let close = result.limitsWithinTolerance(of: index).filter { !near.contains($0) && !open.contains($0) }
            return "**selected**\(remark)" + (close.isEmpty ? "" : "; within the tolerance of \(limits(close))")
                + (open.isEmpty ? "" : "; \(limits(open)) is \(unsure)")
        }
        switch outcome.systems[index].status {
        case .surviving(let isFeasible): return (isFeasible ? "not ruled out" : "limits undecided") + remark
        case .infeasible(let constraints, _):
            // A mean close to a limit with a required confidence does not certainly meet it.
            let broken = constraints.filter { excess(of: index, over: $0) > 0 }
            guard !broken.isEmpty else { return "not certainly within \(limits(constraints))" }
            let sure = broken.filter { !doubts.contains($0) }
            let named = sure.isEmpty ? broken : sure
            let margin = named.allSatisfy(near.contains) ? " by less than the tolerance" : ""
            return sure.isEmpty
                ? "judged beyond \(limits(named))\(margin); \(unsure)" : "breaks \(limits(named))\(margin)"
        case .eliminated(let better, _):
            return against(result.bestSystem ?? better, index)
        }
    }

    /// Returns a sentence on the limits that the replications decide, but by less than the tolerance; empty if there are
    /// none.
    func margins(of index: Int) -> String {
        let doubts = result.limitsInDoubt(of: index)
        let margins = result.limitsWithinTolerance(of: index).filter { !doubts.contains($0) }
            .map { place in
                let (response, excess) = (result.tuning.limits[place], excess(of: index, over: place))
                let tolerance = result.tuning.problem.constraints[place].tolerance
                return "\(excess > 0 ? "breaks" : "meets") `\(result.tuning.goal.constraints[place].text)` by "
                    + "\(response.distance(excess.magnitude)), within the tolerance of \(response.distance(tolerance))"
            }
        return margins.isEmpty ? "" : " It \(margins.enumeration)."
    }

    /// Returns the limits that keep a point from being as good as the best one, although its objective is.
    private func reservation(_ index: Int) -> String {
        let constraints = result.tuning.problem.constraints.indices
        let beyond = constraints.filter { excess(of: index, over: $0) > 0 }
        let open = result.limitsInDoubt(of: index).filter { !beyond.contains($0) }
        let parts =
            (beyond.isEmpty ? [] : ["beyond \(limits(Array(beyond)))"])
            + (open.isEmpty ? [] : ["undecided on \(limits(open))"])
        return parts.isEmpty ? "" : ", but \(parts.enumeration)"
    }

    /// Returns how an eliminated point compares with the best one.
    private func against(_ best: Int, _ index: Int) -> String {
        let number = sweep.points[best].number
        let count = min(outcome.systems[index].replications, outcome.systems[best].replications)
        if result.neverDiffered(index, from: best) {
            return "as good: same as \(number) in all \(count) replications\(reservation(index))"
        }
        guard let lead = result.lead(of: index, over: best) else { return "not better than \(number)" }
        if lead.magnitude < result.tuning.problem.indifference {
            return "\(result.tuning.objective.isExact ? "equal to" : "as good as") \(number)\(reservation(index))"
        }
        let isWorse = result.tuning.problem.direction.oriented(lead) < 0
        return isWorse ? "worse than \(number) by \(distance(lead.magnitude))" : "not certainly better than \(number)"
    }

    /// Returns the distance of a point's mean beyond a limit; below 0 if it meets the limit.
    private func excess(of index: Int, over place: Int) -> Double {
        let excesses = result.excesses(of: outcome.systems[index].means)
        return excesses.indices.contains(place) ? excesses[place] : 0
    }

    /// Returns the limits that a point's mean breaks by at most their tolerance, so that it may be judged either way.
    private func nearMisses(of index: Int) -> [Int] {
        result.limitsWithinTolerance(of: index).filter { excess(of: index, over: $0) > 0 }
    }

    func limits(_ places: [Int]) -> String {
        "the limit of \(places.map { result.tuning.limits[$0].text }.joined(separator: ", "))"
    }
}
