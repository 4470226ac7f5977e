import SimulationKernel
import Statistics
import Testing

struct DistributionValidationTests {
    private static func points(_ pairs: (Double, Double)...) -> Distribution {
        .quantiles(pairs.map { QuantilePoint(probability: $0, value: $1) })
    }

    private static func mixture(_ weights: Double..., of distribution: Distribution = .constant(1)) -> Distribution {
        .mixture(weights.map { MixtureComponent(weight: $0, distribution: distribution) })
    }

    private static let longest = 315_360_000_000_000.0

    @Test(
        arguments: [
            (.constant(.infinity), .notFinite(parameter: "constant", value: .infinity)),
            (.constant(-1), .outOfRange(value: -1, allowed: 0...longest)),
            (.constant(longest + 1), .outOfRange(value: longest + 1, allowed: 0...longest)),
            (.uniform(low: 2, high: 1), .boundsReversed(low: 2, high: 1)),
            (.uniform(low: -.infinity, high: 1), .notFinite(parameter: "low", value: -.infinity)),
            (.uniform(low: 1, high: .infinity), .notFinite(parameter: "high", value: .infinity)),
            (.uniform(low: -2, high: 1), .outOfRange(value: -2, allowed: 0...longest)),
            (.exponential(mean: 0), .notPositive(parameter: "mean", value: 0)),
            (.exponential(mean: -.infinity), .notFinite(parameter: "mean", value: -.infinity)),
            (.lognormal(median: 0, p95: 1), .notPositive(parameter: "median", value: 0)),
            (.lognormal(median: 1, p95: -1), .notPositive(parameter: "p95", value: -1)),
            (.lognormal(median: 2, p95: 2), .percentileNotAboveMedian(median: 2, p95: 2)),
            (.lognormal(median: 2, p95: 1), .percentileNotAboveMedian(median: 2, p95: 1)),
            (.lognormalOfLog(mu: .infinity, sigma: 1, unit: 1), .notFinite(parameter: "mu", value: .infinity)),
            (.lognormalOfLog(mu: 0, sigma: 0, unit: 1), .notPositive(parameter: "sigma", value: 0)),
            (.lognormalOfLog(mu: 0, sigma: 1, unit: -1), .notPositive(parameter: "unit", value: -1)),
            (.lognormalOfLog(mu: 800, sigma: 1, unit: 1), .outOfRange(value: .infinity, allowed: 0...longest)),
            (.gamma(shape: 0, scale: 1), .notPositive(parameter: "shape", value: 0)),
            (.gamma(shape: 100_001, scale: 1), .tooLarge(parameter: "shape", value: 100_001, maximum: 100_000)),
            (.gamma(shape: 1, scale: -1), .notPositive(parameter: "scale", value: -1)),
            (.weibull(shape: -1, scale: 1), .notPositive(parameter: "shape", value: -1)),
            (.weibull(shape: 1, scale: 0), .notPositive(parameter: "scale", value: 0)),
            (points((0.5, 1)), .tooFewQuantiles(count: 1)),
            (points((-0.1, 1), (1, 2)), .probabilityOutsideUnitInterval(-0.1)),
            (points((0, 1), (1.5, 2)), .probabilityOutsideUnitInterval(1.5)),
            (points((0, 1), (0.5, 2), (0.5, 3)), .probabilitiesNotRising(previous: 0.5, next: 0.5)),
            (points((0, 1), (0.5, 3), (1, 2)), .quantilesFalling(previous: 3, next: 2)),
            (points((0, 1), (1, .infinity)), .notFinite(parameter: "quantile", value: .infinity)),
            (points((0, -5), (1, 2)), .outOfRange(value: -5, allowed: 0...longest)),
            (.mixture([]), .noComponents),
            (mixture(1, 0), .notPositive(parameter: "weight", value: 0)),
            (
                mixture(.greatestFiniteMagnitude, .greatestFiniteMagnitude),
                .notFinite(parameter: "the sum of weights", value: .infinity)
            ),
            (mixture(1, of: .constant(-3)), .outOfRange(value: -3, allowed: 0...longest)),
            (mixture(1, of: .mixture([])), .noComponents),
            (.empirical(EmpiricalValues(file: "a.csv", column: "b", sorted: [])), .noValues),
            (
                .empirical(EmpiricalValues(file: "a.csv", column: "b", sorted: [-1, 1])),
                .outOfRange(value: -1, allowed: 0...longest)
            ),
            (.shifted(by: .infinity, .constant(1)), .notFinite(parameter: "by", value: .infinity)),
            (.shifted(by: -2, .constant(1)), .outOfRange(value: -1, allowed: 0...longest)),
            (.shifted(by: 1, .exponential(mean: 0)), .notPositive(parameter: "mean", value: 0)),
        ] as [(Distribution, DistributionError)]
    )
    func refuses(distribution: Distribution, error: DistributionError) {
        #expect(throws: error) { try distribution.validated() }
        #expect(throws: error) { _ = try distribution.compiled() }
    }

