/// A response in two runs.
public struct MetricComparison: Hashable, Sendable {
    /// The response as it is written.
    public let response: String
    /// The unit of its values: `count`, `us`, `1` for a pure number.
    public let unit: String
    /// Whether its values are parts of a whole.
    public let isShare: Bool
    /// Which way it should go.
    public let direction: MetricDirection
    /// The mean over the replications of the first run that take part; nil where none has a value.
    public let first: Double?
    /// The same of the second run.
    public let second: Double?
    /// The bounds of the 95 % confidence interval of second minus first; nil where there is none.
    public let interval: ClosedRange<Double>?
    /// How many values of each run take part, or pairs of them.
    public let counts: Counts
    /// How far a difference may go either way without being told from none, in the unit.
    public let noise: Double
    /// Whether every pair, or every value of all, is the same in both runs.
    public let isSame: Bool

    /// How many values take part.
    public enum Counts: Hashable, Sendable {
        /// Pairs of replications on the same seeds.
        case pairs(Int)
        /// Values of the first run and of the second.
        case independent(Int, Int)
    }

    /// What a comparison comes to.
    public enum Verdict: String, Hashable, Sendable {
        /// Beyond the noise, the way it should go.
        case better
        /// Beyond the noise, the other way.
        case worse
        /// Beyond the noise and up, where there is no way it should go.
        case higher
        /// Beyond the noise and down, where there is no way it should go.
        case lower
        /// The same number in every replication.
        case same
        /// Within the noise for sure.
        case withinNoise = "within_noise"
        /// The interval reaches both within and beyond the noise.
        case unsure
        /// One of the runs has no value.
        case undefined
    }

    /// Second minus first.
    public var difference: Double? {
        first.flatMap { first in second.map { $0 - first } }
    }

    /// Second minus first, as a part of the first; nil where that is nothing.
    public var relativeDifference: Double? {
        guard let first, first != 0 else { return nil }
        return difference.map { $0 / first.magnitude }
    }

    /// What the difference comes to: by its interval, or by the difference alone where there is none.
    public var verdict: Verdict {
        guard let difference else { return .undefined }
        if isSame { return .same }
        let reach = interval ?? difference...difference
        if reach.lowerBound >= -noise, reach.upperBound <= noise { return .withinNoise }
        if reach.lowerBound > noise { return beyond(isUp: true) }
        if reach.upperBound < -noise { return beyond(isUp: false) }
        return .unsure
    }

    private func beyond(isUp: Bool) -> Verdict {
        switch direction {
        case .higher: isUp ? .better : .worse
        case .lower: isUp ? .worse : .better
        case .neutral: isUp ? .higher : .lower
        }
    }
}
