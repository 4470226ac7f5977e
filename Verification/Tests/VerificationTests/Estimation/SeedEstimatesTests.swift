import Statistics
import Testing

@testable import Verification

@Suite("Estimates of seeds")
struct SeedEstimatesTests {
    private func estimates(_ seeds: [[RatioPart]]) -> SeedEstimates {
        var estimates = SeedEstimates(seeds: seeds.count)
        for (seed, parts) in seeds.enumerated() {
            for part in parts { estimates.add(part, seed: seed) }
        }
        return estimates
    }

    /// Ratios 1 and 2 with standard errors 1/2 and 1, by hand.
    private var two: SeedEstimates { estimates([[(1, 2), (3, 2)], [(2, 2), (6, 2)]]) }

    @Test("The mean is that of the seeds' pooled ratios")
    func mean() throws {
        #expect(two.mean == 1.5)
        let interval = try #require(two.interval)
        #expect(interval.mean == 1.5)
        // Student's t of one degree of freedom: tan(0.475 π), times a standard error of 1/2.
        #expect(abs(interval.halfWidth - 12.7062047362 / 2) < 1e-9)
    }

    @Test("Scores are normal scores of Student's t")
    func score() throws {
        // t = -1 with one degree of freedom is the lower quartile.
        let score = try #require(two.score(against: 2))
        #expect(abs(score + 0.6744897502) < 1e-9)
        #expect(two.score(against: 1.5) == 0)
    }

    @Test("The spread is the sum of the seeds' squared scores")
    func spread() throws {
        // t = -1 and t = 1/2: 0.6744897502² + 0.3788048781².
        let spread = try #require(two.spread(around: 1.5))
        #expect(abs(spread.sum - 0.5984295588) < 1e-9)
        #expect(spread.degreesOfFreedom == 2)
    }

    @Test("A seed whose replications agree gets the common standard error")
    func noSpread() throws {
        // Ratios 1 and 3/2 with standard errors 1/2 and 0: a common variance of 1/8, and residuals of one size, whose
        // kurtosis is below the normal one.
        let flat = estimates([[(1, 2), (3, 2)], [(3, 2), (3, 2)]])
        #expect(flat.scores(around: 1.5) == nil)
        let spread = try #require(flat.spread(around: 1.5))
        #expect(spread.degreesOfFreedom == 2)
        #expect(abs(spread.sum - 2) < 1e-12)
        let same = estimates([[(3, 2), (3, 2)], [(3, 2), (3, 2)]])
        #expect(same.score(against: 1.5) == 0)
        #expect(same.score(against: 1) == nil)
        #expect(same.spread(around: 1.5) == nil)
    }

    @Test(
        "If replications rarely differ, the sum of squares is compared with a chi-square of fewer degrees of freedom"
    )
    func rareDifferences() throws {
        // Four seeds of four replications; a single one deviates by 1.
        var seeds = [[RatioPart]](repeating: [(10, 1), (10, 1), (10, 1), (10, 1)], count: 4)
        seeds[0][0].numerator = 11
        let spread = try #require(estimates(seeds).spread(around: 10))
        // Residuals: 15/16 once and -1/16 fifteen times. Their kurtosis is 16 (15⁴ + 15) / (15² + 15)² - 3, and that of
        // a seed is a fourth of it. One seed deviates by 1/4, with a standard error of 1/4; the common variance is
        // 1/64.
        let fourthPowers = 50_625.0 + 15
        let kurtosis = (16 * fourthPowers / (240 * 240) - 3) / 4
        #expect(abs(spread.degreesOfFreedom - 4 / (1 + kurtosis / 2)) < 1e-9)
        #expect(abs(spread.sum - 4 / (1 + kurtosis / 2)) < 1e-9)
    }

    @Test("A seed without observations leaves no answer")
    func nothingSeen() {
        let blind = estimates([[(1, 2), (3, 2)], [(0, 0), (0, 0)]])
        #expect(blind.mean == nil)
        #expect(blind.interval == nil)
        #expect(blind.score(against: 1) == nil)
        #expect(blind.spread(around: 1) == nil)
    }
}
