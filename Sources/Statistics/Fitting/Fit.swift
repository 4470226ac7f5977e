public import SimulationKernel

/// A family fitted to a sample by maximum likelihood.
public struct Fit: Sendable {
    public let family: FitFamily
    /// The logarithm of the likelihood at its maximum.
    ///
    /// For a rounded sample (``Sample/isRounded``) it is the likelihood of the recorded values, each with the
    /// probability of its interval; otherwise that of the density per unit of the data, as in statistics packages. Only
    /// fits of the same sample can be compared.
    public let logLikelihood: Double
    /// The fitted distribution, in units of the data.
    let model: ContinuousFamily
    /// Base units in one unit of the data.
    let unit: Double

    init(family: FitFamily, model: ContinuousFamily, sample: Sample) {
        self.family = family
        self.model = model
        self.unit = sample.unit
        logLikelihood = Likelihood(sample).logLikelihood(of: model)
    }

    /// The number of fitted parameters.
    public var parameterCount: Int { family == .exponential ? 1 : 2 }

    /// Akaike's information criterion, 2 k - 2 log L; lower is better.
    ///
    /// H. Akaike, IEEE Transactions on Automatic Control 19, 1974.
    public var informationCriterion: Double { 2 * Double(parameterCount) - 2 * logLikelihood }

    /// The fit as a scenario states it, in base units.
    public var distribution: Distribution { model.distribution(unit: unit) }

    /// The probability of a value at or below one in base units.
    public func cumulative(_ value: Double) -> Double { model.lower(value / unit) }

    /// The quantile of a probability [base units]; NaN if it cannot be computed.
    ///
    /// - Precondition: The probability is above 0 and below 1.
    public func quantile(_ probability: Double) -> Double {
        precondition(probability > 0 && probability < 1, "a quantile of a probability between 0 and 1")
        // Quantile functions are exact to fractions of a base unit, not of the data's unit.
        return model.scaled(by: unit).value(.lower, probability)
    }
}
