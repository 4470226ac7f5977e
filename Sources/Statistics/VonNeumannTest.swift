/// Tells whether values in the order of time hang together: von Neumann's test, one-sided against positive correlation.
///
/// C = 1 - Σ (y[i] - y[i+1])² / (2 Σ (y[i] - ȳ)²) is the correlation of neighbours but for an end effect. For independent
/// normal values it is nearly normal with mean 0 and variance (b - 2) / (b² - 1), for as few as eight (J. von Neumann,
/// Annals of Mathematical Statistics 12, 1941; G. S. Fishman, Principles of Discrete Event Simulation, 1978, for batches).
public struct VonNeumannTest: Hashable, Sendable {
    /// C, in standard deviations of what independent values would show; large when neighbours are alike.
    public let score: Double

    /// The normal quantile of 0.9, in digits: what follows from it is the same on every processor.
    private static let limit = 1.281551566

    /// Nil for fewer than eight values and for values that are all the same.
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

    /// Whether the values may be taken for independent: the p-value is at least 10 %.
    public var passes: Bool { score <= Self.limit }
}
