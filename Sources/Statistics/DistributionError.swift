/// The reason for which a distribution is invalid.
public enum DistributionError: Error, Hashable, Sendable {
    /// A number that is NaN or infinite; `parameter` names it as a scenario does.
    case notFinite(parameter: String, value: Double)
    case notPositive(parameter: String, value: Double)
    /// A number so large that the quantiles cannot be computed reliably.
    case tooLarge(parameter: String, value: Double, maximum: Double)
    case percentileNotAboveMedian(median: Double, p95: Double)
    case boundsReversed(low: Double, high: Double)
    case modeOutsideBounds(mode: Double, min: Double, max: Double)
    case tooFewQuantiles(count: Int)
    case probabilityOutsideUnitInterval(Double)
    case probabilitiesNotRising(previous: Double, next: Double)
    case quantilesFalling(previous: Double, next: Double)
    case noComponents
    case noValues
    /// A value that can be drawn but is not allowed.
    case outOfRange(value: Double, allowed: ClosedRange<Double>)
    /// A quantile that could not be computed to nine digits.
    case notComputable(probability: Double)
}

extension DistributionError: CustomStringConvertible {
    /// A description of the error, with the numbers in base units.
    public var description: String {
        switch self {
        case .notFinite(let parameter, let value):
            "\(parameter) must be a finite number, got \(value)"
        case .notPositive(let parameter, let value):
            "\(parameter) must be above 0, got \(value)"
        case .tooLarge(let parameter, let value, let maximum):
            "\(parameter) must be at most \(maximum), got \(value)"
        case .percentileNotAboveMedian(let median, let p95):
            "p95 must be above the median \(median), got \(p95)"
        case .boundsReversed(let low, let high):
            "high must not be below low \(low), got \(high)"
        case .modeOutsideBounds(let mode, let min, let max):
            "mode must be from min \(min) to max \(max), got \(mode)"
        case .tooFewQuantiles(let count):
            "quantiles must have at least 2 points, got \(count)"
        case .probabilityOutsideUnitInterval(let probability):
            "the probability of a quantile must be within 0...1, got \(probability)"
        case .probabilitiesNotRising(let previous, let next):
            "probabilities of quantiles must rise, got \(next) after \(previous)"
        case .quantilesFalling(let previous, let next):
            "quantiles must not fall, got \(next) after \(previous)"
        case .noComponents:
            "a mixture must have at least one component, got none"
        case .noValues:
            "an empirical distribution must have at least one value, got none"
        case .outOfRange(let value, let allowed):
            "values must be within \(allowed.lowerBound)...\(allowed.upperBound), got \(value)"
        case .notComputable(let probability):
            "the quantile of probability \(probability) cannot be computed"
        }
    }
}
