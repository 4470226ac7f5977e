import Evaluation
import LiveActivityModel
import ScenarioLanguage
import Statistics
import Studies
import TextFormats

/// The chart of a search for the best design point.
extension Chart {
    /// Returns a chart of all design points by objective and first limit, coloured by outcome; nil without a limit.
    ///
    /// Only the selected point and today's are labelled with their levels; `tune.csv` has the levels of all.
    static func tuning(_ result: TuningResult) -> Chart? {
        let tuning = result.tuning
        guard let constraint = tuning.problem.constraints.first, let response = tuning.limits.first else { return nil }
        let (gain, cost) = (
            ResponseScale(tuning.objective.text, tuning.objective.unit, isShare: tuning.objective.isShare),
            ResponseScale(response.text, response.unit, isShare: response.isShare)
        )
        // A point on the right side of the dashed line may break another limit, which is not drawn.
        let breaksOneLimit = tuning.limits.count == 1 ? "breaks the limit" : "breaks the limit drawn"
        let isClose = result.bestSystem.map { !result.limitsWithinTolerance(of: $0).isEmpty } ?? false
        let kinds: [(name: String, colour: Colour, shape: String)] = [
            ("selected", .vermillion, "circle"),
            ("meets the limits", .blue, "diamond"),
            (breaksOneLimit, .grey, "cross"), ("breaks another limit", .orange, "triangle-up"),
            ("statistically tied with a limit", .skyBlue, "square"),
            ("today, beside the design", .black, "triangle-down"),
        ]
        var rows: [JSONValue] = []
        var chosen: [JSONValue] = []
        var today: [JSONValue] = []
        var shown: Set<Int> = []
        for (index, system) in result.outcome.systems.enumerated() where system.means.allSatisfy(\.isFinite) {
            guard system.means.count > 1 else { continue }
            let doubts = result.limitsInDoubt(of: index)
            let isSelected = result.bestSystem == index
            let kind =
                switch system.status {
                case _ where isSelected: 0
                // Its replications cannot decide on which side of the limits it is.
                case .infeasible(let constraints, _) where constraints.allSatisfy(doubts.contains): 4
                case .infeasible(let constraints, _): constraints.contains(0) ? 2 : 3
                case .surviving, .eliminated: 1
                }
            shown.insert(kind)
            var row: [String: JSONValue] = [
                "cost": .decimal(system.means[1] * cost.factor, places: 6),
                "gain": .decimal(system.means[0] * gain.factor, places: 6),
                "series": .string(kinds[kind].name),
            ]
            rows.append(.object(row))
            let levels = tuning.sweep.points[index].levels.map(\.label).joined(separator: ", ")
            let isPresent = result.present?.system == index
            if isSelected {
                row["label"] = .string(isPresent ? "today: \(levels)" : levels)
                chosen.append(.object(row))
            } else if isPresent {
                row["label"] = .string("today: \(levels)")
                today.append(.object(row))
            }
        }
        if let present = result.present, present.system == nil, let means = present.means {
            shown.insert(5)
            var row: [String: JSONValue] = [
                "cost": .decimal(means[1] * cost.factor, places: 6),
                "gain": .decimal(means[0] * gain.factor, places: 6),
                "series": .string(kinds[5].name),
            ]
            rows.append(.object(row))
            row["label"] = .string("today: \(present.point.levels.map(\.label).joined(separator: ", "))")
            today.append(.object(row))
        }
        let drawn = kinds.indices.filter(shown.contains).map { kinds[$0] }
        return Chart(
            template: "tune",
            name: "tune",
            title: "Design points tried, and the one selected",
            subtitle: "\(tuning.sweep.experiment.scenario.name), means of each design point; dashed: the limit of "
                + "\(response.text); \(legend(tuning.sweep.factors))"
                + (isClose ? "; the selected point is within the tolerance of a limit" : ""),
            [
                "cost": .string(cost.title), "gain": .string(gain.title), "rows": .array(rows),
                "chosen": .array(chosen), "present": .array(today),
                "limit": .decimal(constraint.limit * cost.factor, places: 6),
                "shapes": .strings(drawn.map(\.shape)),
            ],
            series(drawn.map { ($0.name, $0.colour) })
        )
    }
}

/// The scale on which values of a response are drawn: in seconds, in percent, or unchanged.
struct ResponseScale {
    let factor: Double
    let title: String
    /// The text after the name in the title: the unit, and how values were added up.
    let unit: String

    /// - Parameter addition: The text after the name and the unit; not used for shares.
    init(_ name: String, _ unit: String, isShare: Bool, addition: String = "") {
        switch unit {
        case "us": (factor, self.unit) = (1e-6, "[s]\(addition)")
        case "1" where isShare: (factor, self.unit) = (100, "[%]")
        default: (factor, self.unit) = (1, String(addition.trimmingPrefix(", ")))
        }
        title = unit == "us" || isShare ? "\(name) \(self.unit)" : name + addition
    }
}
