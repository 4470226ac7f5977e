import Statistics
import Testing

struct KolmogorovSmirnovTests {
    /// The values of the exact distribution, from SciPy's `kstwo`.
    @Test(
        "Near the exact p-value: to 0.01 from five values on, to three digits for thousands",
        arguments: [
            (10, 0.274, 0.371_520_384_5, 0.01), (5, 0.4, 0.3088, 0.01), (100, 0.1, 0.252_692_757_0, 0.01),
            (500, 0.05, 0.158_662_602_2, 0.01), (50, 0.15, 0.190_263_665_2, 0.01),
            (100, 0.2, 0.000_555_192_7, 1e-4), (2000, 0.03, 0.053_546_947_9, 3e-4), (2000, 0.001, 1, 0),
        ]
    )
    func chances(count: Int, distance: Double, chance: Double, error: Double) {
        #expect(abs(KolmogorovSmirnov.pValue(distance: distance, count: count) - chance) <= error)
    }

    @Test("The distance considers both sides of every step")
    func distance() {
        #expect(KolmogorovSmirnov.distance(uniform: [0.5]) == 0.5)
        #expect(abs(KolmogorovSmirnov.distance(uniform: [0.9, 0.1]) - 0.4) < 1e-15)
        #expect(abs(KolmogorovSmirnov.distance(uniform: [0.6, 0.7]) - 0.6) < 1e-15)
        #expect(abs(KolmogorovSmirnov.distance(uniform: [0.3, 0.4]) - 0.6) < 1e-15)
    }
}
