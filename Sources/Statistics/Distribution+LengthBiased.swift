public import SimulationKernel

extension Distribution {
    /// The mean length of the interval that contains a random instant: E[X²] / E[X], in base units; 0 if the mean is 0.
    ///
    /// It is larger than the mean, because long intervals contain more instants (D. R. Cox, Renewal Theory, 1962). For
    /// assessments, like ``mean``: its last bits may differ between processors.
    ///
    /// - Precondition: The distribution is valid (``validated(range:)``).
    public var lengthBiasedMean: Double {
        mean > 0 ? meanSquare / mean : 0
    }

    /// The number of parts of equal probability into which a continuous distribution is divided.
    private static let cuts = 500

    private var meanSquare: Double {
        switch self {
        case .constant(let value):
            return value * value
        case .uniform(let low, let high):
            return Self.meanSquare(from: low, to: high)
        case .triangular:
            return validTriangle.meanSquare
        case .quantiles(let points):
            let (first, last) = (points[0], points[points.count - 1])
            let ends =
                first.probability * first.value * first.value + (1 - last.probability) * last.value * last.value
            return zip(points, points.dropFirst())
                .reduce(ends) { sum, piece in
                    let share = piece.1.probability - piece.0.probability
                    return sum + share * Self.meanSquare(from: piece.0.value, to: piece.1.value)
                }
        case .mixture(let components):
            let total = components.reduce(0) { $0 + $1.weight }
            return components.reduce(0) { $0 + $1.weight * $1.distribution.meanSquare } / total
        case .empirical(let values):
            return values.sorted.reduce(0) { $0 + Double($1) * Double($1) } / Double(values.sorted.count)
        case .shifted(let by, let distribution):
            return distribution.meanSquare + 2 * by * distribution.mean + by * by
        case .exponential, .lognormal, .lognormalOfLog, .gamma, .weibull:
            let family = validFamily
            let values = (0..<Self.cuts).map { family.value(.lower, (Double($0) + 0.5) / Double(Self.cuts)) }
            return values.reduce(0) { $0 + $1 * $1 } / Double(Self.cuts)
        }
    }

    /// The mean square of a value that is uniform between two others.
    private static func meanSquare(from low: Double, to high: Double) -> Double {
        (low * low + low * high + high * high) / 3
    }
}
