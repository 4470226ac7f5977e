/// By which share of the first's mean the second's differs, over pairs, with its interval.
///
/// The quotient of the two means by the delta method, as in ``RatioEstimator``: the residuals second - quotient · first
/// vary as little as the pairs let them. The interval is Student's; it is good when the first's mean is many of its
/// standard errors away from 0.
public struct RelativeDifference: Hashable, Sendable {
    /// (second - first) / |first| of the means: 0.02 for two per cent more.
    public let value: Double
    /// From the value to either end of the interval.
    public let halfWidth: Double
    /// The chance that such an interval holds the true relative difference.
    public let level: Double

    /// The relative difference of pairs.
    ///
    /// Nil for fewer than two pairs, and where the first's mean is 0 or its own interval at that level reaches 0: then the
    /// quotient may be anything (E. C. Fieller, J. R. Statist. Soc. B 16, 1954).
    ///
    /// - Precondition: Both have as many values, all finite; the level is above 0 and below 1.
    public init?(_ first: [Double], _ second: [Double], level: Double = 0.95) {
        precondition(first.count == second.count, "values come in pairs")
        guard let base = StudentInterval(first, level: level), base.mean != 0, !base.contains(0) else { return nil }
        let count = Double(first.count)
        let ratio = second.reduce(0, +) / count / base.mean
        // Their mean is 0, whatever rounding makes of it.
        let squares = zip(first, second)
            .reduce(0) { sum, pair in
                let residual = pair.1 - ratio * pair.0
                return sum + residual * residual
            }
        let standardError = (squares / (count - 1) / count).squareRoot() / base.mean.magnitude
        // Of a negative base, more is upwards too.
        value = base.mean > 0 ? ratio - 1 : 1 - ratio
        halfWidth = Student.reach(level: level, degreesOfFreedom: count - 1) * standardError
        self.level = level
    }

    /// The lower end.
    public var lower: Double { value - halfWidth }

    /// The upper end.
    public var upper: Double { value + halfWidth }
}
