import SimulationKernel

/// The interval of a quantity that is never negative: a count of events, or a mean made of a few large contributions.
///
/// The exact interval of a Poisson count (F. Garwood, Biometrika 28, 1936), scaled by the dispersion: an estimate whose
/// variance is `dispersion` times itself is taken for that many times a count of `estimate / dispersion` events. So it is
/// as lopsided as sums of independent contributions are, holds no negative values, and never has a width of zero; with many
/// events it becomes the normal interval (M. P. Fay and E. J. Feuer, Statistics in Medicine 16, 1997, on weighted sums of
/// Poisson counts). For a dispersion of 1 it errs on the wide side: 95 % are then kept as a lower bound.
public struct GammaInterval: Hashable, Sendable {
    /// From the lower to the upper end.
    public let range: ClosedRange<Double>

    /// With more events than this, gamma quantiles are taken from the cube of a normal one, good to seven digits there.
    ///
    /// Wilson and Hilferty, PNAS 17, 1931.
    private static let manyEvents = 1000.0

    /// The interval of an estimate.
    ///
    /// Ends are rounded to nine digits: the last bits of GSL's quantiles depend on the processor's logarithm.
    ///
    /// - Parameters:
    ///   - estimate: What was counted or averaged.
    ///   - dispersion: The variance of the estimate over the estimate; 1 for a Poisson count.
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

    /// How many events may well have been due where none was seen: the upper end of the exact interval of 0, 3.7 at 95 %.
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
