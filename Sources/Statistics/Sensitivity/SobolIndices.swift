public import SimulationKernel

/// The shares of a response's variance that are due to each factor: alone, and together with the others.
///
/// Estimated from the outputs of a ``SaltelliDesign``, like SALib 1.5.1. With the outputs of all N(k + 2) rows
/// standardized to mean 0 and variance 1, and V the variance of the 2N outputs of A and B together,
///
/// - first order, Saltelli and others, Computer Physics Communications 181, 2010: Sᵢ = mean of B (A_Bⁱ - A) / V, the
///   share of the variance that would vanish if the factor were known;
/// - total, Jansen, Computer Physics Communications 117, 1999: Tᵢ = mean of (A - A_Bⁱ)² / 2V, the share that would
///   remain if all others were known.
///
/// The confidence intervals follow SALib: base points are drawn with replacement, and the half-width is the normal
/// quantile times the standard deviation of the indices of these resamples. They show how much the choice of points
/// changes an index, so estimates may be slightly below 0 or above 1. The factors are independent and uniform on the
/// range of their designs. If responses are means of replications, their noise counts as interaction in every Tᵢ.
public struct SobolIndices: Hashable, Sendable {
    /// An index with its confidence interval.
    public struct Index: Hashable, Sendable {
        /// The estimate, a share of the variance.
        public let value: Double
        /// The half-width of the interval.
        public let halfWidth: Double

        /// The lower bound.
        public var lower: Double { value - halfWidth }

        /// The upper bound.
        public var upper: Double { value + halfWidth }
    }

    /// The indices of each factor alone.
    public let firstOrder: [Index]
    /// The indices of each factor with all its interactions.
    public let total: [Index]

    /// The factor whose total index is certainly the largest: its interval is above all others; nil if there is none.
    public var leader: Int? {
        total.indices.first { one in
            total.indices.allSatisfy { $0 == one || total[one].lower > total[$0].upper }
        }
    }

    /// Creates the indices of outputs in the order of ``SaltelliDesign/rows``; nil if no two outputs of A and B differ.
    ///
    /// Resample b draws its nth base point as entity `entity` + b with index n. A resample in which nothing varies, as
    /// happens with few base points, is omitted.
    ///
    /// - Parameter level: The probability that an interval contains the index, according to resampling.
    /// - Precondition: There are a whole number of base points, at least two, with k + 2 outputs for each; outputs are
    ///   finite; there are at least two resamples; the level is above 0 and below 1.
    /// - Complexity: O(resamples · N · k).
    public init?(
        outputs: [Double],
        factors: Int,
        resamples: Int = 1000,
        level: Double = 0.95,
        source: RandomSource,
        entity: UInt64,
        purpose: UInt16
    ) {
        precondition(factors >= 1 && outputs.count % (factors + 2) == 0, "every base point has a row for each matrix")
        precondition(outputs.count >= 2 * (factors + 2), "two base points at least")
        precondition(outputs.allSatisfy(\.isFinite), "outputs are finite")
        precondition(resamples >= 2, "a deviation takes two resamples")
        precondition(level > 0 && level < 1, "a confidence level lies between 0 and 1")
        guard let sample = Sample(outputs: outputs, factors: factors) else { return nil }
        let count = sample.count
        guard let estimate = sample.indices(of: Array(0..<count)) else { return nil }
        let draws = (0..<resamples)
            .compactMap { resample in
                sample.indices(
                    of: (0..<UInt32(count))
                        .map { index in
                            let draw = source.draw(entity: entity &+ UInt64(resample), purpose: purpose, index: index)
                            return Int(draw.multipliedFullWidth(by: UInt64(count)).high)
                        }
                )
            }
        let reach = Normal.reach(level: level)
        func indices(_ values: (Sample.Estimate) -> [Double]) -> [Index] {
            values(estimate).enumerated()
                .map { factor, value in
                    Index(value: value, halfWidth: reach * Self.deviation(draws.map { values($0)[factor] }))
                }
        }
        firstOrder = indices(\.first)
        total = indices(\.total)
    }

    private static func deviation(_ values: [Double]) -> Double {
        values.count >= 2 ? (values.squaredDeviations / Double(values.count - 1)).squareRoot() : 0
    }
}

extension SobolIndices {
    /// The outputs, scaled, by base point.
    private struct Sample {
        typealias Estimate = (first: [Double], total: [Double])

        let factors: Int
        let outputs: [Double]

        var count: Int { outputs.count / (factors + 2) }

        /// Nil if nothing varies.
        init?(outputs: [Double], factors: Int) {
            guard let one = outputs.first, outputs.contains(where: { $0 != one }) else { return nil }
            let mean = outputs.mean
            let deviation = (outputs.squaredDeviations / Double(outputs.count)).squareRoot()
            guard deviation > 0 else { return nil }
            self.factors = factors
            self.outputs = outputs.map { ($0 - mean) / deviation }
        }

        /// The indices of the base points; nil if A and B do not vary.
        func indices(of basePoints: [Int]) -> Estimate? {
            let width = factors + 2
            let count = Double(basePoints.count)
            var sum = 0.0
            var isConstant = true
            let one = outputs[basePoints[0] * width]
            for point in basePoints {
                let (a, b) = (outputs[point * width], outputs[point * width + factors + 1])
                sum += a + b
                if a != one || b != one { isConstant = false }
            }
            guard !isConstant else { return nil }
            let mean = sum / (2 * count)
            var squares = 0.0
            var first = [Double](repeating: 0, count: factors)
            var total = [Double](repeating: 0, count: factors)
            for point in basePoints {
                let (a, b) = (outputs[point * width], outputs[point * width + factors + 1])
                squares += (a - mean) * (a - mean) + (b - mean) * (b - mean)
                for factor in 0..<factors {
                    let crossed = outputs[point * width + factor + 1]
                    first[factor] += b * (crossed - a)
                    total[factor] += (a - crossed) * (a - crossed)
                }
            }
            let variance = squares / (2 * count)
            guard variance > 0 else { return nil }
            return (first.map { $0 / count / variance }, total.map { 0.5 * $0 / count / variance })
        }
    }
}
