import CGSL
import Foundation
import SimulationKernel

/// Continuous families with weights that add up to 1; a single family is a mixture of one.
struct FamilyMixture {
    struct Part {
        var weight: Double
        var family: ContinuousFamily
    }

    var parts: [Part]

    init(_ parts: [Part]) { self.parts = parts }

    init(_ family: ContinuousFamily) {
        parts = [Part(weight: 1, family: family)]
    }

    /// The probability of a value at or below `value`.
    func lower(_ value: Double) -> Double {
        parts.reduce(0) { $0 + $1.weight * $1.family.lower(value) }
    }

    /// The probability of a value above `value`.
    func upper(_ value: Double) -> Double {
        parts.reduce(0) { $0 + $1.weight * $1.family.upper(value) }
    }

    /// The logarithm of the density at a value above 0.
    func logDensity(_ value: Double) -> Double {
        if parts.count == 1 { return parts[0].family.logDensity(value) }
        let terms = parts.map { log($0.weight) + $0.family.logDensity(value) }
        let largest = terms.max() ?? -.infinity
        guard largest > -.infinity else { return largest }
        return largest + log(terms.reduce(0) { $0 + exp($1 - largest) })
    }

    /// The quantile of a probability; NaN if it cannot be computed.
    ///
    /// For several parts it is found by bisection between the smallest and the largest quantile of the parts, to 2^-48.
    func quantile(_ probability: Double) -> Double {
        let quantiles = parts.map { $0.family.value(.lower, probability) }
        guard var low = quantiles.min(), var high = quantiles.max(), !low.isNaN, !high.isNaN else { return .nan }
        while high - low > high * 0x1p-48 {
            let middle = (low + high) / 2
            if lower(middle) < probability {
                low = middle
            } else {
                high = middle
            }
            if middle == low && middle == high { break }
        }
        return high
    }

    /// Returns the mixture with every value multiplied by a factor.
    func scaled(by factor: Double) -> FamilyMixture {
        FamilyMixture(parts.map { Part(weight: $0.weight, family: $0.family.scaled(by: factor)) })
    }

    /// The mixture as a scenario states it, with each value multiplied by `unit`.
    func distribution(unit: Double) -> Distribution {
        if parts.count == 1 { return parts[0].family.distribution(unit: unit) }
        return .mixture(
            parts.map { MixtureComponent(weight: $0.weight, distribution: $0.family.distribution(unit: unit)) }
        )
    }
}

extension ContinuousFamily {
    /// The probability of a value at or below `value`.
    func lower(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        return GSL.call {
            switch self {
            case .exponential(let mean): gsl_cdf_exponential_P(value, mean)
            case .lognormal(let logMedian, let sigma): gsl_cdf_lognormal_P(value, logMedian, sigma)
            case .gamma(let gamma): gsl_cdf_gamma_P(value, gamma.shape, gamma.scale)
            case .weibull(let shape, let scale): gsl_cdf_weibull_P(value, scale, shape)
            }
        }
    }

    /// The probability of a value above `value`, with full precision if it is small.
    func upper(_ value: Double) -> Double {
        guard value > 0 else { return 1 }
        return GSL.call {
            switch self {
            case .exponential(let mean): gsl_cdf_exponential_Q(value, mean)
            case .lognormal(let logMedian, let sigma): gsl_cdf_lognormal_Q(value, logMedian, sigma)
            case .gamma(let gamma): gsl_cdf_gamma_Q(value, gamma.shape, gamma.scale)
            case .weibull(let shape, let scale): gsl_cdf_weibull_Q(value, scale, shape)
            }
        }
    }

    /// The logarithm of the density at a value above 0.
    func logDensity(_ value: Double) -> Double {
        switch self {
        case .exponential(let mean):
            return -log(mean) - value / mean
        case .lognormal(let logMedian, let sigma):
            let score = (log(value) - logMedian) / sigma
            return -log(value) - log(sigma) - Self.halfLogTwoPi - score * score / 2
        case .gamma(let gamma):
            let scaled = value / gamma.scale
            let normal = GSL.call { gsl_sf_lngamma(gamma.shape) }
            return (gamma.shape - 1) * log(scaled) - scaled - normal - log(gamma.scale)
        case .weibull(let shape, let scale):
            let scaled = value / scale
            return log(shape) - log(scale) + (shape - 1) * log(scaled) - pow(scaled, shape)
        }
    }

    fileprivate func scaled(by factor: Double) -> ContinuousFamily {
        switch self {
        case .exponential(let mean): .exponential(mean: mean * factor)
        case .lognormal(let logMedian, let sigma): .lognormal(logMedian: logMedian + log(factor), sigma: sigma)
        case .gamma(let gamma): .gamma(GammaDistribution(shape: gamma.shape, scale: gamma.scale * factor))
        case .weibull(let shape, let scale): .weibull(shape: shape, scale: scale * factor)
        }
    }

    private static let halfLogTwoPi = 0.918_938_533_204_672_8

    /// The family as a scenario states it, with each value multiplied by `unit`.
    fileprivate func distribution(unit: Double) -> Distribution {
        switch self {
        case .exponential(let mean):
            .exponential(mean: mean * unit)
        case .lognormal(let logMedian, let sigma):
            .lognormal(median: exp(logMedian) * unit, p95: exp(logMedian + sigma * Self.standardNormal95) * unit)
        case .gamma(let gamma):
            .gamma(shape: gamma.shape, scale: gamma.scale * unit)
        case .weibull(let shape, let scale):
            .weibull(shape: shape, scale: scale * unit)
        }
    }
}
