/// Von Neumann's test of serial correlation in a time series, one-sided against positive correlation.
///
/// C = 1 - Σ (y[i] - y[i+1])² / (2 Σ (y[i] - ȳ)²) is the correlation of neighbours, except for an end effect. For
/// independent normal values it is nearly normal with mean 0 and variance (b - 2) / (b² - 1), even for only eight
/// values (J. von Neumann, Annals of Mathematical Statistics 12, 1941; G. S. Fishman, Principles of Discrete Event
/// Simulation, 1978, for batches).
public struct VonNeumannTest: Hashable, Sendable {
    /// C, in standard deviations under independence; large if neighbours are alike.
    public let score: Double

    /// The normal quantile of 0.9 as a literal, so that the result is the same on every processor.
    private static let limit = 1.281551566

    /// Creates the test; nil for fewer than eight values and for values that are all the same.
    ///
    /// - Precondition: The values are finite.
    public init?(_ values: [Double]) {
        precondition(values.allSatisfy(\.isFinite), "values are finite")
        guard values.count >= 8 else { return nil }
        let count = Double(values.count)
        let squares = values.squaredDeviations
        guard squares > 0 else { return nil }
        let steps = zip(values, values.dropFirst()).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        score = (1 - steps / (2 * squares)) / ((count - 2) / (count * count - 1)).squareRoot()
    }

    /// `true` if the values are consistent with independence: the p-value is at least 10%.
    public var passes: Bool { score <= Self.limit }
}
