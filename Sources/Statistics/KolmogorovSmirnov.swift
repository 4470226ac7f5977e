import CGSL

/// The one-sample test of Kolmogorov and Smirnov.
public enum KolmogorovSmirnov {
    /// The maximum distance between the values' distribution function and the uniform one on 0...1.
    ///
    /// For another continuous distribution, pass its distribution function of each value.
    ///
    /// - Precondition: There is a value.
    public static func distance(uniform values: [Double]) -> Double {
        precondition(!values.isEmpty, "a test needs values")
        let count = Double(values.count)
        var distance = 0.0
        for (index, value) in values.sorted().enumerated() {
            distance = max(distance, Double(index + 1) / count - value, value - Double(index) / count)
        }
        return distance
    }

    /// The probability that as many uniform values on 0...1 have a distance at least as large as these.
    ///
    /// - Precondition: There is a value.
    public static func pValue(uniform values: [Double]) -> Double {
        pValue(distance: distance(uniform: values), count: values.count)
    }

    /// The probability of a distance at least as large.
    ///
    /// It is the limit distribution with the correction of M. A. Stephens (JRSS B 32, 1970), accurate to 0.01 from five
    /// values on, and to three digits for thousands.
    ///
    /// - Precondition: There is a value; the distance is within 0...1.
    public static func pValue(distance: Double, count: Int) -> Double {
        precondition(count > 0 && distance >= 0 && distance <= 1, "a distance of distribution functions")
        let root = Double(count).squareRoot()
        let value = distance * (root + 0.12 + 0.11 / root)
        // Below this value the alternating sum does not converge within its terms, and the probability is 1 to fifteen
        // digits.
        guard value > 0.2 else { return 1 }
        // Kolmogorov's limit: 2 Σ (-1)^(k-1) exp(-2 k² x²).
        let sum = (1...100)
            .reduce(0.0) { sum, term in
                let tail = GSL.call { gsl_cdf_exponential_Q(2 * Double(term * term) * value * value, 1) }
                return sum + (term % 2 == 1 ? 2 : -2) * tail
            }
        return min(max(sum, 0), 1)
    }
}
