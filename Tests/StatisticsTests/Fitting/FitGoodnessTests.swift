import SimulationKernel
import Statistics
import Testing

/// Tests of the goodness of fit.
@Suite("Goodness of fits")
struct FitGoodnessTests {
    private static func values(_ distribution: Distribution, count: Int, seed: UInt64) throws -> Sample {
        let sampler = try distribution.compiled()
        let source = RandomSource(seed: seed, replication: 0)
        return Sample(
            (0..<count)
                .map { sampler.value(for: source.draw(entity: UInt64($0), purpose: 9, index: 0)) },
            unit: 1e6
        )
    }

    /// Lilliefors' table for the exponential distribution (JASA 64, 1969): n = 30, 5%: 0.192; Kolmogorov's for a known
    /// distribution is 0.242.
    @Test("Fitted distances are shorter than in the tables for known distributions")
    func fittedDistances() throws {
        var distances: [Double] = []
        for seed in 0..<400 as Range<UInt64> {
            let sample = try Self.values(.exponential(mean: 4e6), count: 30, seed: 1000 + seed)
            distances.append(try MaximumLikelihood.fit(.exponential, to: sample).distance(to: sample))
        }
        distances.sort()
        #expect((distances[380] - 0.192).magnitude < 0.012)
    }

    @Test("Quantiles and the distribution function are consistent")
    func consistent() throws {
        for (family, truth) in MaximumLikelihoodTests.truths {
            let fit = try MaximumLikelihood.fit(family, to: Self.values(truth, count: 500, seed: 3))
            for probability in [0.001, 0.05, 0.5, 0.95, 0.999] {
                let value = fit.quantile(probability)
                #expect((fit.cumulative(value) - probability).magnitude < 1e-9)
                #expect((fit.distribution.cumulative(value) - probability).magnitude < 1e-9)
            }
        }
    }

    @Test("Akaike's criterion counts parameters")
    func criterion() throws {
        let sample = try Self.values(.exponential(mean: 4e6), count: 400, seed: 5)
        let exponential = try MaximumLikelihood.fit(.exponential, to: sample)
        let weibull = try MaximumLikelihood.fit(.weibull, to: sample)
        #expect([exponential, weibull].map(\.parameterCount) == [1, 2])
        // The exponential distribution is the Weibull of shape 1: the likelihood of the larger family is never lower.
        #expect(weibull.logLikelihood >= exponential.logLikelihood)
        #expect(exponential.informationCriterion == 2 - 2 * exponential.logLikelihood)
    }
}
