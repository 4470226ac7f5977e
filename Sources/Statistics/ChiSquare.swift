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
}
