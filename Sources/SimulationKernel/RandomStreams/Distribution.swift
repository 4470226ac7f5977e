/// A distribution as stated in a scenario: symbolic, in the vocabulary that all sections share.
///
/// Values are in base units: microseconds for durations, plain numbers for counts and bytes. Nothing is computed here;
/// `Statistics` compiles a distribution once into a ``Sampler``, the integer form that the simulation draws from.
public indirect enum Distribution: Hashable, Sendable {
    /// Always the same value.
    case constant(Double)

    /// Every value between two bounds is equally likely.
    case uniform(low: Double, high: Double)

    /// The density rises linearly from the smallest value to the most likely one, and falls linearly to the largest.
    case triangular(min: Double, mode: Double, max: Double)

    /// Memoryless, with the given mean.
    case exponential(mean: Double)

    /// Lognormal by its median and 95th percentile, which latency reports usually state.
    case lognormal(median: Double, p95: Double)

    /// Lognormal by the parameters of the logarithm; `unit` is the base value for `mu` = 0 (1 s for durations).
    case lognormalOfLog(mu: Double, sigma: Double, unit: Double)

    /// Gamma with density proportional to x^(shape-1) exp(-x/scale).
    case gamma(shape: Double, scale: Double)

    /// Weibull with survival function exp(-(x/scale)^shape).
    case weibull(shape: Double, scale: Double)

    /// Known quantiles with linear interpolation; the first and the last value are the ends of the range.
    ///
    /// The first value has the whole share below it and the last the whole share above it, so that every given quantile
    /// is exact.
    case quantiles([QuantilePoint])

    /// One of several distributions, chosen by weight.
    case mixture([MixtureComponent])

    /// One of the values of a data column, each equally likely.
    case empirical(EmpiricalValues)

    /// Another distribution, shifted to the right.
    case shifted(by: Double, Distribution)
}

/// One point of a quantile function.
public struct QuantilePoint: Hashable, Sendable {
    /// The share of values at or below ``value``, 0...1.
    public var probability: Double
    /// The quantile in base units.
    public var value: Double

    /// Creates a point of a quantile function.
    public init(probability: Double, value: Double) {
        self.probability = probability
        self.value = value
    }
}

/// One part of a mixture.
public struct MixtureComponent: Hashable, Sendable {
    /// The frequency of this part, relative to the sum of all weights; above 0.
    public var weight: Double
    /// The part.
    public var distribution: Distribution

    /// Creates a part with its weight.
    public init(weight: Double, distribution: Distribution) {
        self.weight = weight
        self.distribution = distribution
    }
}

/// The values of one column of a data file, and their source.
public struct EmpiricalValues: Hashable, Sendable {
    /// The file as the scenario names it.
    public var file: String
    /// The column's name in the file's header.
    public var column: String
    /// The base units in one unit of the column: 1,000,000 for a column in seconds.
    public var unit: Double
    /// The values in base units, ascending; never empty.
    public var sorted: [Int64]

    /// Creates values read from a column.
    public init(file: String, column: String, unit: Double = 1, sorted: [Int64]) {
        self.file = file
        self.column = column
        self.unit = unit
        self.sorted = sorted
    }

    /// Hashes only the number of values: a column may be long, and its names nearly always distinguish it.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(file)
        hasher.combine(column)
        hasher.combine(unit)
        hasher.combine(sorted.count)
    }
}
