import SimulationKernel
import Testing

@testable import Statistics

@Suite("Triangular distribution")
struct TriangularDistributionTests {
    /// By hand: of 0, 2, 8 a quarter is below 2, so the quantiles are sqrt(16 p) and 8 - sqrt(48 (1 - p)).
    @Test(
        "Quantiles and probabilities are each other's inverse",
        arguments: [
            (0, 0), (0.0625, 1), (0.25, 2), (0.4375, 8 - 27.0.squareRoot()), (0.75, 8 - 12.0.squareRoot()), (1, 8),
        ]
    )
    func quantiles(probability: Double, value: Double) throws {
        let triangle = try TriangularDistribution(min: 0, mode: 2, max: 8)
        #expect(abs(triangle.quantile(probability) - value) < 1e-14)
        #expect(abs(triangle.upperQuantile(1 - probability) - value) < 1e-14)
        #expect(abs(triangle.cumulative(value) - probability) < 1e-14)
    }

    @Test("Samples have the mean and the ends, even with the mode at an end")
    func samples() throws {
        for (min, mode, max) in [(1e6, 2e6, 9e6), (0, 0, 3e6), (1e6, 5e6, 5e6)] {
            let distribution = Distribution.triangular(min: min, mode: mode, max: max)
            let sampler = try distribution.compiled()
            let count = 20_000
            let values = (0..<UInt64(count)).map { sampler.value(for: ($0 * 2 + 1) * (.max / UInt64(2 * count))) }
            let mean = Double(values.reduce(0, +)) / Double(count)
            #expect(abs(mean - (min + mode + max) / 3) < 1e-4 * max)
            #expect(abs(distribution.mean - (min + mode + max) / 3) < 1e-6)
            #expect(abs(Double(sampler.value(for: 0)) - min) < 3)
            #expect(abs(Double(sampler.value(for: .max)) - max) < 3)
            let square = values.reduce(0) { $0 + Double($1) * Double($1) } / Double(count)
            #expect(abs(distribution.lengthBiasedMean - square / mean) < 1e-3 * max)
        }
    }

    @Test("Three equal values are a constant, and the wrong order is rejected")
    func ends() throws {
        #expect(try Distribution.triangular(min: 5, mode: 5, max: 5).compiled() == .constant(5))
        #expect(throws: DistributionError.modeOutsideBounds(mode: 1, min: 2, max: 3)) {
            try Distribution.triangular(min: 2, mode: 1, max: 3).validated()
        }
        #expect(throws: DistributionError.notFinite(parameter: "max", value: .infinity)) {
            try Distribution.triangular(min: 2, mode: 3, max: .infinity).validated()
        }
        #expect(throws: DistributionError.outOfRange(value: -1, allowed: Distribution.defaultRange)) {
            try Distribution.triangular(min: -1, mode: 3, max: 4).validated()
        }
    }
}
