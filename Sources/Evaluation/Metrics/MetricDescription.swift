import InputFiles
public import LiveActivityModel
import TextFormats

/// The description of a metric in `freshet metrics` and docs/metrics.md.
public struct MetricDescription: Hashable, Sendable {
    /// The name in summary.csv.
    public let name: String
    /// The unit of its values.
    public let unit: String
    /// The meaning, in one sentence.
    public let meaning: String
    /// The better direction.
    public let direction: MetricDirection
    /// The settings that define the metric.
    public let bases: [MetricBasis]
    /// The scopes in the scenario, in order, with their words if they have any.
    public let scopes: [Scope]
    /// The statistics, the default one first.
    public let statistics: [String]
    /// `true` if the values are shares, 0...1.
    public let isShare: Bool
    /// `true` if only real-time tests write the metric.
    public let isOfLoads: Bool

    /// A part of a metric.
    public struct Scope: Hashable, Sendable {
        /// `all`, or the kind of part and its name.
        public let name: String
        /// The words for the part; nil if the scope is clear without them.
        public let words: String?
    }

    /// Returns all metrics of a scenario, by group.
    public static func all(of scenario: Scenario) -> [MetricDescription] {
        MetricCatalog.declarations.compactMap { MetricDescription($0, in: scenario) }
    }

    /// The metrics that only loads measure.
    public static let ofLoads: [MetricDescription] =
        MetricDeclaration.loads.compactMap { MetricDescription($0, in: Scenario()) }

    /// Creates the description of a metric; nil if the scenario has no part of it.
    private init?(_ declaration: MetricDeclaration, in scenario: Scenario) {
        let metrics = declaration.metrics(of: scenario)
        isOfLoads = declaration.source == .load
        guard isOfLoads || !metrics.isEmpty else { return nil }
        name = declaration.name
        unit = declaration.unit
        meaning = declaration.meaning
        direction = declaration.direction
        bases = declaration.bases
        scopes = metrics.map { Scope(name: $0.scope, words: $0.words) } + declaration.scopesOfLoads
        let ofScenario = metrics.first?.statistics.sorted { $0.isUsual && !$1.isUsual } ?? []
        statistics = isOfLoads ? declaration.statisticsOfLoads : ofScenario.map(\.name)
        isShare = isOfLoads ? declaration.name.hasSuffix("_ratio") : ofScenario.first?.isShare ?? false
    }

    /// Returns true if a pattern matches the metric: it is a substring of its name or of a scope, or matches either
    /// with `*` for any text.
    public func matches(_ pattern: String) -> Bool {
        let pattern = WildcardPattern(pattern)
        return ([name] + scopes.map(\.name)).contains(where: pattern.matches)
    }

    /// Returns the end of a message about a pattern that matches no metric.
    public static func advice(for pattern: String, among metrics: [MetricDescription]) -> String {
        Suggestion.nearestOrLonger(to: pattern, among: metrics.map(\.name) + metrics.flatMap { $0.scopes.map(\.name) })
            .map { "did you mean \"\($0)\"?" }
            ?? "`freshet metrics` lists all"
    }

    /// A comparison with the metric, as in a check or a threshold.
    public var example: Comparison {
        let isDuration = unit == "us"
        let usual: Amount =
            isDuration ? .duration(microseconds: isOfLoads ? 50e3 : 90e6) : .number(unit == "count" ? 1000 : 40)
        return Comparison(
            response: Response(
                metric: name,
                scope: scopes.first?.name ?? "all",
                statistic: isDuration && statistics.contains("p95")
                    ? "p95" : isOfLoads && statistics.count > 1 ? statistics.first : nil
            ),
            relation: hasLowerLimit ? .greaterOrEqual : .lessOrEqual,
            limit: isShare ? .percent(hasLowerLimit ? 0.95 : 0.05) : usual
        )
    }

    /// `true` if a check of the metric usually sets a lower limit.
    ///
    /// The share of time believed fresh has no better direction, but a check asks for much of it.
    private var hasLowerLimit: Bool { direction == .higher || name == "fresh_time_ratio" }

    /// The words of all scopes that have any, by scope: `fate:lost`.
    ///
    /// A scope means the same in every metric; a test checks the declarations.
    public static let scopeWords: [String: String] = {
        var words: [String: String] = [:]
        for part in MetricCatalog.declarations.flatMap({ $0.parts(Scenario()) }) {
            if let named = part.words { words[part.scope] = named }
        }
        return words
    }()
}
