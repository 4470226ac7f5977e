/// How results tell of a counter: as a metric of its own, or as a part of one.
public struct CounterDeclaration: Sendable {
    /// The metric's name in summary.csv, its unit last.
    public let metric: String
    /// `all`, or the kind of part and its name, as `reason:swiped`.
    public private(set) var scope = "all"
    /// The part in plain words; nil where the scope says it, and for a metric of its own.
    public private(set) var words: String?
    /// What a metric of its own is, in one sentence; empty for a part.
    public private(set) var meaning = ""
    /// Where a metric of its own stands in the catalogue; nil for a part of a metric that is declared there.
    public private(set) var group: MetricGroup?
    /// Which way a metric of its own should go.
    public private(set) var direction = MetricDirection.neutral
    /// The settings that say what counts, for a metric of its own.
    public private(set) var rulers: [Ruler] = []
    /// The column of the time series that adds up to it, if there is one.
    public private(set) var column: SeriesColumn?
    /// Whether one ride or one disturbance may bring many, so that where none was seen no number can be put on how many
    /// there might have been.
    public private(set) var isClustered = false
    /// The column that counts the same city by city, for a metric of its own; nil where nothing does.
    public private(set) var cityColumn: CityColumn?
    /// The requirements that a scenario must meet for it to count anything.
    public private(set) var requirements: [Requirement] = []

    /// A metric of its own.
    static func metric(
        _ name: String,
        of group: MetricGroup,
        better direction: MetricDirection = .neutral,
        by rulers: [Ruler] = [],
        _ meaning: String
    ) -> Self {
        Self(metric: name, meaning: meaning, group: group, direction: direction, rulers: rulers)
    }

    /// A part of a metric.
    static func part(_ scope: String, of metric: String, _ words: String? = nil, in column: SeriesColumn? = nil) -> Self
    {
        Self(metric: metric, scope: scope, words: words, column: column)
    }

    /// The same, as one that a column counts city by city.
    func divided(byCity column: CityColumn) -> Self {
        var declaration = self
        declaration.cityColumn = column
        return declaration
    }

    /// Returns the declaration with requirements.
    func needs(_ requirements: Requirement...) -> Self {
        var declaration = self
        declaration.requirements = requirements
        return declaration
    }

    /// The same, as one of which a single ride or disturbance may bring many.
    var clustered: Self {
        var declaration = self
        declaration.isClustered = true
        return declaration
    }
}
