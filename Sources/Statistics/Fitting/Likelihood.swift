import Foundation

/// The likelihood of a sample, in units of the data.
struct Likelihood {
    /// Equal values.
    private struct Point {
        var value: Double
        var count: Double
        var low: Double
        var high: Double
        /// `true` if the density at the centre is a good approximation for the interval.
        var isNarrow: Bool
    }

    private let points: [Point]
    private let logResolution: Double
    private let isRounded: Bool

    /// The number of resolutions from which on the density times the resolution is the probability of the interval to a
    /// millionth, unless the distribution is about that narrow: the relative error of the centre is about (resolution /
    /// value)² / 24.
    private static let narrow: Int64 = 1000

    init(_ sample: Sample) {
        let resolution = Double(sample.resolution) / sample.unit
        isRounded = sample.isRounded
        logResolution = log(resolution)
        points = sample.groups.map { group in
            let value = Double(group.value) / sample.unit
            return Point(
                value: value,
                count: Double(group.count),
                low: max(0, value - resolution / 2),
                high: value + resolution / 2,
                isNarrow: group.value / sample.resolution >= Self.narrow
            )
        }
    }

    /// The sum of the log-likelihoods of all values: of the density or, for rounded values, of the interval's
    /// probability.
    func logLikelihood(of model: ContinuousFamily) -> Double {
        guard isRounded else { return points.reduce(0) { $0 + $1.count * model.logDensity($1.value) } }
        return points.reduce(0) { $0 + $1.count * logChance(of: $1, model) }
    }

    private func logChance(of point: Point, _ model: ContinuousFamily) -> Double {
        if point.isNarrow { return model.logDensity(point.value) + logResolution }
        // On the side where the probabilities are small, their difference keeps its precision.
        let below = model.lower(point.high)
        let chance = below < 0.5 ? below - model.lower(point.low) : model.upper(point.low) - model.upper(point.high)
        // Far in a tail both are 0, or so close that the difference vanishes.
        guard chance > 1e-300 else { return model.logDensity(max(point.value, point.high / 2)) + logResolution }
        return log(chance)
    }
}
