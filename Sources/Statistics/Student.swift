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

    /// How many standard errors a two-sided confidence interval reaches to either side.
    ///
    /// Rounded to nine decimals: the last bits of GSL's quantile depend on the processor's logarithm, and all that follows
    /// from this number is exact arithmetic, so that intervals have the same digits everywhere.
    ///
    /// - Precondition: The level is above 0 and below 1, the degrees of freedom are above 0.
    public static func reach(level: Double, degreesOfFreedom: Double) -> Double {
        precondition(level > 0 && level < 1, "a confidence level lies between 0 and 1")
        return (quantile((1 + level) / 2, degreesOfFreedom: degreesOfFreedom) * 1e9).rounded() / 1e9
    }
}
