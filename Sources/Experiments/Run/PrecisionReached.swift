public import LiveActivityModel
import Statistics

/// The precision that `replications.until` has reached.
public struct PrecisionReached: Hashable, Sendable {
    /// The requested precision.
    public let wish: Scenario.Precision
    /// The half-width of the metric's 95 % interval as a part of its value; nil where there is none.
    public let halfWidth: Double?
    /// Why there is no half-width; nil where there is one.
    public let obstacle: Obstacle?

    /// Why a metric has no half-width.
    public enum Obstacle: Hashable, Sendable {
        /// It was the same in all replications, so nothing shows how far chance moves it.
        case neverVaried(isZero: Bool)
        /// Its interval would not hold.
        case gap(IntervalGap.Reason)
        /// It has no value in any replication, because nothing that it measures happened.
        case noValue
        /// The run cannot show it.
        case notMeasured(Requirement.Unmet)
    }

    /// The precision of a result.
    init(_ wish: Scenario.Precision, in result: RunResult) {
        self.wish = wish
        let metric = MetricCatalog(of: result.scenario).metrics.first { $0.name == wish.metric && $0.scope == "all" }
        let found = metric?.usualRow(of: result)
        let halfWidth = found.flatMap(\.relativeHalfWidth)
        self.halfWidth = halfWidth
        guard halfWidth == nil else {
            obstacle = nil
            return
        }
        if let metric, found?.value?.double ?? 0 == 0, let unmet = metric.unmet(by: result.scenario) {
            obstacle = .notMeasured(unmet)
        } else if let metric, let value = found?.value, !metric.varies(in: result) {
            obstacle = .neverVaried(isZero: value.double == 0)
        } else {
            obstacle = found?.gap.map { .gap($0.reason) } ?? .noValue
        }
    }

    /// `true` if the half-width is below the requested one.
    public var isMet: Bool { halfWidth.map { $0 < wish.halfWidth } ?? false }

    /// `true` if more replications cannot reach the precision.
    ///
    /// No number of them can if the run cannot show the metric. If it never varied or never had a value, as many events as
    /// may have been due unseen must be too few in all replications that are allowed.
    ///
    /// A relative half-width of *h* takes (1.96 / *h*)² events.
    ///
    /// - Parameter count: How many replications have been run.
    func isHopeless(after count: Int) -> Bool {
        switch obstacle {
        case .notMeasured: return true
        case .neverVaried, .noValue: break
        case .gap, nil: return false
        }
        let most = GammaInterval.mostUnseen() * Double(wish.atMost) / Double(count)
        let needed = Normal.reach(level: 0.95) / wish.halfWidth
        return most < needed * needed
    }
}

extension Metric {
    /// The line of the usual statistic.
    fileprivate func usualRow(of result: RunResult) -> SummaryRow? {
        let usual = statistics.first(where: \.isUsual)?.name
        return SummarySource([self], of: result).rows[0].first { $0.stat == usual }
    }

    /// `true` if the independent parts of a result differ in the usual statistic.
    fileprivate func varies(in result: RunResult) -> Bool {
        let values = result.batches.compactMap { part(of: $0) }
            .filter { $0.denominator > 0 }
            .map { $0.numerator / $0.denominator }
        return Set(values).count > 1
    }
}

extension SummaryRow {
    /// The half-width of the interval as a part of the value; nil where there is none.
    fileprivate var relativeHalfWidth: Double? {
        guard let interval, let value = value?.double, value > 0 else { return nil }
        return (interval.upperBound - interval.lowerBound) / 2 / value
    }
}
