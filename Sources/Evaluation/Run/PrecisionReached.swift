public import LiveActivityModel
import Statistics

/// The precision reached for `replications.until`.
public struct PrecisionReached: Hashable, Sendable {
    /// The requested precision.
    public let wish: Scenario.Precision
    /// The half-width of the metric's 95 % interval relative to its value; nil if there is none.
    public let halfWidth: Double?
    /// The reason why there is no half-width; nil if there is one.
    public let obstacle: Obstacle?

    /// A reason why a metric has no half-width.
    public enum Obstacle: Hashable, Sendable {
        /// The value was the same in all replications, so its variation is unknown.
        case neverVaried(isZero: Bool)
        /// It has no reliable interval.
        case gap(IntervalGap.Reason)
        /// The metric has no value in any replication, because nothing that it measures happened.
        case noValue
        /// The run cannot show the metric.
        case notMeasured(Requirement.Unmet)
    }

    /// Computes the precision of a result.
    package init(_ wish: Scenario.Precision, in result: RunResult) {
        self.wish = wish
        let metric = MetricCatalog(of: result.scenario).metrics
            .first { Response(metric: $0.name, scope: $0.scope).text == wish.metric }
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

    /// `true` if the half-width is below the requested value.
    public var isMet: Bool { halfWidth.map { $0 < wish.halfWidth } ?? false }

    /// `true` if more replications cannot reach the precision.
    ///
    /// That is so if the run cannot show the metric. It is also so if the metric never varied or never had a value, and even
    /// the largest plausible number of unseen events would be too few in all allowed replications.
    ///
    /// A relative half-width of *h* takes (1.96 / *h*)² events.
    ///
    /// - Parameter count: The number of replications so far.
    package func isHopeless(after count: Int) -> Bool {
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
    /// Returns the row of the default statistic.
    fileprivate func usualRow(of result: RunResult) -> SummaryRow? {
        SummarySource([self], of: result).rows[0].first { $0.stat == usualStatistic }
    }

    /// Returns true if the independent parts of a result differ in the default statistic.
    fileprivate func varies(in result: RunResult) -> Bool {
        let values = result.batches.compactMap { part(of: $0) }
            .filter { $0.denominator > 0 }
            .map { $0.numerator / $0.denominator }
        return Set(values).count > 1
    }
}

extension SummaryRow {
    /// The half-width of the interval relative to the value; nil if there is none.
    fileprivate var relativeHalfWidth: Double? {
        guard let interval, let value = value?.double, value > 0 else { return nil }
        return (interval.upperBound - interval.lowerBound) / 2 / value
    }
}
