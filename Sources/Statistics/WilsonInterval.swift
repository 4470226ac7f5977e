/// The interval of a share of a number of independent trials, or of as many as the share's variance is worth.
///
/// E. B. Wilson, Journal of the American Statistical Association 22, 1927: never outside of 0...1 and never of zero width,
/// and near the level for few trials and shares near 0 or 1 too (L. D. Brown, T. T. Cai and A. DasGupta, Statistical Science
/// 16, 2001). Where trials come in clusters, a number of independent ones of the same variance takes their place, made
/// smaller by what is not known about that variance (E. L. Korn and B. I. Graubard, Survey Methodology 24, 1998).
public struct WilsonInterval: Hashable, Sendable {
    /// From the lower to the upper end.
    public let range: ClosedRange<Double>

    /// The interval of a share.
    ///
    /// - Parameters:
    ///   - share: The share that was found.
    ///   - size: Of how many independent trials; need not be whole.
    /// - Precondition: The share is within 0...1, the size above 0; the level is above 0 and below 1.
    public init(share: Double, of size: Double, level: Double = 0.95) {
        precondition(share >= 0 && share <= 1, "a share lies within 0...1")
        precondition(size > 0, "nothing to have a share of")
        let square = Normal.reach(level: level) * Normal.reach(level: level) / size
        let middle = (share + square / 2) / (1 + square)
        let half = (square * (share * (1 - share) + square / 4)).squareRoot() / (1 + square)
        // At a share of 0 or 1 both terms are the same, and their difference is nothing but the last digit.
        range = (share == 0 ? 0 : max(0, middle - half))...(share == 1 ? 1 : min(1, middle + half))
    }
}
