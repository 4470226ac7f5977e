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
    /// The variance is summed over differences from the mean, so that a small spread of large values keeps its digits.
    ///
    /// - Precondition: The samples are finite; the level is above 0 and below 1.
    public init?(_ samples: [Double], level: Double = 0.95) {
        precondition(level > 0 && level < 1, "a confidence level lies between 0 and 1")
        precondition(samples.allSatisfy(\.isFinite), "samples are finite")
        guard samples.count >= 2 else { return nil }
        let count = Double(samples.count)
        let mean = samples.reduce(0, +) / count
        let squares = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let standardError = (squares / (count - 1) / count).squareRoot()
        self.mean = mean
        self.halfWidth = Student.reach(level: level, degreesOfFreedom: count - 1) * standardError
        self.count = samples.count
        self.level = level
    }

    /// The lower end.
    public var lower: Double { mean - halfWidth }

    /// The upper end.
    public var upper: Double { mean + halfWidth }

    /// Whether a value lies within the interval, its ends included.
    public func contains(_ value: Double) -> Bool {
        lower <= value && value <= upper
    }
}
