import CGSL

/// Student's t distribution.
public enum Student {
    /// The probability of a value at or below `value`.
    ///
    /// - Precondition: The degrees of freedom are above 0.
    public static func cumulative(_ value: Double, degreesOfFreedom: Double) -> Double {
        precondition(degreesOfFreedom > 0, "degrees of freedom are above 0")
        return GSL.call { gsl_cdf_tdist_P(value, degreesOfFreedom) }
    }

    /// The value that is not exceeded with a probability; infinite for 0 and 1.
    ///
    /// - Precondition: The probability is within 0...1, the degrees of freedom are above 0.
    public static func quantile(_ probability: Double, degreesOfFreedom: Double) -> Double {
        precondition(probability >= 0 && probability <= 1, "a probability lies within 0...1")
        precondition(degreesOfFreedom > 0, "degrees of freedom are above 0")
        return GSL.call { gsl_cdf_tdist_Pinv(probability, degreesOfFreedom) }
    }
}
