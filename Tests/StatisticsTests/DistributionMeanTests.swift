import SimulationKernel
import Statistics
import Testing

struct DistributionMeanTests {
    @Test(
        arguments: [
            (.constant(7), 7),
            (.uniform(low: 2, high: 5), 3.5),
            (.exponential(mean: 12), 12),
            (.lognormalOfLog(mu: 0, sigma: 1, unit: 10), 16.487_212_707_001_28),
            // sigma = ln(5) / 1.6448536 = 0.97847; 2 exp(sigma² / 2).
            (.lognormal(median: 2, p95: 10), 3.227_951_6),
            (.gamma(shape: 3, scale: 2), 6),
            (.weibull(shape: 0.5, scale: 3), 6),
            (.weibull(shape: 2, scale: 2), 1.772_453_850_905_516),
            (.quantiles([QuantilePoint(probability: 0.25, value: 4), QuantilePoint(probability: 0.75, value: 8)]), 6),
            (
                .mixture([
                    MixtureComponent(weight: 3, distribution: .constant(1)),
                    MixtureComponent(weight: 1, distribution: .constant(9)),
                ]), 3
            ),
            (.empirical(EmpiricalValues(file: "a.csv", column: "b", sorted: [1, 2, 6])), 3),
            (.shifted(by: 4, .exponential(mean: 1)), 5),
        ] as [(Distribution, Double)]
    )
    func means(distribution: Distribution, mean: Double) {
        #expect(abs(distribution.mean / mean - 1) < 1e-7)
    }

    /// E[X²] / E[X].
    @Test(
        arguments: [
            (.constant(7), 7),
            (.uniform(low: 0, high: 2), 4.0 / 3),
            (.exponential(mean: 12), 24),
            (.lognormalOfLog(mu: 0, sigma: 0.5, unit: 10), 14.549_914),
            (.quantiles([QuantilePoint(probability: 0, value: 0), QuantilePoint(probability: 1, value: 3)]), 2),
            (
                .mixture([
                    MixtureComponent(weight: 3, distribution: .constant(1)),
                    MixtureComponent(weight: 1, distribution: .constant(9)),
                ]), 7
            ),
            (.empirical(EmpiricalValues(file: "a.csv", column: "b", sorted: [1, 2, 6])), 41.0 / 9),
            (.shifted(by: 4, .constant(2)), 6), (.constant(0), 0),
        ] as [(Distribution, Double)]
    )
    func lengthBiasedMeans(distribution: Distribution, mean: Double) {
        #expect(abs(distribution.lengthBiasedMean - mean) <= 0.01 * mean)
    }
}
