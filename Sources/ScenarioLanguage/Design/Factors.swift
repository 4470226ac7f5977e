public import Evaluation

/// The variation of a scenario in an experiment: factors, their combination, and the responses at each design point.
public struct Factors: Hashable, Sendable {
    /// The rule that combines levels into design points.
    public enum Design: String, Hashable, Sendable, CaseIterable {
        /// Every level with every other (a full factorial design).
        case grid
        /// Each factor's range is cut into as many strata as there are points, and each stratum is used once.
        case latinHypercube = "latin_hypercube"
        /// Sobol's low-discrepancy sequence.
        case sobol
        /// Sobol's sequence, crossed for sensitivity indices: points · (factors + 2) design points.
        case saltelli
    }

    /// The rule that combines levels.
    public var design = Design.grid
    /// The number of points of a continuous design, or of its base sample; 0 for a grid.
    public var points = 0
    /// The factors, in the order of the file.
    public var vary: [Factor] = []
    /// Paths of factors that are zipped, first level with first level.
    public var zipped: [[String]] = []
    /// The conditions for a design point; points that violate one are left out.
    public var conditions: [Condition] = []
    /// The responses at each design point.
    public var responses: [Response] = Factors.usualResponses

    /// The goal that defines the best design point; nil if there is none.
    public var goal: Goal?

    /// Creates a design without factors.
    package init() {}

    /// The default responses: freshness, age, and the cost in pushes.
    static let usualResponses = [
        Response(metric: "displayed_fresh_time_ratio"),
        Response(metric: "fresh_time_ratio"),
        Response(metric: "age_of_information_us"),
        Response(metric: "age_of_information_us", statistic: "p95"),
        Response(metric: "pushes_per_activity"),
        Response(metric: "pushes_sent_count", scope: "kind:retry"),
        Response(metric: "recovered_ratio"),
        Response(metric: "ended_severe_count"),
        Response(metric: "false_kill_count"),
    ]

    /// The indices of the factors that the reader of the results can choose.
    ///
    /// A choice that is zipped with a property of the world is part of that world, as it has no other value there.
    public var choices: [Int] {
        vary.indices.filter { index in
            let group = zipped.first { $0.contains(vary[index].path) } ?? []
            return vary[index].isChoice && vary.allSatisfy { $0.isChoice || !group.contains($0.path) }
        }
    }

    /// The factors that are combined freely: single ones, or zipped groups; in the order of each group's first factor.
    public var groups: [[Factor]] {
        var groups: [[Factor]] = []
        var taken: Set<String> = []
        for factor in vary where !taken.contains(factor.path) {
            let paths = zipped.first { $0.contains(factor.path) } ?? [factor.path]
            taken.formUnion(paths)
            groups.append(paths.compactMap { path in vary.first { $0.path == path } })
        }
        return groups
    }
}
