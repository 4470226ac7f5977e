import SimulationKernel
import Statistics
import Testing

struct GoodnessOfFitTests {
    /// SciPy's `chisquare`.
    @Test
    func knownAnswer() throws {
        let fit = try #require(GoodnessOfFit(observed: [30, 14, 34, 45, 57, 20], expected: [20, 20, 30, 40, 60, 30]))
        #expect(fit.degreesOfFreedom == 5)
        #expect(abs(fit.statistic - 11.441_666_667) < 1e-8)
        #expect(abs(fit.pValue - 0.043_293_130_3) < 1e-9)
    }

    @Test("Classes with an expected count below five are merged with their neighbours, the last ones with those before")
    func pooling() throws {
        let fit = try #require(GoodnessOfFit(observed: [1, 9, 20, 3, 1], expected: [2, 8, 20, 2, 2]))
        #expect(fit.degreesOfFreedom == 1)
        #expect(fit.statistic == 0)
        #expect(GoodnessOfFit(observed: [1, 2], expected: [2, 1]) == nil)
    }

    /// Deaths by horse kick in ten corps over twenty years, from Bortkiewicz, 1898.
    private static let horseKicks = [109, 65, 22, 3, 1].enumerated()
        .flatMap { Array(repeating: $0.offset, count: $0.element) }

    @Test("Horse kicks are Poisson")
    func poisson() throws {
        let given = try #require(GoodnessOfFit(poisson: Self.horseKicks, mean: 0.7))
        #expect(given.degreesOfFreedom == 3)
        #expect(abs(given.pValue - 0.451_683_555_8) < 1e-9)
    }

    @Test("Counts with too much spread are rejected")
    func overdispersed() throws {
        let counts = (0..<200).map { $0 % 2 == 0 ? 0 : 2 }
        #expect(try #require(GoodnessOfFit(poisson: counts, mean: 1)).pValue < 1e-20)
    }
}
