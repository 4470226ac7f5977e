/// The mean of independent replications with its confidence interval by Student's t.
///
/// The level is exact for normal responses and nearly so for the means of long runs.
public struct StudentInterval: Hashable, Sendable {
    /// The mean of the samples.
    public let mean: Double
    /// The half-width of the interval.
    public let halfWidth: Double
    /// The number of samples.
    public let count: Int
    /// The probability that such an interval contains the true mean.
    public let level: Double

    /// Creates the interval of samples; nil for fewer than two, which do not show their spread.
    ///
    /// - Precondition: The samples are finite; the level is above 0 and below 1.
    public init?(_ samples: [Double], level: Double = 0.95) {
        precondition(samples.allSatisfy(\.isFinite), "samples are finite")
        guard samples.count >= 2 else { return nil }
        let count = Double(samples.count)
        let standardError = (samples.squaredDeviations / (count - 1) / count).squareRoot()
        self.mean = samples.mean
        self.halfWidth = Student.reach(level: level, degreesOfFreedom: count - 1) * standardError
        self.count = samples.count
        self.level = level
    }

    /// Creates the interval of the mean of second minus first, for pairs whose members share their random numbers.
    ///
    /// With common random numbers, much of the random variation cancels in the difference.
    ///
    /// - Precondition: Both have the same number of values, all finite; the level is above 0 and below 1.
    public init?(ofDifferences first: [Double], _ second: [Double], level: Double = 0.95) {
        precondition(first.count == second.count, "values come in pairs")
        self.init(zip(first, second).map { $1 - $0 }, level: level)
    }

    /// The interval.
    public var range: ClosedRange<Double> { (mean - halfWidth)...(mean + halfWidth) }
}
