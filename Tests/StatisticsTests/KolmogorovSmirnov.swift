import CGSL
import RandomStreams

/// The one-sample test of Kolmogorov and Smirnov.
enum KolmogorovSmirnov {
    /// The chance that values uniform on 0...1 lie as far from their distribution function as these do.
    ///
    /// The limit distribution with Stephens' correction for finite samples; good to three digits from 100 values on.
    static func pValue(uniform values: [Double]) -> Double {
        let count = Double(values.count)
        var distance = 0.0
        for (index, value) in values.sorted().enumerated() {
            distance = max(distance, Double(index + 1) / count - value, value - Double(index) / count)
        }
        let root = count.squareRoot()
        let scaled = distance * (root + 0.12 + 0.11 / root)
        var sum = 0.0
        for term in 1...100 {
            let exponent = 2 * Double(term * term) * scaled * scaled
            // exp(-x) as the upper tail of the exponential distribution.
            sum += (term % 2 == 1 ? 2 : -2) * gsl_cdf_exponential_Q(exponent, 1)
        }
        return min(max(sum, 0), 1)
    }
}

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
