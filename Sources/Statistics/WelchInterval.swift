/// The difference of the means of two independent samples with possibly unequal variances, and its confidence interval.
///
/// B. L. Welch, "The generalization of 'Student's' problem when several different population variances are involved",
/// Biometrika 34, 1947; degrees of freedom by Satterthwaite's formula, which need not be an integer.
public struct WelchInterval: Hashable, Sendable {
    /// The mean of the second sample minus that of the first.
    public let difference: Double
    /// The half-width of the interval.
    public let halfWidth: Double
    /// The degrees of freedom of Student's t for the interval.
    public let degreesOfFreedom: Double

    /// Creates the interval of two samples; nil if either has fewer than two values, which do not show their spread.
    ///
    /// - Precondition: All values are finite; the level is above 0 and below 1.
    public init?(_ first: [Double], _ second: [Double], level: Double = 0.95) {
        guard let (firstMean, firstError) = Self.mean(first), let (secondMean, secondError) = Self.mean(second) else {
            return nil
        }
        difference = secondMean - firstMean
        let variance = firstError + secondError
        let spread =
            firstError * firstError / Double(first.count - 1) + secondError * secondError / Double(second.count - 1)
        // Without any spread the division is undefined, and the interval is a point regardless of the degrees of
        // freedom.
        degreesOfFreedom = spread > 0 ? variance * variance / spread : Double(first.count + second.count - 2)
        halfWidth = Student.reach(level: level, degreesOfFreedom: degreesOfFreedom) * variance.squareRoot()
    }

    /// The interval.
    public var range: ClosedRange<Double> { (difference - halfWidth)...(difference + halfWidth) }

    /// The mean of a sample and the square of its standard error; nil for fewer than two values.
    private static func mean(_ values: [Double]) -> (mean: Double, squaredError: Double)? {
        precondition(values.allSatisfy(\.isFinite), "samples are finite")
        guard values.count >= 2 else { return nil }
        let count = Double(values.count)
        return (values.mean, values.squaredDeviations / (count - 1) / count)
    }
}
