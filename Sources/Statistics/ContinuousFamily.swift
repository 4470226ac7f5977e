import CGSL
import Foundation
import SimulationKernel

/// A family of distributions whose quantile function is compiled to a table.
///
/// Each tail has its own function: a probability near 1 has lost the digits that a small probability of the upper tail
/// still has.
enum ContinuousFamily {
    case exponential(mean: Double)
    case lognormal(logMedian: Double, sigma: Double)
    case gamma(GammaDistribution)
    case weibull(shape: Double, scale: Double)

    /// The lognormal distribution with a median and a 95th percentile.
    static func lognormal(median: Double, p95: Double) -> ContinuousFamily {
        .lognormal(logMedian: log(median), sigma: log(p95 / median) / standardNormal95)
    }

    /// The lognormal distribution by its logarithm, taken of multiples of `unit`.
    static func lognormal(mu: Double, sigma: Double, unit: Double) -> ContinuousFamily {
        .lognormal(logMedian: mu + log(unit), sigma: sigma)
    }

    /// The 95th percentile of the standard normal distribution.
    static let standardNormal95 = 1.644_853_626_951_472_7

    /// The value that is exceeded towards a side with a probability; can be infinite.
    func quantile(_ tail: QuantileTable.Tail, _ probability: Double) throws(DistributionError) -> Double {
        let value = value(tail, probability)
        guard !value.isNaN else { throw .notComputable(probability: tail == .lower ? probability : 1 - probability) }
        return value
    }

    /// The value that is exceeded towards a side with a probability; NaN if it cannot be computed.
    func value(_ tail: QuantileTable.Tail, _ probability: Double) -> Double {
        GSL.call {
            switch (self, tail) {
            case (.exponential(let mean), .lower): gsl_cdf_exponential_Pinv(probability, mean)
            case (.exponential(let mean), .upper): gsl_cdf_exponential_Qinv(probability, mean)
            case (.lognormal(let mu, let sigma), .lower): gsl_cdf_lognormal_Pinv(probability, mu, sigma)
            case (.lognormal(let mu, let sigma), .upper): gsl_cdf_lognormal_Qinv(probability, mu, sigma)
            case (.gamma(let gamma), _): gamma.quantile(tail, probability)
            case (.weibull(let shape, let scale), .lower): gsl_cdf_weibull_Pinv(probability, scale, shape)
            case (.weibull(let shape, let scale), .upper): gsl_cdf_weibull_Qinv(probability, scale, shape)
            }
        }
    }

    /// The expected value.
    var mean: Double {
        switch self {
        case .exponential(let mean): mean
        case .lognormal(let logMedian, let sigma): exp(logMedian + sigma * sigma / 2)
        case .gamma(let gamma): gamma.shape * gamma.scale
        case .weibull(let shape, let scale): scale * GSL.call { gsl_sf_gamma(1 + 1 / shape) }
        }
    }
}
