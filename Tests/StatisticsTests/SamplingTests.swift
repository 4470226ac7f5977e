import SimulationKernel
import Statistics
import TestSupport
import Testing

/// Draws and tables together, compared with the distribution's own mean and shape.
struct SamplingTests {
    static let distributions: [Distribution] = [
        .uniform(low: 1e6, high: 5e6),
        .exponential(mean: 3e6),
        .lognormal(median: 6e5, p95: 2e6),
        .lognormalOfLog(mu: 1, sigma: 1, unit: 1e6),
        .gamma(shape: 0.5, scale: 1e8),
        .gamma(shape: 3, scale: 1e6),
        .weibull(shape: 0.7, scale: 6e6),
        .quantiles([
            QuantilePoint(probability: 0.05, value: 3e6), QuantilePoint(probability: 0.5, value: 2e7),
            QuantilePoint(probability: 0.95, value: 9e7),
        ]),
        .mixture([
            MixtureComponent(weight: 0.9, distribution: .lognormal(median: 1e5, p95: 2e5)),
            MixtureComponent(weight: 0.1, distribution: .shifted(by: 1e6, .exponential(mean: 5e6))),
        ]),
        .empirical(EmpiricalValues(file: "a.csv", column: "b", sorted: [100, 300, 300, 900, 5000])),
        .triangular(min: 1e6, mode: 2e6, max: 9e6),
    ]

    /// The mean of a million draws, within four standard errors of the exact mean.
    @Test(.enabled(if: Loop.isFull), arguments: distributions)
    func means(_ distribution: Distribution) throws {
        let bank = SamplerBank([try distribution.compiled()])
        let source = RandomSource(seed: 5, replication: 0)
        let mean = distribution.mean
        var sum = 0.0
        var squares = 0.0
        for entity in 0..<1_000_000 as Range<UInt64> {
            let difference = Double(bank.sample(SamplerID(0), source.draw(entity: entity, purpose: 1, index: 0))) - mean
            sum += difference
            squares += difference * difference
        }
        let standardError = squares.squareRoot() / 1e6
        #expect(abs(sum / 1e6) < 4 * standardError)
    }

    static let continuous: [Distribution] = [
        .exponential(mean: 3e6),
        .lognormalOfLog(mu: 1, sigma: 1, unit: 1e6),
        .gamma(shape: 0.5, scale: 1e10),
        .gamma(shape: 3, scale: 1e8),
        .gamma(shape: 1000, scale: 1e6),
        .weibull(shape: 0.7, scale: 6e8),
        .uniform(low: 1e6, high: 5e6),
        .triangular(min: 1e6, mode: 2e8, max: 9e8),
    ]

    /// Kolmogorov-Smirnov: their own distribution function makes the values uniform.
    @Test(arguments: continuous)
    func shape(_ distribution: Distribution) throws {
        let pValue = try Self.pValue(of: distribution, against: distribution)
        #expect((0.001...0.999).contains(pValue))
    }

    /// The test above detects a shape that is off by a twentieth.
    @Test
    func wrongShapeIsNoticed() throws {
        let pValue = try Self.pValue(of: .weibull(shape: 1.05, scale: 1e8), against: .weibull(shape: 1, scale: 1e8))
        #expect(pValue < 0.001)
    }

    private static func pValue(of distribution: Distribution, against reference: Distribution) throws -> Double {
        let sampler = try distribution.compiled()
        let source = RandomSource(seed: 6, replication: 0)
        let values = (0..<20_000 as Range<UInt64>)
            .map { entity in
                let value = sampler.value(for: source.draw(entity: entity, purpose: 2, index: 0))
                return reference.cumulative(Double(value))
            }
        return KolmogorovSmirnov.pValue(uniform: values)
    }
}
