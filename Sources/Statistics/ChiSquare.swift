import CGSL

/// The chi-square distribution.
public enum ChiSquare {
    /// The probability of a value at or below `value`.
    ///
    /// - Precondition: The degrees of freedom are above 0.
    public static func cumulative(_ value: Double, degreesOfFreedom: Double) -> Double {
        precondition(degreesOfFreedom > 0, "degrees of freedom are above 0")
        return GSL.call { gsl_cdf_chisq_P(value, degreesOfFreedom) }
    }

    /// The value that is not exceeded with a probability; infinite for 1.
    ///
    /// The upper half goes by the upper tail, because `gsl_cdf_chisq_Pinv` loses its digits above 1 - 10^-10.
    ///
    /// - Precondition: The probability is within 0...1, the degrees of freedom are above 0.
    public static func quantile(_ probability: Double, degreesOfFreedom: Double) -> Double {
        precondition(probability >= 0 && probability <= 1, "a probability lies within 0...1")
        precondition(degreesOfFreedom > 0, "degrees of freedom are above 0")
        return GSL.call {
            probability < 0.5
                ? gsl_cdf_chisq_Pinv(probability, degreesOfFreedom)
                : gsl_cdf_chisq_Qinv(1 - probability, degreesOfFreedom)
        }
    }
}
