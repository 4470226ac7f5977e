import SimulationKernel
import Statistics
import Testing

@Suite("Ratio estimates")
struct RatioEstimatorTests {
    struct Case: Sendable {
        var parts: [(numerator: Double, denominator: Double)]
        var ratio: Double
        var halfWidth: Double
    }

    @Test(
        "Known answers: t · √(Σ residual² · n / (n - 1)) / Σ denominator",
        arguments: [
            // Residuals 1, 1, -2 about the ratio 1: 4.302652730 · √(6 · 3/2) / 12.
            Case(parts: [(5, 4), (5, 4), (2, 4)], ratio: 1, halfWidth: 1.0756631825),
            // Residuals 3, -1, -1, -1 about the ratio 2: 3.182446305 · √(12 · 4/3) / 10.
            Case(parts: [(5, 1), (3, 2), (5, 3), (7, 4)], ratio: 2, halfWidth: 1.272978522),
            // One empty batch: residuals 3, 0, -3 about the ratio 1/2, 4.302652730 · √(18 · 3/2) / 20.
            Case(parts: [(8, 10), (0, 0), (2, 10)], ratio: 0.5, halfWidth: 4.302652730 * 27.0.squareRoot() / 20),
            // All with one ratio, regardless of size: no spread.
            Case(parts: [(1, 2), (10, 20), (4, 8)], ratio: 0.5, halfWidth: 0),
        ]
    )
    func knownAnswers(expected: Case) throws {
        let estimate = try #require(RatioEstimator(expected.parts))
        #expect(estimate.ratio == expected.ratio)
        #expect(abs(estimate.halfWidth - expected.halfWidth) < 1e-9)
        #expect(estimate.degreesOfFreedom == expected.parts.count - 1)
        let reach = Student.reach(level: 0.95, degreesOfFreedom: Double(estimate.degreesOfFreedom))
        #expect(abs(estimate.standardError * reach - expected.halfWidth) < 1e-9)
        #expect(estimate.interval.lowerBound == estimate.ratio - estimate.halfWidth)
        #expect(estimate.interval.upperBound == estimate.ratio + estimate.halfWidth)
    }

    @Test("One batch does not show the spread, and an empty one has no ratio")
    func undefined() {
        #expect(RatioEstimator([]) == nil)
        #expect(RatioEstimator([(1, 2)]) == nil)
        #expect(RatioEstimator([(0, 0), (0, 0), (0, 0)]) == nil)
        #expect(RatioEstimator([(1, 2), (1, 2)]) != nil)
    }

    /// Nineteen of twenty intervals contain the true ratio.
    ///
    /// For 2,000 trials the standard error is 0.5%, and the bounds are three standard errors to either side. An
    /// interval of half the width covers about 70% and one of double the width nearly all.
    @Test("Intervals cover the true ratio in 95% of trials")
    func coverage() throws {
        let source = RandomSource(seed: 11, replication: 0)
        let trials = 2000
        var covered = 0
        for trial in 0..<trials {
            let parts = (0..<12)
                .map { batch in
                    let uniform = (0..<2)
                        .map { index in
                            let draw = source.draw(entity: UInt64(trial), purpose: UInt16(batch), index: UInt32(index))
                            return Double(draw >> 11) * 0x1p-53
                        }
                    let denominator = 10 + 2 * uniform[0]
                    return (numerator: 0.3 * denominator + uniform[1] - 0.5, denominator: denominator)
                }
            if try #require(RatioEstimator(parts)).interval.contains(0.3) {
                covered += 1
            }
        }
        #expect((0.935...0.965).contains(Double(covered) / Double(trials)))
    }
}
