import CGSL
import SimulationKernel

/// Gamma with density proportional to x^(shape - 1) exp(-x / scale), with reliable quantiles.
///
/// `gsl_cdf_gamma_Pinv` and `_Qinv` (2.7.1) return NaN for most of the lower half at shapes of 0.1 and below. For
/// shapes in the thousands they are silently wrong in places: the quantile 1 - 0.00836 of shape 1,000 is so far off
/// that its tail is empty. GSL's distribution function is accurate at these shapes, so every quantile is checked
/// against it and, if the check fails, found by bisection.
struct GammaDistribution {
    let shape: Double
    let scale: Double

    /// The largest shape: beyond it, the standard deviation is less than a third of a percent of the mean, and
    /// bisection becomes slow.
    static let largestShape = 1e5

    /// The maximum relative error of a quantile; about the resolution of a compiled table's nodes (2^-24).
    private static let tolerance = 0x1p-30

    /// The value that is exceeded towards a side with a probability; NaN if it cannot be computed.
    func quantile(_ tail: QuantileTable.Tail, _ probability: Double) -> Double {
        GSL.call {
            let value =
                tail == .lower ? gsl_cdf_gamma_Pinv(probability, shape, 1) : gsl_cdf_gamma_Qinv(probability, shape, 1)
            if isBelow(value * (1 - Self.tolerance), tail, probability),
                !isBelow(value * (1 + Self.tolerance), tail, probability)
            {
                return value * scale
            }
            return bisect(tail, probability) * scale
        }
    }

    /// Returns `true` if a value at scale 1 is below the quantile.
    private func isBelow(_ value: Double, _ tail: QuantileTable.Tail, _ probability: Double) -> Bool {
        let beyond = self.probability(tail, of: value)
        return tail == .lower ? beyond < probability : beyond > probability
    }

    /// The probability beyond a value at scale 1, towards a side; NaN if GSL fails.
    private func probability(_ tail: QuantileTable.Tail, of value: Double) -> Double {
        tail == .lower ? gsl_cdf_gamma_P(value, shape, 1) : gsl_cdf_gamma_Q(value, shape, 1)
    }

    /// The quantile at scale 1 to 2^-48, or to a thousandth of the base unit if it is small.
    private func bisect(_ tail: QuantileTable.Tail, _ probability: Double) -> Double {
        var low = 0.0
        var high = max(shape, 1)
        while isBelow(high, tail, probability) {
            low = high
            high *= 2
        }
        guard !self.probability(tail, of: high).isNaN else { return .nan }
        while high - low > high * 0x1p-48, high * scale > 0x1p-10 {
            let middle = (low + high) / 2
            if isBelow(middle, tail, probability) {
                low = middle
            } else {
                high = middle
            }
        }
        return high
    }
}
