import CGSL
import RandomStreams

extension Distribution {
    /// GSL's distribution function, for the families that the tests of shape use.
    func cumulative(_ value: Double) -> Double {
        switch self {
        case .exponential(let mean): gsl_cdf_exponential_P(value, mean)
        case .lognormalOfLog(let mu, let sigma, let unit): gsl_cdf_lognormal_P(value / unit, mu, sigma)
        case .gamma(let shape, let scale): gsl_cdf_gamma_P(value, shape, scale)
        case .weibull(let shape, let scale): gsl_cdf_weibull_P(value, scale, shape)
        case .uniform(let low, let high): gsl_cdf_flat_P(value, low, high)
        default: .nan
        }
    }
}
