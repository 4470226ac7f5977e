/// The ratio of two means over batches, with its confidence interval.
///
/// The batches' numerators and denominators are correlated, so the interval is computed from the residuals of the
/// numerators about the pooled ratio (the delta method; Law, Simulation Modeling and Analysis, on ratio estimators).
/// The ratio is that of the sums: batches are weighted by their denominators, and an empty one has no weight.
public struct RatioEstimator: Hashable, Sendable {
    /// The sum of the numerators over the sum of the denominators.
    public let ratio: Double
    /// The standard error of the ratio.
    public let standardError: Double
    /// The degrees of freedom of Student's t for the interval: the number of batches minus one.
    public let degreesOfFreedom: Int
    /// The half-width of the interval.
    public let halfWidth: Double

    /// Creates the estimate; nil with fewer than two batches, or if the denominators sum to zero.
    ///
    /// - Precondition: The level is above 0 and below 1.
    public init?(_ batches: [(numerator: Double, denominator: Double)], level: Double = 0.95) {
        let top = batches.reduce(0) { $0 + $1.numerator }
        let bottom = batches.reduce(0) { $0 + $1.denominator }
        guard bottom > 0, batches.count > 1 else { return nil }
        let ratio = top / bottom
        let squares = batches.reduce(0) { sum, batch in
            let residual = batch.numerator - ratio * batch.denominator
            return sum + residual * residual
        }
        let count = Double(batches.count)
        self.ratio = ratio
        degreesOfFreedom = batches.count - 1
        standardError = (squares * count / (count - 1)).squareRoot() / bottom
        halfWidth = Student.reach(level: level, degreesOfFreedom: count - 1) * standardError
    }

    /// The interval; may extend beyond the possible range of the quantity.
    public var interval: ClosedRange<Double> { (ratio - halfWidth)...(ratio + halfWidth) }
}
