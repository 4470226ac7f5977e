/// How an experiment varies its scenario: factors, how they are combined, and what is asked of each combination.
public struct Factors: Hashable, Sendable {
    /// How levels are combined into design points.
    public enum Design: String, Hashable, Sendable, CaseIterable {
        /// Every level with every other (a full factorial design).
        case grid
        /// Each factor's range cut into as many strata as there are points, each stratum used once.
        case latinHypercube = "latin_hypercube"
        /// Sobol's low-discrepancy sequence.
        case sobol
        /// Sobol's sequence, crossed as sensitivity indices need it: points · (factors + 2) design points.
        case saltelli
    }

    /// How levels are combined.
    public var design = Design.grid
    /// How many points a design that is no grid has, or starts from; 0 for a grid.
    public var points = 0
    /// What is varied, in the order of the file.
    public var vary: [Factor] = []
    /// Paths of factors that go together, first level with first level.
    public var zipped: [[String]] = []
    /// What must hold of a design point, or it is left out.
    public var conditions: [Condition] = []
    /// What is asked of each design point.
    public var responses: [Response] = Factors.usualResponses

    /// What the best design point is; nil where none is looked for.
    public var goal: Goal?

    /// What every design point is asked where the file does not say: freshness, age, and the price in pushes.
    public static let usualResponses = [
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

    /// The factors that are combined freely: alone, or zipped with others; in the order of the first of each.
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
