public import LiveActivityModel

/// A row of the summary: a metric, its scope, a statistic, and its value with an interval.
public struct SummaryRow: Hashable, Sendable {
    /// The scope: `all`, or a part such as `reason:swiped`.
    public let scope: String
    /// The metric's name.
    public let metric: String
    /// The statistic: `total`, `ratio`, `mean`, `p95`, `max`; for a ratio also its `numerator` and `denominator`.
    public let stat: String
    /// The value's unit: `count`, `us`, `1` for a pure number.
    public let unit: String
    /// The value; nil when it is undefined.
    public let value: Value?
    /// The bounds of the 95 % confidence interval; nil if the parts of the run do not give one.
    public let interval: ClosedRange<Double>?
    /// The number of parts behind the interval; 1 if there is none.
    public let n: Int
    /// The reason why there is no interval; nil if there is one, or if none is computed, as for a quantile.
    public fileprivate(set) var gap: IntervalGap?
    /// The requirement of the metric that the scenario does not meet; nil if it meets all.
    public var unmet: Requirement.Unmet?

    /// Creates a row.
    public init(
        scope: String,
        metric: String,
        stat: String,
        unit: String,
        value: Value?,
        interval: ClosedRange<Double>? = nil,
        n: Int = 1,
        gap: IntervalGap? = nil
    ) {
        self.scope = scope
        self.metric = metric
        self.stat = stat
        self.unit = unit
        self.value = value
        self.interval = interval
        self.n = n
        self.gap = gap
    }

    /// Creates a row without an interval, in the unit with which the metric's name ends.
    public init(_ metric: String, _ stat: String, _ value: Value?, scope: String = "all") {
        let unit = MetricDeclaration.unit(of: metric)
        self.init(scope: scope, metric: metric, stat: stat, unit: unit, value: value)
    }

    /// Creates the row of a total.
    public init(_ metric: String, _ value: Value?, scope: String = "all") {
        self.init(metric, "total", value, scope: scope)
    }

    /// Returns the row with another value, or none; it has no interval unless one is given.
    func with(_ value: Value?, interval: ClosedRange<Double>? = nil, n: Int = 1) -> SummaryRow {
        var row = SummaryRow(
            scope: scope,
            metric: metric,
            stat: stat,
            unit: unit,
            value: value,
            interval: interval,
            n: n
        )
        row.unmet = unmet
        return row
    }

    /// The statistics that add up over replications.
    static let sums: Set<String> = ["total", "count", "numerator", "denominator"]

    /// `true` if the value adds up over replications.
    public var isSum: Bool { Self.sums.contains(stat) }

    /// Returns the row for people, with the mean over replications.
    ///
    /// Files have the sums over all replications. A value that is not a sum stays.
    public func perReplication(_ replications: Int) -> SummaryRow {
        guard replications > 1, isSum, let value else { return self }
        let count = Double(replications)
        var row = with(
            .decimal(value.double / count),
            interval: interval.map { $0.lowerBound / count...$0.upperBound / count },
            n: n
        )
        row.gap = gap
        return row
    }

    /// An exact count or a derived number.
    public enum Value: Hashable, Sendable {
        /// A sum of integers.
        case integer(Int64)
        /// A quotient, a mean or an estimate.
        case decimal(Double)

        /// The value as a floating-point number.
        public var double: Double {
            switch self {
            case .integer(let value): Double(value)
            case .decimal(let value): value
            }
        }
    }
}

/// A metric over everything or over a part, with the way to read it from measurements.
///
/// The same definition is applied to the whole run and to its batches, so value and interval always mean the same
/// thing.
package struct Metric: Sendable {
    /// The name and the unit, from the declaration.
    package var name = ""
    package var unit = ""
    /// `all`, or the kind of part and its name, such as `reason:swiped`.
    var scope = "all"
    /// The words for the part; nil if the scope is clear without them: a stage's name, a threshold, a rank.
    var words: String?
    var reading: Reading
    /// The columns of the time series whose totals form the ratio; nil if there are none.
    var columns: (part: SeriesColumn, whole: SeriesColumn)?
    /// The columns of the time series that add up to the total; empty if there are none.
    var totalColumns: [SeriesColumn] = []
    /// The values in some windows of the time series; nil if they are not kept by windows.
    var tallyOfWindows: (@Sendable (Measurements, Range<Int>) -> Tally)?
    /// The peak in some windows of the time series; nil if it is not kept by windows.
    var peakOfWindows: (@Sendable (Measurements, Range<Int>) -> Int64)?
    /// `true` if the metric covers a replication from its start, including the warm-up, and so no part of it.
    var isOfHistory = false
    /// `true` for a level of use: neither way is better for the run, but its worst window has the highest value.
    var isWorstAtItsHighest = false
    /// The contribution of the heaviest ride; nil if no ride dominates.
    var outlier: Outlier.Contribution?
    /// `true` if one ride or disturbance may cause many of the counted events.
    ///
    /// If none was seen, the possible number then has no bound.
    var isClustered = false
    /// The requirements that a scenario must meet for the metric to count anything.
    var requirements: [Requirement] = []
    /// Returns true if whole measurements have a value; nil if they always do.
    ///
    /// It is not called for parts: an interval belongs to the quotient of the whole, and needs the contribution of each
    /// part.
    var isDefined: (@Sendable (Measurements) -> Bool)?

    /// Returns the metric with another value of a property.
    func with<Value>(_ property: WritableKeyPath<Metric, Value>, _ value: Value) -> Metric {
        var metric = self
        metric[keyPath: property] = value
        return metric
    }

    /// Returns the metric with the contribution of the heaviest ride.
    func dominated(by outlier: Outlier.Contribution?) -> Metric { with(\.outlier, outlier) }

    /// Returns the metric with requirements.
    func needs(_ requirements: Requirement...) -> Metric { with(\.requirements, requirements) }

    /// The first requirement that a scenario does not meet; nil if it meets all.
    func unmet(by scenario: Scenario) -> Requirement.Unmet? {
        requirements.lazy.compactMap { $0.unmet(by: scenario) }.first
    }

    /// Returns the metric with an equivalent reading, without columns of the time series.
    func read(by reading: Reading) -> Metric {
        var other = with(\.reading, reading)
        (other.columns, other.totalColumns) = (nil, [])
        (other.tallyOfWindows, other.peakOfWindows) = (nil, nil)
        return other
    }

    /// The value to read; its type determines the weights of the values.
    ///
    /// A ``RampTally`` weighs each value by the time spent at it. A ``Tally`` weighs events equally, a ``ShareTally``
    /// activities.
    enum Reading: Sendable {
        /// A total that grows with the run.
        case total(@Sendable (Measurements) -> Int64)
        /// A quotient of two totals in one unit; a share cannot exceed one.
        case ratio(@Sendable (Measurements) -> Int64, @Sendable (Measurements) -> Int64, unit: String, isShare: Bool)
        /// A count over a time [µs], per unit of time [µs].
        case rate(@Sendable (Measurements) -> Int64, over: @Sendable (Measurements) -> Int64, perUnit: Double)
        /// A mean and quantiles over events or activities, each of the same weight.
        case tally(@Sendable (Measurements) -> Tally)
        /// A mean and quantiles over time.
        case ramp(@Sendable (Measurements) -> RampTally)
        /// A mean of shares, each of the same weight.
        case shares(@Sendable (Measurements) -> ShareTally)
        /// The largest peak among replications, divided by a number.
        case largest(@Sendable (Measurements) -> Int64, per: Double)
    }
}
