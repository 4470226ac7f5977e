public import SimulationKernel

/// A family fitted to a sample by maximum likelihood.
public struct Fit: Sendable {
    /// The family.
    public let family: FitFamily
    /// The logarithm of the likelihood at its maximum.
    ///
    /// Of a rounded sample (``Sample/isRounded``) that of the recorded values, each a chance of its interval; else that
    /// of the density per unit of the data, as statistics packages have it. Only those of one sample can be compared.
    public let logLikelihood: Double
    /// In units of the data.
    let model: FamilyMixture
    /// Base units in one unit of the data.
    let unit: Double

    init(family: FitFamily, model: FamilyMixture, sample: Sample) {
        self.family = family
        self.model = model
        self.unit = sample.unit
        logLikelihood = Likelihood(sample).logLikelihood(of: model)
    }

    /// How many numbers were chosen to fit the data.
    public var parameterCount: Int {
        switch family {
        case .exponential: 1
        case .lognormal, .gamma, .weibull: 2
        case .mixture: 3 * model.parts.count - 1
        }
    }

    /// Akaike's information criterion, 2 k - 2 log L, of which lower is better.
    ///
    /// H. Akaike, IEEE Transactions on Automatic Control 19, 1974.
    public var informationCriterion: Double { 2 * Double(parameterCount) - 2 * logLikelihood }

    /// The fit as a scenario states it, in base units.
    public var distribution: Distribution { model.distribution(unit: unit) }

    /// The probability of a value at or below one in base units.
    public func cumulative(_ value: Double) -> Double { model.lower(value / unit) }

    /// The probability of a value above one in base units, with all its digits where it is small.
    public func exceedance(_ value: Double) -> Double { model.upper(value / unit) }

    /// The value that is not exceeded with a probability [base units]; NaN if it cannot be computed.
    ///
    /// - Precondition: The probability is above 0 and below 1.
    public func quantile(_ probability: Double) -> Double {
        precondition(probability > 0 && probability < 1, "a quantile of a probability between 0 and 1")
        // Quantile functions are exact to parts of a base unit, not of the data's own.
        return model.scaled(by: unit).quantile(probability)
    }
}
