import Quantities
public import SimulationKernel

extension Distribution {
    /// The allowed values of durations and counts: 0 up to the number of microseconds in ``TimeSpan/longest``.
    public static var defaultRange: ClosedRange<Double> { 0...Double(TimeSpan.longest.microseconds) }

    /// Checks the parameters, and that every possible value is within a range.
    ///
    /// Nothing is clamped later: the simulation draws from a valid distribution as it is. An unbounded family ends at
    /// its quantiles of 2^-44 and 1 - 2^-44, as its table does.
    ///
    /// - Parameter range: The allowed values, in base units.
    /// - Throws: The first error.
    public func validated(range: ClosedRange<Double> = Distribution.defaultRange) throws(DistributionError) {
        let support = try support()
        if !range.contains(support.lowerBound) {
            throw .outOfRange(value: support.lowerBound, allowed: range)
        }
        if !range.contains(support.upperBound) {
            throw .outOfRange(value: support.upperBound, allowed: range)
        }
    }

    /// The smallest and the largest value that can be drawn, in base units, before rounding.
    ///
    /// An unbounded family ends at its quantiles of 2^-44 and 1 - 2^-44.
    ///
    /// - Throws: The first error in the parameters.
    public func support() throws(DistributionError) -> ClosedRange<Double> {
        switch self {
        case .constant(let value):
            try requireFinite("constant", value)
            return value...value
        case .uniform(let low, let high):
            try requireFinite("low", low)
            try requireFinite("high", high)
            guard low <= high else { throw .boundsReversed(low: low, high: high) }
            return low...high
        case .triangular(let min, let mode, let max):
            let triangle = try TriangularDistribution(min: min, mode: mode, max: max)
            return triangle.min...triangle.max
        case .quantiles(let points):
            return try support(of: points)
        case .mixture(let components):
            return try support(of: components)
        case .empirical(let values):
            guard let first = values.sorted.first, let last = values.sorted.last else { throw .noValues }
            return Double(first)...Double(last)
        case .shifted(let by, let distribution):
            try requireFinite("by", by)
            let support = try distribution.support()
            return support.lowerBound + by...support.upperBound + by
        case .exponential, .lognormal, .lognormalOfLog, .gamma, .weibull:
            let family = try continuousFamily()
            return try family.quantile(.lower, 0x1p-44)...family.quantile(.upper, 0x1p-44)
        }
    }

    /// The family of a distribution that is a continuous family, with checked parameters.
    func continuousFamily() throws(DistributionError) -> ContinuousFamily {
        switch self {
        case .exponential(let mean):
            try requirePositive("mean", mean)
            return .exponential(mean: mean)
        case .lognormal(let median, let p95):
            try requirePositive("median", median)
            try requirePositive("p95", p95)
            guard median < p95 else { throw .percentileNotAboveMedian(median: median, p95: p95) }
            return .lognormal(median: median, p95: p95)
        case .lognormalOfLog(let mu, let sigma, let unit):
            try requireFinite("mu", mu)
            try requirePositive("sigma", sigma)
            try requirePositive("unit", unit)
            return .lognormal(mu: mu, sigma: sigma, unit: unit)
        case .gamma(let shape, let scale):
            try requirePositive("shape", shape)
            guard shape <= GammaDistribution.largestShape else {
                throw .tooLarge(parameter: "shape", value: shape, maximum: GammaDistribution.largestShape)
            }
            try requirePositive("scale", scale)
            return .gamma(GammaDistribution(shape: shape, scale: scale))
        case .weibull(let shape, let scale):
            try requirePositive("shape", shape)
            try requirePositive("scale", scale)
            return .weibull(shape: shape, scale: scale)
        case .constant, .uniform, .triangular, .quantiles, .mixture, .empirical, .shifted:
            preconditionFailure("not a continuous family")
        }
    }

    /// The family of a valid distribution that is a continuous family.
    var validFamily: ContinuousFamily {
        do {
            return try continuousFamily()
        } catch {
            preconditionFailure("an invalid distribution: \(error)")
        }
    }

    /// The triangle of a valid distribution that is triangular.
    var validTriangle: TriangularDistribution {
        guard case .triangular(let min, let mode, let max) = self,
            let triangle = try? TriangularDistribution(min: min, mode: mode, max: max)
        else { preconditionFailure("not a valid triangular distribution: \(self)") }
        return triangle
    }

    private func support(of points: [QuantilePoint]) throws(DistributionError) -> ClosedRange<Double> {
        guard points.count >= 2 else { throw .tooFewQuantiles(count: points.count) }
        for point in points {
            try requireFinite("quantile", point.value)
            guard point.probability >= 0, point.probability <= 1 else {
                throw .probabilityOutsideUnitInterval(point.probability)
            }
        }
        for (previous, next) in zip(points, points.dropFirst()) {
            guard previous.probability < next.probability else {
                throw .probabilitiesNotRising(previous: previous.probability, next: next.probability)
            }
            guard previous.value <= next.value else {
                throw .quantilesFalling(previous: previous.value, next: next.value)
            }
        }
        return points[0].value...points[points.count - 1].value
    }

    private func support(of components: [MixtureComponent]) throws(DistributionError) -> ClosedRange<Double> {
        guard !components.isEmpty else { throw .noComponents }
        var total = 0.0
        var low = Double.infinity
        var high = -Double.infinity
        for component in components {
            try requirePositive("weight", component.weight)
            total += component.weight
            let support = try component.distribution.support()
            low = min(low, support.lowerBound)
            high = max(high, support.upperBound)
        }
        try requireFinite("the sum of weights", total)
        return low...high
    }

    private func requireFinite(_ parameter: String, _ value: Double) throws(DistributionError) {
        guard value.isFinite else { throw .notFinite(parameter: parameter, value: value) }
    }

    private func requirePositive(_ parameter: String, _ value: Double) throws(DistributionError) {
        try requireFinite(parameter, value)
        guard value > 0 else { throw .notPositive(parameter: parameter, value: value) }
    }
}
