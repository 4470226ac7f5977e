import SimulationKernel
import Statistics
import TestSupport
import Testing

struct GammaDistributionTests {
    /// Quantiles at which GSL 2.7.1 returns NaN or is wrong, and neighbours; by mpmath 1.3 with 30 digits.
    ///
    /// The probabilities are those of nodes, so interpolation adds no error.
    @Test(
        .enabled(if: Loop.isFull),
        arguments: [
            (0.05, 1 * 0x1p-2, true, 5.31566188991698e-13),
            (0.05, 1 * 0x1p-1, true, 5.573878440746248e-7),
            (0.1, 208 * 0x1p-9, true, 7.436521525667417e-5),
            (1000, 137 * 0x1p-14, false, 1077.236924788885),
            (1e4, 134 * 0x1p-35, true, 9433.459336911758),
            (1e4, 1 * 0x1p-30, false, 10612.68755378833),
            (1e5, 197 * 0x1p-10, true, 99725.06989586922),
            (1e5, 1 * 0x1p-2, false, 100213.110311416),
            (1e5, 1 * 0x1p-44, false, 102365.7254560722),
        ] as [(Double, Double, Bool, Double)]
    )
    func hardQuantiles(shape: Double, probability: Double, isLower: Bool, quantile: Double) throws {
        let scale = 1e9
        let sampler = try Distribution.gamma(shape: shape, scale: scale).compiled()
        let draw = UInt64(probability * 0x1p64)
        let value = Double(sampler.value(for: isLower ? draw : ~draw))
        #expect(abs(value - quantile * scale) <= 0.5 + 0x1p-24 * quantile * scale)
    }
}
