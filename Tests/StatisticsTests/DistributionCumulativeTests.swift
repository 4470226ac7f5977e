import SimulationKernel
import Statistics
import Testing

/// Distribution functions compared with values computed by hand.
struct DistributionCumulativeTests {
    static let values: [(distribution: Distribution, value: Double, probability: Double)] = [
        (.constant(5), 4.999, 0), (.constant(5), 5, 1),
        (.uniform(low: 2, high: 6), 1, 0), (.uniform(low: 2, high: 6), 3, 0.25), (.uniform(low: 2, high: 6), 7, 1),
        (.uniform(low: 2, high: 2), 1, 0), (.uniform(low: 2, high: 2), 2, 1),
        // 1 - 1/e, and others from it by substitution.
        (.exponential(mean: 3), 3, 0.632_120_558_828_557_7), (.exponential(mean: 3), -1, 0),
        (.weibull(shape: 2, scale: 3), 3, 0.632_120_558_828_557_7),
        (.gamma(shape: 1, scale: 3), 3, 0.632_120_558_828_557_7),
        (.gamma(shape: 2, scale: 1), 2, 0.593_994_150_290_161_6),
        (.lognormal(median: 4, p95: 9), 4, 0.5), (.lognormal(median: 4, p95: 9), 9, 0.95),
        (.lognormalOfLog(mu: 0, sigma: 1, unit: 10), 10, 0.5),
        (.shifted(by: 7, .uniform(low: 0, high: 4)), 8, 0.25),
        (
            .mixture([.init(weight: 3, distribution: .constant(1)), .init(weight: 1, distribution: .constant(2))]), 1,
            0.75
        ),
        (.empirical(EmpiricalValues(file: "", column: "", sorted: [1, 2, 2, 5])), 2, 0.75),
        (.empirical(EmpiricalValues(file: "", column: "", sorted: [1, 2, 2, 5])), 1.5, 0.25),
    ]

    @Test(arguments: values)
    func known(distribution: Distribution, value: Double, probability: Double) {
        #expect(abs(distribution.cumulative(value) - probability) < 1e-12)
    }

    @Test(
        "Given quantiles are exact; the first and the last value have the shares beyond them",
        arguments: [(0.9, 0), (1, 0.2), (2, 0.35), (3, 0.5), (4, 0.8), (6, 0.85), (8, 1)] as [(Double, Double)]
    )
    func quantiles(value: Double, probability: Double) {
        let distribution = Distribution.quantiles([
            .init(probability: 0.2, value: 1), .init(probability: 0.5, value: 3),
            // A jump from 0.6 to 0.8.
            .init(probability: 0.6, value: 4), .init(probability: 0.8, value: 4), .init(probability: 0.9, value: 8),
        ])
        #expect(abs(distribution.cumulative(value) - probability) < 1e-12)
    }
}
