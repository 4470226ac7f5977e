import LiveActivityModel

/// One line of the summary: a metric, over what, which statistic of it, and its value with an interval.
public struct SummaryRow: Hashable, Sendable {
    /// Over what: `all`, or a part, as `reason:swiped`.
    public let scope: String
    /// The metric's name.
    public let metric: String
    /// Which statistic: `total`, `ratio`, `mean`, `p95`, `max`; for a ratio also its `numerator` and `denominator`.
    public let stat: String
    /// The value's unit: `count`, `us`, `1` for a pure number.
    public let unit: String
    /// The value; nil when it is undefined.
    public let value: Value?
    /// The bounds of the 95 % confidence interval; nil where the parts of the run do not carry one.
    public let interval: ClosedRange<Double>?
    /// How many parts the interval rests on; 1 when there is none.
    public let n: Int
    /// Why there is no interval; nil where there is one, and where none is looked for, as for a quantile.
    public let gap: IntervalGap?

    /// A row.
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

    /// The same row without a value.
    var undefined: SummaryRow { SummaryRow(scope: scope, metric: metric, stat: stat, unit: unit, value: nil) }

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

/// How a metric is read off measurements.
///
/// The same definition is applied to the whole run and to its batches, so that value and interval cannot mean different
/// things.
struct Metric: Sendable {
    let name: String
    let unit: String
    private let part: MetricDeclaration.Part

    /// A part of a metric.
    init(name: String, unit: String, _ part: MetricDeclaration.Part) {
        self.name = name
        self.unit = unit
        self.part = part
    }

    /// The same metric, read off something else that means the same; not from the time series.
    func read(by reading: Reading) -> Metric {
        var other = MetricDeclaration.Part(scope: scope, words: words, reading: reading, isOfHistory: isOfHistory)
        (other.outlier, other.isClustered, other.isDefined) = (outlier, isClustered, part.isDefined)
        return Metric(name: name, unit: unit, other)
    }

    var scope: String { part.scope }
    var words: String? { part.words }
    var reading: Reading { part.reading }
    var columns: (part: SeriesColumn, whole: SeriesColumn)? { part.columns }
    var totalColumns: [SeriesColumn] { part.totalColumns }
    var tallyOfWindows: (@Sendable (Measurements, Range<Int>) -> Tally)? { part.tallyOfWindows }
    var isOfHistory: Bool { part.isOfHistory }
    var outlier: Outlier.Contribution? { part.outlier }
    var isClustered: Bool { part.isClustered }
    /// Whether there is a value; see ``MetricDeclaration/Part/isDefined``.
    func isDefined(in total: Measurements) -> Bool { part.isDefined?(total) ?? true }

    /// What weighs what is the type's to say, and no reading takes one for another.
    ///
    /// A ``RampTally`` weighs each value by the time spent at it, a ``Tally`` each
    /// event, a ``ShareTally`` each activity.
    enum Reading: Sendable {
        /// A total that grows with the run.
        case total(@Sendable (Measurements) -> Int64)
        /// A quotient of two totals in one unit; a share cannot exceed one.
        case ratio(@Sendable (Measurements) -> Int64, @Sendable (Measurements) -> Int64, unit: String, isShare: Bool)
        /// A count over a time [µs], for each so many microseconds.
        case rate(@Sendable (Measurements) -> Int64, over: @Sendable (Measurements) -> Int64, perUnit: Double)
        /// A mean and quantiles over events or activities, each of the same weight.
        case tally(@Sendable (Measurements) -> Tally)
        /// A mean and quantiles over time.
        case ramp(@Sendable (Measurements) -> RampTally)
        /// A mean of shares, each of the same weight.
        case shares(@Sendable (Measurements) -> ShareTally)
        /// A peak of a replication, of which the largest is told, divided by a number.
        case largest(@Sendable (Measurements) -> Int64, per: Double)
    }
}
