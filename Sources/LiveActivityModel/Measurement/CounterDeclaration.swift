/// The presentation of a counter in results: as a metric of its own, or as a part of one.
public struct CounterDeclaration: Sendable {
    /// The metric's name in summary.csv, its unit last.
    public let metric: String
    /// `all`, or the kind of the part and its name, such as `reason:swiped`.
    public private(set) var scope = "all"
    /// The part in words; nil if the scope is clear, and for a metric of its own.
    public private(set) var words: String?
    /// The definition of a metric of its own, in one sentence; empty for a part.
    public private(set) var meaning = ""
    /// The catalogue group of a metric of its own; nil for a part, whose metric is declared elsewhere.
    public private(set) var group: MetricGroup?
    /// The desired direction of a metric of its own.
    public private(set) var direction = MetricDirection.neutral
    /// The settings that define what a metric of its own counts.
    public private(set) var bases: [MetricBasis] = []
    /// The column of the time series that adds up to it, if any.
    public private(set) var column: SeriesColumn?
    /// `true` if one ride or one disturbance may cause many counts.
    ///
    /// When none was counted, there is then no bound on the number that might have occurred.
    public private(set) var isClustered = false
    /// The column that counts it by segment, for a metric of its own; nil if there is none.
    public private(set) var segmentColumn: SegmentColumn?
    /// The requirements that a scenario must meet for it to count anything.
    public private(set) var requirements: [Requirement] = []

    /// Creates a metric of its own.
    static func metric(
        _ name: String,
        of group: MetricGroup,
        better direction: MetricDirection = .neutral,
        by bases: [MetricBasis] = [],
        _ meaning: String
    ) -> Self {
        Self(metric: name, meaning: meaning, group: group, direction: direction, bases: bases)
    }

    /// Creates a part of a metric.
    static func part(_ scope: String, of metric: String, _ words: String? = nil, in column: SeriesColumn? = nil) -> Self
    {
        Self(metric: metric, scope: scope, words: words, column: column)
    }

    /// Returns the declaration with a column that counts by window.
    func divided(byWindow column: SeriesColumn) -> Self {
        var declaration = self
        declaration.column = column
        return declaration
    }

    /// Returns the declaration with a column that counts by segment.
    func divided(bySegment column: SegmentColumn) -> Self {
        var declaration = self
        declaration.segmentColumn = column
        return declaration
    }

    /// Returns the declaration with requirements.
    func needs(_ requirements: Requirement...) -> Self {
        var declaration = self
        declaration.requirements = requirements
        return declaration
    }

    /// The declaration, marked as one whose counts come in clusters.
    var clustered: Self {
        var declaration = self
        declaration.isClustered = true
        return declaration
    }
}
