import SimulationKernel

/// The confidence interval of a quantity that is never negative: a count of events, or a mean of a few large
/// contributions.
///
/// The exact interval of a Poisson count (F. Garwood, Biometrika 28, 1936), scaled by the dispersion: an estimate whose
/// variance is `dispersion` times the estimate is treated as that many times a count of `estimate / dispersion` events.
/// The interval is therefore as asymmetric as the distribution of such sums, contains no negative values, and never has
/// a width of zero; for many events it approaches the normal interval (M. P. Fay and E. J. Feuer, Statistics in
/// Medicine 16, 1997, on weighted sums of Poisson counts). For a dispersion of 1 it is conservative: 95% is then a
/// lower bound of its coverage.
public struct GammaInterval: Hashable, Sendable {
    /// The interval.
    public let range: ClosedRange<Double>

    /// The number of events above which gamma quantiles are computed from the cube of a normal one, accurate to seven
    /// digits there.
    ///
    /// Wilson and Hilferty, PNAS 17, 1931.
    private static let manyEvents = 1000.0

    /// Creates the interval of an estimate.
    ///
    /// Bounds are rounded to nine digits, because the last bits of GSL's quantiles depend on the processor's logarithm.
    ///
    /// - Parameters:
    ///   - estimate: The count or the mean.
    ///   - dispersion: The variance of the estimate divided by the estimate; 1 for a Poisson count.
    /// - Precondition: The estimate is finite and not negative, the dispersion finite and above 0; the level is above 0
    ///   and below 1.
    public init(estimate: Double, dispersion: Double, level: Double = 0.95) {
        precondition(estimate >= 0 && estimate.isFinite, "counts and means are not negative")
        precondition(dispersion > 0 && dispersion.isFinite, "a variance is above 0")
        let events = estimate / dispersion
        let reach = Normal.reach(level: level)
        let tail = (1 - level) / 2
        let lower = events == 0 ? 0 : dispersion * Self.quantile(.lower, tail, of: events, -reach)
        range = lower...(dispersion * Self.quantile(.upper, tail, of: events + 1, reach))
    }

    /// The number of plausible events when none was observed: the upper bound of the exact interval of 0, 3.7 at 95%.
    public static func mostUnseen(level: Double = 0.95) -> Double {
        GammaInterval(estimate: 0, dispersion: 1, level: level).range.upperBound
    }

    private static func quantile(
        _ side: QuantileTable.Tail,
        _ tail: Double,
        of shape: Double,
        _ reach: Double
    ) -> Double {
        guard shape <= manyEvents else {
            let root = 1 - 1 / (9 * shape) + reach / (3 * shape.squareRoot())
            return shape * root * root * root
        }
        return GammaDistribution(shape: shape, scale: 1).quantile(side, tail).rounded(digits: 9)
    }
}

extension Double {
    /// Rounded to significant digits.
    fileprivate func rounded(digits: Int) -> Double {
        guard isFinite, self != 0 else { return self }
        var scale = 1.0
        let limit = (0..<digits).reduce(1.0) { limit, _ in limit * 10 }
        while abs(self) * scale < limit, scale < 1e280 { scale *= 10 }
        return (self * scale).rounded() / scale
    }
}