    /// NaN does not equal itself, so these errors are compared by their text.
    @Test(
        arguments: [
            (.constant(.nan), "constant must be a finite number, got nan"),
            (.gamma(shape: .nan, scale: 1), "shape must be a finite number, got nan"),
            (points((.nan, 1), (1, 2)), "the probability of a quantile must be within 0...1, got nan"),
            (mixture(.nan), "weight must be a finite number, got nan"),
        ] as [(Distribution, String)]
    )
    func refusesNaN(distribution: Distribution, text: String) throws {
        let error = #expect(throws: DistributionError.self) { try distribution.validated() }
        #expect(error?.description == text)
    }

    /// A tail is allowed as far as it can be drawn: to 44 ln 2 = 30.498 means.
    @Test(arguments: [(1.033e13, true), (1.035e13, false)])
    func unboundedTail(mean: Double, isAllowed: Bool) {
        #expect(isAllowed == ((try? Distribution.exponential(mean: mean).validated()) != nil))
    }

    @Test
    func support() throws {
        #expect(try Distribution.shifted(by: 3, .uniform(low: 1, high: 2)).support() == 4...5)
        let mixture = Distribution.mixture([
            MixtureComponent(weight: 1, distribution: .constant(9)),
            MixtureComponent(weight: 1, distribution: .uniform(low: -1, high: 2)),
        ])
        #expect(try mixture.support() == -1...9)
        let exponential = try Distribution.exponential(mean: 1).support()
        #expect(abs(exponential.upperBound - 30.498_475_944_6) < 1e-9)
    }

    @Test(
        arguments: [
            (.notFinite(parameter: "mean", value: .infinity), "mean must be a finite number, got inf"),
            (.notPositive(parameter: "mean", value: -1), "mean must be above 0, got -1.0"),
            (.tooLarge(parameter: "shape", value: 3, maximum: 2), "shape must be at most 2.0, got 3.0"),
            (.percentileNotAboveMedian(median: 2, p95: 1), "p95 must be above the median 2.0, got 1.0"),
            (.boundsReversed(low: 2, high: 1), "high must not be below low 2.0, got 1.0"),
            (.tooFewQuantiles(count: 1), "quantiles must have at least 2 points, got 1"),
            (.probabilityOutsideUnitInterval(2), "the probability of a quantile must be within 0...1, got 2.0"),
            (
                .probabilitiesNotRising(previous: 0.5, next: 0.25),
                "probabilities of quantiles must rise, got 0.25 after 0.5"
            ),
            (.quantilesFalling(previous: 3, next: 2), "quantiles must not fall, got 2.0 after 3.0"),
            (.noComponents, "a mixture must have at least one component, got none"),
            (.noValues, "an empirical distribution must have at least one value, got none"),
            (.outOfRange(value: -1, allowed: 0...5), "values must be within 0.0...5.0, got -1.0"),
            (.notComputable(probability: 0.5), "the quantile of probability 0.5 cannot be computed"),
        ] as [(DistributionError, String)]
    )
    func texts(error: DistributionError, text: String) {
        #expect(error.description == text)
    }
}
