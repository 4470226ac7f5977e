/// The confidence interval of a share of independent trials, or of the equivalent number according to the share's
/// variance.
///
/// E. B. Wilson, Journal of the American Statistical Association 22, 1927: never outside 0...1, never of zero width,
/// and close to the level even for few trials and shares near 0 or 1 (L. D. Brown, T. T. Cai and A. DasGupta,
/// Statistical Science 16, 2001). If trials come in clusters, they are replaced by the number of independent trials
/// with the same variance, reduced for the uncertainty of that variance (E. L. Korn and B. I. Graubard, Survey
/// Methodology 24, 1998).
public struct WilsonInterval: Hashable, Sendable {
    /// The interval.
    public let range: ClosedRange<Double>

    /// Creates the interval of a share.
    ///
    /// - Parameters:
    ///   - share: The observed share.
    ///   - size: The number of independent trials; need not be an integer.
    /// - Precondition: The share is within 0...1, the size above 0; the level is above 0 and below 1.
    public init(share: Double, of size: Double, level: Double = 0.95) {
        precondition(share >= 0 && share <= 1, "a share lies within 0...1")
        precondition(size > 0, "nothing to have a share of")
        let square = Normal.reach(level: level) * Normal.reach(level: level) / size
        let middle = (share + square / 2) / (1 + square)
        let half = (square * (share * (1 - share) + square / 4)).squareRoot() / (1 + square)
        // At a share of 0 or 1 both terms are equal, and their difference is only rounding.
        range = (share == 0 ? 0 : max(0, middle - half))...(share == 1 ? 1 : min(1, middle + half))
    }
}
