import LiveActivityModel

extension Metric {
    /// A statistic of a metric.
    struct Statistic: Hashable, Sendable {
        /// The name in summary.csv.
        let name: String
        /// The unit of its values.
        let unit: String
        /// `true` if the values are shares of a whole.
        var isShare = false
        /// `true` for the default statistic, used if a metric is named without one.
        var isUsual = false
    }

    /// The name of the default statistic.
    var usualStatistic: String? { statistics.first(where: \.isUsual)?.name }

    /// The quantiles of distributions, each with its probability.
    static let quantiles = Unanswered.quantiles.prefix(3)

    /// The statistics in the order of the values in ``SummarySource/rows``; one is the default.
    var statistics: [Statistic] {
        switch reading {
        case .total:
            [Statistic(name: "total", unit: unit, isUsual: true)]
        case .ratio(_, _, let partUnit, let isShare):
            [Statistic(name: "ratio", unit: unit, isShare: isShare, isUsual: true)]
                + ["numerator", "denominator"].map { Statistic(name: $0, unit: partUnit) }
        case .rate:
            [
                Statistic(name: "rate", unit: unit, isUsual: true), Statistic(name: "numerator", unit: "count"),
                Statistic(name: "denominator", unit: "us"),
            ]
        case .tally:
            [Statistic(name: "count", unit: "count"), Statistic(name: "mean", unit: unit, isUsual: true)]
                + (Self.quantiles.map(\.0) + ["max"]).map { Statistic(name: $0, unit: unit) }
        case .ramp:
            [Statistic(name: "mean", unit: unit, isUsual: true)]
                + Self.quantiles.map { Statistic(name: $0.0, unit: unit) }
        case .shares:
            [
                Statistic(name: "count", unit: "count"),
                Statistic(name: "mean", unit: unit, isShare: true, isUsual: true),
            ]
        case .largest:
            [Statistic(name: "max", unit: unit, isUsual: true)]
        }
    }

    /// Returns the metric over some windows of the time series; nil if the time series lacks the data.
    func over(windows: Range<Int>) -> Metric? {
        func sum(_ columns: [SeriesColumn]) -> @Sendable (Measurements) -> Int64 {
            { measurements in
                windows.reduce(0) { sum, window in columns.reduce(sum) { $0 + measurements.series[window, $1] } }
            }
        }
        switch reading {
        case .ratio(_, _, let unit, let isShare):
            guard let columns else { return nil }
            return read(by: .ratio(sum([columns.part]), sum([columns.whole]), unit: unit, isShare: isShare))
        case .total:
            guard !totalColumns.isEmpty else { return nil }
            return read(by: .total(sum(totalColumns)))
        case .tally:
            return tallyOfWindows.map { tally in read(by: .tally { tally($0, windows) }) }
        case .largest(_, let divisor):
            return peakOfWindows.map { peak in read(by: .largest({ peak($0, windows) }, per: divisor)) }
        case .rate, .ramp, .shares:
            return nil
        }
    }
}
