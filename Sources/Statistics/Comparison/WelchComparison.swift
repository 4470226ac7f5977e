/// Two policies that have seen different worlds: the difference of their means, whatever their variances.
///
/// B. L. Welch, Biometrika 34, 1947, with Satterthwaite's degrees of freedom. Where the same worlds were seen, a
/// ``PairedComparison`` is sharper.
public struct WelchComparison: Hashable, Sendable {
    /// The mean of the first, in the response's unit.
    public let firstMean: Double
    /// The mean of the second, in the response's unit.
    public let secondMean: Double
    /// From the difference to either end of its interval.
    public let halfWidth: Double
    /// Of Student's t for the interval; rarely a whole number.
    public let degreesOfFreedom: Double
    /// The chance that such an interval holds the true difference.
    public let level: Double

    /// The comparison of two samples; nil with fewer than two values in either.
    ///
    /// The numbers of values may differ. Where neither varies, the interval is a point, with the degrees of freedom of a
    /// common variance.
    ///
    /// - Precondition: The values are finite; the level is above 0 and below 1.
    public init?(_ first: [Double], _ second: [Double], level: Double = 0.95) {
        precondition(level > 0 && level < 1, "a confidence level lies between 0 and 1")
        precondition((first + second).allSatisfy(\.isFinite), "samples are finite")
        guard first.count >= 2, second.count >= 2 else { return nil }
        let one = Self.moments(first)
        let other = Self.moments(second)
        let variance = one.variance + other.variance
        firstMean = one.mean
        secondMean = other.mean
        let (freedom, otherFreedom) = (Double(first.count - 1), Double(second.count - 1))
        if variance > 0 {
            // Shares of the variance, as their squares do not vanish with it.
            let (share, otherShare) = (one.variance / variance, other.variance / variance)
            degreesOfFreedom = 1 / (share * share / freedom + otherShare * otherShare / otherFreedom)
        } else {
            degreesOfFreedom = freedom + otherFreedom
        }
        halfWidth = Student.reach(level: level, degreesOfFreedom: degreesOfFreedom) * variance.squareRoot()
        self.level = level
    }

    /// The mean of a sample, and the variance of that mean.
    private static func moments(_ values: [Double]) -> (mean: Double, variance: Double) {
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        return (mean, values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1) / count)
    }

    /// Second minus first, in the response's unit.
    public var difference: Double { secondMean - firstMean }

    /// The lower end of the difference's interval.
    public var lower: Double { difference - halfWidth }

    /// The upper end of the difference's interval.
    public var upper: Double { difference + halfWidth }

    /// Whether the second differs from the first by more than a band of noise; a relative band is of the first's mean.
    public func change(beyond band: NoiseBand) -> ResponseChange {
        let width =
            switch band {
            case .absolute(let width): width
            case .relative(let share): share * firstMean.magnitude
            }
        return ResponseChange(lower: lower, upper: upper, band: width)
    }
}
