public import SimulationKernel

extension Distribution {
    /// The expected value in base units, for reports.
    ///
    /// It is computed with libm, so its last bits may differ between processors. Nothing in the simulation may depend
    /// on it, and reports show only a few digits.
    ///
    /// - Precondition: The distribution is valid (``validated(range:)``).
    public var mean: Double {
        switch self {
        case .constant(let value):
            return value
        case .uniform(let low, let high):
            return low + (high - low) / 2
        case .quantiles(let points):
            return Self.mean(of: points)
        case .mixture(let components):
            let total = components.reduce(0) { $0 + $1.weight }
            return components.reduce(0) { $0 + $1.weight * $1.distribution.mean } / total
        case .empirical(let values):
            return values.sorted.reduce(0) { $0 + Double($1) } / Double(values.sorted.count)
        case .shifted(let by, let distribution):
            return distribution.mean + by
        case .triangular:
            return validTriangle.mean
        case .exponential, .lognormal, .lognormalOfLog, .gamma, .weibull:
            return validFamily.mean
        }
    }

    /// The area under a piecewise linear quantile function, constant before the first and after the last point.
    private static func mean(of points: [QuantilePoint]) -> Double {
        let first = points[0]
        let last = points[points.count - 1]
        var area = first.probability * first.value + (1 - last.probability) * last.value
        for (left, right) in zip(points, points.dropFirst()) {
            area += (right.probability - left.probability) * (left.value + right.value) / 2
        }
        return area
    }
}
