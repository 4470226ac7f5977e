/// The families that can be fitted, by the names that scenarios give them.
public enum FitFamily: String, CaseIterable, Hashable, Sendable {
    /// Multiplicative noise: most latencies.
    case lognormal
    /// A sum of a few memoryless steps.
    case gamma
    /// A hazard that rises or falls with time.
    case weibull
    /// Memoryless.
    case exponential
    /// Two or three lognormal ones, each with its share: a body and a tail of another origin.
    case mixture
}

/// Why a family cannot be fitted to values.
public enum FitError: Error, Hashable, Sendable {
    /// Too few values to fit anything to.
    case tooFewValues(count: Int, least: Int)
    case allEqual
    /// The likelihood has no maximum within the family's range, or it was not found.
    case noMaximum(FitFamily)
}

extension FitError: CustomStringConvertible {
    /// What is wrong, and what is allowed.
    public var description: String {
        switch self {
        case .tooFewValues(let count, let least):
            "at least \(least) values are needed for a fit, got \(count)"
        case .allEqual:
            "all values are the same: there is nothing to fit; state the value itself"
        case .noMaximum(.mixture):
            "no mixture was found whose parts hold \(Int(LognormalMixture.leastValues)) values each"
        case .noMaximum(let family):
            "no \(family.rawValue) distribution was found that is the likeliest"
        }
    }
}
