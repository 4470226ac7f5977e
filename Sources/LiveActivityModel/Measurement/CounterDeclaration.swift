/// How results tell of a counter: as a metric of its own, or as a part of one.
public struct CounterDeclaration: Sendable {
    /// The metric's name in summary.csv, its unit last.
    public let metric: String
    /// `all`, or the kind of part and its name, as `reason:swiped`.
    public let scope: String
    /// The part in plain words; of a metric of its own, what it is, in one sentence; nil where the scope says it.
    public let words: String?
    /// Where a metric of its own stands in the catalogue; nil for a part of a metric that is declared there.
    public let group: MetricGroup?
    /// Which way a metric of its own should go.
    public let direction: MetricDirection
    /// The settings that say what counts, for a metric of its own.
    public let rulers: [Ruler]
    /// The column of the time series that adds up to it, if there is one.
    public let column: SeriesColumn?
    /// Whether one ride or one disturbance may bring many, so that where none was seen no number can be put on how many
    /// there might have been.
    public private(set) var isClustered = false

    /// A metric of its own.
    static func metric(
        _ name: String,
        of group: MetricGroup,
        better direction: MetricDirection = .neutral,
        by rulers: [Ruler] = [],
        in column: SeriesColumn? = nil,
        _ meaning: String
    ) -> Self {
        Self(
            metric: name,
            scope: "all",
            words: meaning,
            group: group,
            direction: direction,
            rulers: rulers,
            column: column
        )
    }

    /// A part of a metric.
    static func part(
        _ scope: String,
        of metric: String,
        _ words: String? = nil,
        in column: SeriesColumn? = nil
    ) -> Self {
        Self(metric: metric, scope: scope, words: words, group: nil, direction: .neutral, rulers: [], column: column)
    }

    /// The same, as one of which a single ride or disturbance may bring many.
    var clustered: Self {
        var declaration = self
        declaration.isClustered = true
        return declaration
    }
}

/// The groups of the catalogue, in which metrics are listed.
public enum MetricGroup: Sendable {
    /// Rides, and the activities that they get.
    case rides
    /// Ages of what screens show.
    case ages
    /// Pushes, what APNs says to them, what becomes of them, and the tokens that they need.
    case pushes
    /// What is offered to the sender, how long it takes, what it holds.
    case sender
    /// Episodes of staleness, as the monitor sees them, and what it does about them.
    case episodes
}

/// Which way a metric should go.
public enum MetricDirection: String, Hashable, Sendable {
    /// More is better.
    case higher
    /// Less is better.
    case lower
    /// Neither: a count of the world, a belief, or one side of a trade.
    case neutral
}

/// A setting that says what counts as fresh, or as given up: two runs that differ in it measure by two rulers.
public enum Ruler: String, CaseIterable, Hashable, Sendable {
    /// How long content is fresh.
    case ttl = "content.ttl"
    /// How long after its stale date an instance still counts as fresh.
    case freshLimit = "monitor.fresh_limit"
    /// How long after that the monitor tries to recover it before it gives up.
    case recoveryWindow = "monitor.recovery_window"
}
