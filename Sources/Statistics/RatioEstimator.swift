/// The quotient of two means over batches, with its interval.
///
/// The batches' numerators and denominators vary together, so the interval is that of the residuals of the numerators
/// about the pooled quotient (the delta method; Law, Simulation Modeling and Analysis, on ratio estimators). The quotient
/// is that of the sums: batches weigh as much as their denominators, and an empty one weighs nothing.
public struct RatioEstimator: Hashable, Sendable {
    /// The sum of the numerators over the sum of the denominators.
    public let ratio: Double
    /// The standard error of the ratio.
    public let standardError: Double
    /// Of Student's t for the interval: one less than there are batches.
    public let degreesOfFreedom: Int
    /// From the ratio to either end of the interval.
    public let halfWidth: Double

    /// Nil with fewer than two batches, or when the denominators add up to nothing.
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

    /// From the lower to the upper end; may reach beyond what the quantity can be.
    public var interval: ClosedRange<Double> { (ratio - halfWidth)...(ratio + halfWidth) }
}
