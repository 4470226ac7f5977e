import CGSL

/// The standard normal distribution.
public enum Normal {
    /// The quantile of a probability; infinite for 0 and 1.
    ///
    /// - Precondition: The probability is within 0...1.
    public static func quantile(_ probability: Double) -> Double {
        precondition(probability >= 0 && probability <= 1, "a probability lies within 0...1")
        return GSL.call { gsl_cdf_ugaussian_Pinv(probability) }
    }

    /// The half-width of a two-sided interval in standard deviations; rounded to nine decimals, like
    /// ``Student/reach(level:degreesOfFreedom:)``.
    ///
    /// - Precondition: The level is above 0 and below 1.
    public static func reach(level: Double) -> Double {
        precondition(level > 0 && level < 1, "a confidence level lies between 0 and 1")
        return (quantile((1 + level) / 2) * 1e9).rounded() / 1e9
    }
}
