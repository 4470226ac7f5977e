public import SimulationKernel

extension Distribution {
    /// The probability of a value at or below `value` [base units], before rounding to integers.
    ///
    /// For tests of fit. It is computed with GSL and libm, so its last bits may differ between processors.
    ///
    /// - Precondition: The distribution is valid (``validated(range:)``).
    public func cumulative(_ value: Double) -> Double {
        switch self {
        case .constant(let constant):
            return value < constant ? 0 : 1
        case .uniform(let low, let high):
            return low < high ? min(1, max(0, (value - low) / (high - low))) : value < low ? 0 : 1
        case .quantiles(let points):
            return Self.cumulative(value, of: points)
        case .mixture(let components):
            let total = components.reduce(0) { $0 + $1.weight }
            return components.reduce(0) { $0 + $1.weight * $1.distribution.cumulative(value) } / total
        case .empirical(let values):
            return Double(values.sorted.count { Double($0) <= value }) / Double(values.sorted.count)
        case .shifted(let by, let distribution):
            return distribution.cumulative(value - by)
        case .triangular:
            return validTriangle.cumulative(value)
        case .exponential, .lognormal, .lognormalOfLog, .gamma, .weibull:
            return validFamily.lower(value)
        }
    }

    /// The distribution function of linear pieces between points; the first and the last value have the probability
    /// beyond them.
    private static func cumulative(_ value: Double, of points: [QuantilePoint]) -> Double {
        guard value >= points[0].value else { return 0 }
        // If several points have the same value, the last one counts.
        guard let next = points.firstIndex(where: { $0.value > value }) else { return 1 }
        let (left, right) = (points[next - 1], points[next])
        let part = (value - left.value) / (right.value - left.value)
        return left.probability + part * (right.probability - left.probability)
    }
}
