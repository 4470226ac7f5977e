public import LiveActivityModel

/// What is said of a metric where all are listed: `freshet metrics`, docs/metrics.md.
public struct MetricDescription: Hashable, Sendable {
    /// The name in summary.csv.
    public let name: String
    /// The unit of its values.
    public let unit: String
    /// What it is, in one sentence.
    public let meaning: String
    /// Which way it should go.
    public let direction: MetricDirection
    /// The settings by which it is measured.
    public let rulers: [Ruler]
    /// Its parts in the scenario, in their order, with their words where they have any.
    public let scopes: [Scope]
    /// The numbers that it states, the usual one first.
    public let statistics: [String]
    /// Whether its values are parts of a whole, 0...1.
    public let isShare: Bool
    /// Whether only tests in real time write it, and no simulation.
    public let isOfLoads: Bool

    /// A part of a metric.
    public struct Scope: Hashable, Sendable {
        /// `all`, or the kind of part and its name.
        public let name: String
        /// The part in plain words; nil where the scope says it.
        public let words: String?
    }

    /// Every metric of a scenario, by groups.
    public static func all(of scenario: Scenario) -> [MetricDescription] {
        MetricCatalog.declarations.compactMap { declaration in
            let metrics = declaration.metrics(of: scenario)
            guard let first = metrics.first else { return nil }
            let statistics = first.statistics.sorted { $0.isUsual && !$1.isUsual }
            return MetricDescription(
                name: declaration.name,
                unit: declaration.unit,
                meaning: declaration.meaning,
                direction: declaration.direction,
                rulers: declaration.rulers,
                scopes: metrics.map { Scope(name: $0.scope, words: $0.words) }
                    + (LoadMetric.furtherParts[declaration.name] ?? []).map(Scope.init),
                statistics: statistics.map(\.name),
                isShare: statistics.first?.isShare ?? false,
                isOfLoads: false
            )
        }
    }

    /// Every metric that tests in real time write and the simulator does not.
    public static let ofLoads: [MetricDescription] = LoadMetric.all.map { metric in
        MetricDescription(
            name: metric.name,
            unit: metric.kind.unit,
            meaning: metric.meaning,
            direction: metric.direction,
            rulers: [],
            scopes: (metric.hasWhole ? [Scope(name: "all", words: nil)] : [])
                + metric.parts.map(Scope.init),
            statistics: metric.statistics,
            isShare: metric.kind == .share,
            isOfLoads: true
        )
    }

    /// Whether a pattern means the metric: it is a part of its name or of a scope, or all of either, with `*` for anything.
    public func matches(_ pattern: String) -> Bool {
        let pattern = WildcardPattern(pattern)
        return ([name] + scopes.map(\.name)).contains(where: pattern.matches)
    }

    /// The end of a message about a pattern that means no metric.
    public static func advice(for pattern: String, among metrics: [MetricDescription]) -> String {
        Suggestion.nearestOrLonger(to: pattern, among: metrics.map(\.name) + metrics.flatMap { $0.scopes.map(\.name) })
            .map { "did you mean \"\($0)\"?" }
            ?? "`freshet metrics` lists all"
    }

    /// A comparison with the metric in it, as a check or a threshold may state it.
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
            relation: direction == .higher ? .greaterOrEqual : .lessOrEqual,
            limit: isShare ? .percent(direction == .higher ? 0.95 : 0.05) : usual
        )
    }

    /// The words of the parts of all metrics that have any, by scope: `fate:lost`.
    ///
    /// Parts of one name mean one thing, whatever metric they are parts of; a test holds the declarations to it.
    public static let scopeWords: [String: String] = {
        var words: [String: String] = [:]
        for part in MetricCatalog.declarations.flatMap({ $0.parts(Scenario()) }) {
            if let named = part.words { words[part.scope] = named }
        }
        return words
    }()
}

extension MetricDescription.Scope {
    fileprivate init(_ part: LoadMetric.Part) { self.init(name: part.scope, words: part.words) }
}
