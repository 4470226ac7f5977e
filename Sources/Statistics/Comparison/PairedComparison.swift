/// Two policies that have seen the same worlds, compared world by world.
///
/// With common random numbers both members of a pair share their luck; their difference does not.
public struct PairedComparison: Hashable, Sendable {
    /// The mean of the first, in the response's unit.
    public let firstMean: Double
    /// The mean of the second, in the response's unit.
    public let secondMean: Double
    /// The mean of second minus first, with Student's interval.
    public let difference: StudentInterval
    /// That difference as a share of the first's mean; nil where the first's mean is not sure to differ from 0.
    public let relativeDifference: RelativeDifference?
    /// The part of the variance of the difference that pairing has removed, against independent runs of the same number.
    ///
    /// 1 - Var(second - first) / (Var(second) + Var(first)): 0 for pairs that have nothing in common, negative where
    /// pairing does harm; nil when nothing varies.
    public let varianceReduction: Double?

    /// The comparison of pairs; nil for fewer than two.
    ///
    /// - Precondition: Both have as many values, all finite; the level is above 0 and below 1.
    public init?(_ first: [Double], _ second: [Double], level: Double = 0.95) {
        precondition(first.count == second.count, "values come in pairs")
        let differences = zip(first, second).map { $1 - $0 }
        guard let difference = StudentInterval(differences, level: level) else { return nil }
        self.difference = difference
        firstMean = first.reduce(0, +) / Double(first.count)
        secondMean = second.reduce(0, +) / Double(second.count)
        relativeDifference = RelativeDifference(first, second, level: level)
        let apart = Self.squares(first) + Self.squares(second)
        varianceReduction = apart > 0 ? 1 - Self.squares(differences) / apart : nil
    }

    /// Whether the second differs from the first by more than a band of noise.
    ///
    /// A relative band is compared with the interval of the relative difference; where there is none, with the difference
    /// itself, as a share of the first's mean.
    public func change(beyond band: NoiseBand) -> ResponseChange {
        switch band {
        case .absolute(let width):
            return ResponseChange(lower: difference.lower, upper: difference.upper, band: width)
        case .relative(let share):
            guard let relative = relativeDifference else {
                return ResponseChange(
                    lower: difference.lower,
                    upper: difference.upper,
                    band: share * firstMean.magnitude
                )
            }
            return ResponseChange(lower: relative.lower, upper: relative.upper, band: share)
        }
    }

    /// The sum of the squared differences from the mean.
    private static func squares(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }
}
