/// The families that can be fitted, by their names in scenarios.
public enum FitFamily: String, CaseIterable, Hashable, Sendable {
    /// Multiplicative noise: typical of latencies.
    case lognormal
    /// A sum of a few memoryless steps.
    case gamma
    /// A hazard that increases or decreases with time.
    case weibull
    /// Memoryless.
    case exponential
}

/// The reason for which a family cannot be fitted to values.
public enum FitError: Error, Hashable, Sendable {
    /// Too few values for a fit.
    case tooFewValues(count: Int, least: Int)
    case allEqual
    /// The likelihood has no maximum within the family's range, or none was found.
    case noMaximum(FitFamily)
}

extension FitError: CustomStringConvertible {
    /// A description of the error, with the allowed values.
    public var description: String {
        switch self {
        case .tooFewValues(let count, let least):
            "at least \(least) values are needed for a fit, got \(count)"
        case .allEqual:
            "all values are the same: there is nothing to fit; state the value itself"
        case .noMaximum(let family):
            "no \(family.rawValue) distribution of maximum likelihood was found"
        }
    }
}
