import CGSL

/// Student's t distribution.
public enum Student {
    /// The quantile of a probability; infinite for 0 and 1.
    ///
    /// - Precondition: The probability is within 0...1, the degrees of freedom are above 0.
    public static func quantile(_ probability: Double, degreesOfFreedom: Double) -> Double {
        precondition(probability >= 0 && probability <= 1, "a probability lies within 0...1")
        precondition(degreesOfFreedom > 0, "degrees of freedom are above 0")
        return GSL.call { gsl_cdf_tdist_Pinv(probability, degreesOfFreedom) }
    }

    /// The half-width of a two-sided confidence interval in standard errors.
    ///
    /// Rounded to nine decimals: the last bits of GSL's quantile depend on the processor's logarithm, and all further
    /// arithmetic with this number is exact, so intervals have the same digits everywhere.
    ///
    /// - Precondition: The level is above 0 and below 1, the degrees of freedom are above 0.
    public static func reach(level: Double, degreesOfFreedom: Double) -> Double {
        precondition(level > 0 && level < 1, "a confidence level lies between 0 and 1")
        return (quantile((1 + level) / 2, degreesOfFreedom: degreesOfFreedom) * 1e9).rounded() / 1e9
    }

    /// The factor for a variance that is estimated from few values: the square of Student's half-width over the normal
    /// one.
    ///
    /// - Precondition: The level is above 0 and below 1, the degrees of freedom are above 0.
    public static func inflation(level: Double, degreesOfFreedom: Double) -> Double {
        let ratio = reach(level: level, degreesOfFreedom: degreesOfFreedom) / Normal.reach(level: level)
        return ratio * ratio
    }

    /// The standard normal value with the same tail probability: Φ⁻¹(T(value)), the z-score of a t-score.
    ///
    /// Computed from the lower tail, where a small probability keeps its precision. The tail is GSL's incomplete beta
    /// function: `gsl_cdf_tdist_P` switches to a Cornish-Fisher expansion above 30 degrees of freedom, accurate to only
    /// seven digits.
    ///
    /// - Precondition: The degrees of freedom are above 0.
    public static func normalScore(_ value: Double, degreesOfFreedom: Double) -> Double {
        precondition(degreesOfFreedom > 0, "degrees of freedom are above 0")
        guard value != 0 else { return 0 }
        let square = value * value
        // The larger of the two arguments of I(x; a, b) = 1 - I(1 - x; b, a) is never computed by subtraction.
        let tail = GSL.call {
            square > degreesOfFreedom
                ? gsl_cdf_beta_P(degreesOfFreedom / (degreesOfFreedom + square), degreesOfFreedom / 2, 0.5)
                : gsl_cdf_beta_Q(square / (degreesOfFreedom + square), 0.5, degreesOfFreedom / 2)
        }
        let score = GSL.call { gsl_cdf_ugaussian_Pinv(tail / 2) }
        return value < 0 ? score : -score
    }
}
