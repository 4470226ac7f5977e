import Evaluation
import ScenarioLanguage

extension ResolvedObjective {
    /// Returns the contribution of each term in a replication of a design point; NaN if it is undefined.
    func contributions(of point: DesignPoint, in result: RunResult) -> [Double] {
        terms.map { term in
            switch term.subject {
            case .factor(let index): term.weight * (point.levels[index].number ?? .nan)
            case .response(let response): term.weight * (response.value(in: result) ?? .nan)
            }
        }
    }
}
