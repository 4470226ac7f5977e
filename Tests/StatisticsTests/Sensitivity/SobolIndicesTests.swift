import Foundation
import SimulationKernel
import Statistics
import Testing

struct SobolIndicesTests {
    private static let source = RandomSource(seed: 12, replication: 0)

    private static func indices(_ outputs: [Double], factors: Int = 3, resamples: Int = 1000) -> SobolIndices? {
        SobolIndices(
            outputs: outputs,
            factors: factors,
            resamples: resamples,
            source: source,
            entity: 1,
            purpose: 50
        )
    }

    /// sin x₁ + 7 sin² x₂ + 0.1 x₃⁴ sin x₁ on [-π, π]³ (Ishigami and Homma, 1990).
    private static func ishigami(_ point: [Double]) -> Double {
        let angles = point.map { (2 * $0 - 1) * Double.pi }
        return sin(angles[0]) + 7 * sin(angles[1]) * sin(angles[1]) + 0.1 * pow(angles[2], 4) * sin(angles[0])
    }

    @Test("SALib's outputs give SALib's indices")
    func salib() throws {
        let indices = try #require(Self.indices(SALibIshigami.outputs))
        for factor in 0..<3 {
            #expect(abs(indices.firstOrder[factor].value - SALibIshigami.first[factor]) < 1e-12)
            #expect(abs(indices.total[factor].value - SALibIshigami.total[factor]) < 1e-12)
        }
    }

    /// A repetition of the resampling with other draws: a deviation from 1,000 resamples has a standard error of about 2.2%, for
    /// both.
    @Test("SALib's intervals, up to the randomness of the resamples")
    func salibIntervals() throws {
        let indices = try #require(Self.indices(SALibIshigami.outputs))
        for factor in 0..<3 {
            #expect(abs(indices.firstOrder[factor].halfWidth / SALibIshigami.firstReach[factor] - 1) < 0.13)
            #expect(abs(indices.total[factor].halfWidth / SALibIshigami.totalReach[factor] - 1) < 0.13)
        }
    }

    /// V = a²/2 + b π⁴/5 + b² π⁸/18 + 1/2 with a = 7, b = 0.1, and so on (Saltelli and others, 2008, page 179).
    @Test("The analytic indices are within the intervals of our own design", arguments: [255, 1023])
    func analytic(_ basePoints: Int) throws {
        let design = SaltelliDesign(basePoints: basePoints, factors: 3)
        let indices = try #require(Self.indices(design.rows.map(Self.ishigami), resamples: 200))
        for (index, exact) in zip(indices.firstOrder, [0.313905, 0.442411, 0]) {
            #expect((index.lower...index.upper).contains(exact))
            #expect(index.halfWidth < 3.2 / Double(basePoints).squareRoot())
        }
        for (index, exact) in zip(indices.total, [0.557589, 0.442411, 0.243684]) {
            #expect((index.lower...index.upper).contains(exact))
        }
    }

    /// 2 x₁ + x₂: the variances 4/12 and 1/12; x₃ has exactly no effect.
    @Test
    func additive() throws {
        let design = SaltelliDesign(basePoints: 511, factors: 3)
        let indices = try #require(Self.indices(design.rows.map { 2 * $0[0] + $0[1] }, resamples: 50))
        for (index, exact) in zip(indices.firstOrder + indices.total, [0.8, 0.2, 0, 0.8, 0.2, 0]) {
            #expect(abs(index.value - exact) < 0.01)
        }
        #expect(indices.total[2] == indices.firstOrder[2])
        #expect(indices.total[2].value == 0 && indices.total[2].halfWidth == 0)
    }

    @Test("Shifting and scaling the response changes nothing, and neither does a repetition")
    func invariant() throws {
        let outputs = SALibIshigami.outputs
        let indices = try #require(Self.indices(outputs))
        #expect(Self.indices(outputs) == indices)
        let scaled = try #require(Self.indices(outputs.map { 1e6 - 64 * $0 }))
        for (one, other) in zip(indices.firstOrder + indices.total, scaled.firstOrder + scaled.total) {
            #expect(abs(one.value - other.value) < 1e-6)
            #expect(abs(one.halfWidth - other.halfWidth) < 1e-6)
        }
    }

    @Test("If nothing varies there are no shares")
    func constant() {
        #expect(Self.indices([Double](repeating: 0.1, count: 20)) == nil)
        // Only A_B differs: the variance of A and B is 0.
        #expect(Self.indices([1, 2, 1, 1, 1, 1, 1, 1, 1, 1]) == nil)
    }
}
