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

    /// Quotients 1 and 2 with standard errors 1/2 and 1, by hand.
    private var two: SeedEstimates { estimates([[(1, 2), (3, 2)], [(2, 2), (6, 2)]]) }

    @Test("The mean is that of the seeds' pooled quotients")
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

    @Test("A seed without spread counts for nothing if it is right, and against all if it is off")
    func noSpread() throws {
        let flat = estimates([[(1, 2), (3, 2)], [(3, 2), (3, 2)]])
        let spread = try #require(flat.spread(around: 1.5))
        #expect(spread.degreesOfFreedom == 1)
        #expect(abs(spread.sum - 0.4549364231) < 1e-9)
        #expect(flat.spread(around: 1.25) == nil)
        let same = estimates([[(3, 2), (3, 2)], [(3, 2), (3, 2)]])
        #expect(same.score(against: 1.5) == 0)
        #expect(same.score(against: 1) == nil)
    }

    @Test("A seed that has seen nothing leaves no answer")
    func nothingSeen() {
        let blind = estimates([[(1, 2), (3, 2)], [(0, 0), (0, 0)]])
        #expect(blind.mean == nil)
        #expect(blind.interval == nil)
        #expect(blind.score(against: 1) == nil)
        #expect(blind.spread(around: 1) == nil)
    }
}
