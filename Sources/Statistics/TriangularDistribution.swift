/// The distribution whose density rises linearly from the smallest value to the most likely one, and falls linearly to
/// the largest.
///
/// Its quantiles need only square roots, which are the same on every processor.
struct TriangularDistribution {
    let min: Double
    let mode: Double
    let max: Double

    /// Creates a distribution from its three values.
    ///
    /// - Throws: An error if a value is not finite, or the mode is outside the bounds.
    init(min: Double, mode: Double, max: Double) throws(DistributionError) {
        for (name, value) in [("min", min), ("mode", mode), ("max", max)] where !value.isFinite {
            throw .notFinite(parameter: name, value: value)
        }
        guard min <= mode, mode <= max else { throw .modeOutsideBounds(mode: mode, min: min, max: max) }
        (self.min, self.mode, self.max) = (min, mode, max)
    }

    private var width: Double { max - min }

    var mean: Double { (min + mode + max) / 3 }

    var meanSquare: Double { (min * min + mode * mode + max * max + min * mode + mode * max + min * max) / 6 }

    /// The quantile of a lower-tail probability.
    func quantile(_ probability: Double) -> Double {
        guard probability * width > mode - min else { return min + (probability * width * (mode - min)).squareRoot() }
        return max - ((1 - probability) * width * (max - mode)).squareRoot()
    }

    /// The quantile of an upper-tail probability.
    func upperQuantile(_ probability: Double) -> Double {
        guard probability * width > max - mode else { return max - (probability * width * (max - mode)).squareRoot() }
        return min + ((1 - probability) * width * (mode - min)).squareRoot()
    }

    /// The probability of a value at or below another.
    func cumulative(_ value: Double) -> Double {
        guard value >= min else { return 0 }
        guard value < max else { return 1 }
        guard value < mode else { return 1 - (max - value) * (max - value) / (width * (max - mode)) }
        return (value - min) * (value - min) / (width * (mode - min))
    }
}
