/// Two policies that have seen the same worlds, compared world by world.
///
/// With common random numbers both members of a pair share their luck; their difference does not.
public struct PairedComparison: Hashable, Sendable {
    /// The mean of second minus first, with Student's interval.
    public let difference: StudentInterval
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
        let apart = Self.squares(first) + Self.squares(second)
        varianceReduction = apart > 0 ? 1 - Self.squares(differences) / apart : nil
    }

    /// The sum of the squared differences from the mean.
    private static func squares(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }
}
