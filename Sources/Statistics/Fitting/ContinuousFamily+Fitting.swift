import CGSL
import Foundation
import SimulationKernel

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

    private static let halfLogTwoPi = 0.918_938_533_204_672_8

    /// Returns the family with every value multiplied by a factor.
    func scaled(by factor: Double) -> ContinuousFamily {
        switch self {
        case .exponential(let mean): .exponential(mean: mean * factor)
        case .lognormal(let logMedian, let sigma): .lognormal(logMedian: logMedian + log(factor), sigma: sigma)
        case .gamma(let gamma): .gamma(GammaDistribution(shape: gamma.shape, scale: gamma.scale * factor))
        case .weibull(let shape, let scale): .weibull(shape: shape, scale: scale * factor)
        }
    }

    /// The family as a scenario states it, with each value multiplied by `unit`.
    func distribution(unit: Double) -> Distribution {
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

    /// The parameters as unbounded numbers, for a search: the logarithms of scales and shapes.
    var coordinates: [Double] {
        switch self {
        case .exponential(let mean): [log(mean)]
        case .lognormal(let logMedian, let sigma): [logMedian, log(sigma)]
        // The mean is known much better than the scale, so the axes are aligned with the likelihood.
        case .gamma(let gamma): [log(gamma.shape), log(gamma.shape * gamma.scale)]
        case .weibull(let shape, let scale): [log(shape), log(scale)]
        }
    }

    /// Returns the same family with other parameters.
    func moved(to coordinates: [Double]) -> ContinuousFamily {
        switch self {
        case .exponential:
            return .exponential(mean: exp(coordinates[0]))
        case .lognormal:
            return .lognormal(logMedian: coordinates[0], sigma: exp(coordinates[1]))
        case .gamma:
            let shape = min(exp(coordinates[0]), GammaDistribution.largestShape)
            return .gamma(GammaDistribution(shape: shape, scale: exp(coordinates[1]) / shape))
        case .weibull:
            return .weibull(shape: exp(coordinates[0]), scale: exp(coordinates[1]))
        }
    }
}
