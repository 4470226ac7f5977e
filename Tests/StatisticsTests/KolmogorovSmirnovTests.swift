import Statistics
import Testing

struct KolmogorovSmirnovTests {
    /// The first is from the paper of Marsaglia, Tsang and Wang (K(10, 0.274) = 0.628480), the others are from SciPy's
    /// `kstwo`, which is itself an approximation at 500.
    @Test(
        arguments: [
            (10, 0.274, 0.371_520_384_5), (5, 0.4, 0.3088), (100, 0.1, 0.252_692_757_0), (500, 0.05, 0.158_662_602_2),
            (3, 0.9, 0.002), (50, 0.15, 0.190_263_665_2),
        ]
    )
    func exact(count: Int, distance: Double, chance: Double) {
        #expect(abs(KolmogorovSmirnov.pValue(distance: distance, count: count) - chance) < (count < 500 ? 1e-9 : 1e-7))
    }

    @Test("In the far tail and for many values by formulas, to three digits")
    func formulas() {
        #expect(abs(KolmogorovSmirnov.pValue(distance: 0.2, count: 100) / 0.000_555_192_7 - 1) < 1e-3)
        #expect(abs(KolmogorovSmirnov.pValue(distance: 0.03, count: 2000) / 0.053_546_947_9 - 1) < 5e-3)
        #expect(KolmogorovSmirnov.pValue(distance: 0.001, count: 2000) == 1)
        #expect(KolmogorovSmirnov.pValue(distance: 1, count: 3) == 0)
    }

    @Test("The distance considers both sides of every step")
    func distance() {
        #expect(KolmogorovSmirnov.distance(uniform: [0.5]) == 0.5)
        #expect(abs(KolmogorovSmirnov.distance(uniform: [0.9, 0.1]) - 0.4) < 1e-15)
        #expect(abs(KolmogorovSmirnov.distance(uniform: [0.6, 0.7]) - 0.6) < 1e-15)
        #expect(abs(KolmogorovSmirnov.distance(uniform: [0.3, 0.4]) - 0.6) < 1e-15)
    }
}
