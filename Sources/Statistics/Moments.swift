extension [Double] {
    /// The mean; NaN for an empty array.
    var mean: Double { reduce(0, +) / Double(count) }

    /// The sum of the squared differences from the mean, computed so that a small spread of large values keeps its
    /// precision.
    var squaredDeviations: Double {
        let mean = mean
        return reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }

    /// `true` if the values are too skewed around a centre for Student's quantiles; `false` for fewer than eight
    /// values, which are too few to show it.
    func isSkewed(around center: Double) -> Bool { skewness(around: center).map { $0 > Self.largestSkewness } ?? false }
}

extension [Double] {
    /// The absolute skewness around a value; nil for fewer than eight values, which are too few to show it, and for
    /// values that do not vary.
    public func skewness(around center: Double) -> Double? {
        guard count >= 8 else { return nil }
        let (squares, cubes) = reduce((0.0, 0.0)) { sums, value in
            let residual = value - center
            return (sums.0 + residual * residual, sums.1 + residual * residual * residual)
        }
        guard squares > 0 else { return nil }
        return abs(cubes) * Double(count).squareRoot() / (squares * squares.squareRoot())
    }

    /// The maximum accepted skewness, which the residuals of sixteen normal values exceed in one case of two hundred.
    public static var largestSkewness: Double { 1.5 }
}
