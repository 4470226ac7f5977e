/// A mean of independent replications with its confidence interval by Student's t.
///
/// The level holds exactly for normal responses and nearly so for the means of long runs.
public struct StudentInterval: Hashable, Sendable {
    /// The mean of the samples.
    public let mean: Double
    /// From the mean to either end of the interval.
    public let halfWidth: Double
    /// How many samples.
    public let count: Int
    /// The chance that such an interval holds the true mean.
    public let level: Double

    /// The interval of samples; nil for fewer than two, which say nothing about their spread.
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

    /// The interval of the mean of second minus first, where both members of a pair have seen the same world.
    ///
    /// With common random numbers the members share their luck; their difference does not.
    ///
    /// - Precondition: Both have as many values, all finite; the level is above 0 and below 1.
    public init?(ofDifferences first: [Double], _ second: [Double], level: Double = 0.95) {
        precondition(first.count == second.count, "values come in pairs")
        self.init(zip(first, second).map { $1 - $0 }, level: level)
    }

    /// From the lower to the upper end.
    public var range: ClosedRange<Double> { (mean - halfWidth)...(mean + halfWidth) }
}
