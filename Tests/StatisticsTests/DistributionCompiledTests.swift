import Quantities
import SimulationKernel
import Statistics
import TestSupport
import Testing

struct DistributionCompiledTests {
    private static func draw(_ probability: Double) -> UInt64 {
        UInt64(probability * 0x1p64)
    }

    @Test(arguments: [(0, 0), (2.5, 3), (3e14, 300_000_000_000_000)] as [(Double, Int64)])
    func constant(value: Double, rounded: Int64) throws {
        #expect(try Distribution.constant(value).compiled() == .constant(rounded))
    }

    @Test
    func uniform() throws {
        #expect(try Distribution.uniform(low: 10, high: 30).compiled() == Sampler(.uniform(low: 10, width: 20)))
    }

    /// The given median and 95th percentile are reproduced.
    @Test
    func lognormalByPercentiles() throws {
        let sampler = try Distribution.lognormal(median: 600_000, p95: 2_000_000).compiled()
        #expect(sampler.value(for: Self.draw(0.5)) == 600_000)
        #expect(abs(sampler.value(for: Self.draw(0.95)) - 2_000_000) <= 12)
    }

    /// exp(mu) units are the median.
    @Test
    func lognormalOfLog() throws {
        let sampler = try Distribution.lognormalOfLog(mu: 0, sigma: 0.75, unit: 1e6).compiled()
        #expect(sampler.value(for: Self.draw(0.5)) == 1_000_000)
    }

    /// Kinks at their exact probabilities, constant ends.
    @Test(
        arguments: [
            (0, 100), (0.25, 100), (0.375, 150), (0.5, 200), (0.625, 400), (0.75, 600), (0.875, 600),
            (0x1.fffffffffffffp-1, 600),
        ] as [(Double, Int64)]
    )
    func quantiles(probability: Double, value: Int64) throws {
        let sampler =
            try Distribution.quantiles([
                QuantilePoint(probability: 0.25, value: 100),
                QuantilePoint(probability: 0.5, value: 200),
                QuantilePoint(probability: 0.75, value: 600),
            ])
            .compiled()
        #expect(sampler.value(for: Self.draw(probability)) == value)
    }

    @Test
    func quantilesFromEndToEnd() throws {
        let sampler =
            try Distribution.quantiles([
                QuantilePoint(probability: 0, value: 5), QuantilePoint(probability: 1, value: 9),
            ])
            .compiled()
        #expect(sampler == Sampler(.uniform(low: 5, width: 4)))
    }

    @Test
    func mixture() throws {
        let sampler =
            try Distribution.mixture([
                MixtureComponent(weight: 3, distribution: .constant(1)),
                MixtureComponent(weight: 1, distribution: .uniform(low: 10, high: 20)),
            ])
            .compiled()
        #expect(
            sampler
                == Sampler(joining: [
                    (last: 3 << 62 - 1, sampler: .constant(1)),
                    (last: .max, sampler: Sampler(.uniform(low: 10, width: 10))),
                ])
        )
    }

    /// A component whose share contains no draw.
    @Test
    func negligibleWeight() throws {
        let sampler =
            try Distribution.mixture([
                MixtureComponent(weight: 1e-300, distribution: .constant(1)),
                MixtureComponent(weight: 1, distribution: .constant(2)),
                MixtureComponent(weight: 1e-300, distribution: .constant(3)),
            ])
            .compiled()
        #expect(sampler == .constant(2))
    }

    @Test
    func empirical() throws {
        let values = EmpiricalValues(file: "a.csv", column: "b", sorted: [1, 4, 4])
        #expect(try Distribution.empirical(values).compiled() == Sampler(.values([1, 4, 4])))
        #expect(try Distribution.shifted(by: 2, .empirical(values)).compiled() == Sampler(.values([3, 6, 6])))
    }

    /// Shifts are added before they are rounded, including those of mixtures.
    @Test
    func shifted() throws {
        let sampler =
            try Distribution.shifted(
                by: 0.3,
                .mixture([MixtureComponent(weight: 1, distribution: .shifted(by: 0.3, .constant(7)))])
            )
            .compiled()
        #expect(sampler == .constant(8))
        let back = try Distribution.shifted(by: -5, .uniform(low: 5, high: 6)).compiled()
        #expect(back == Sampler(.uniform(low: 0, width: 1)))
        let plain = try Distribution.exponential(mean: 1000).compiled()
        let moved = try Distribution.shifted(by: 100, .exponential(mean: 1000)).compiled()
        #expect(moved.value(for: 1 << 63) == plain.value(for: 1 << 63) + 100)
    }

    @Test
    func otherRanges() throws {
        let distribution = Distribution.uniform(low: -3, high: 3)
        #expect(try distribution.compiled(within: -3...3) == Sampler(.uniform(low: -3, width: 6)))
    }

    /// Every node of many tables, pinned.
    ///
    /// Another libm, or a processor without FMA, must give the same values (CI runs this a second time with
    /// `GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4,-AVX512F`). A failure there means that results are no longer
    /// the same everywhere.
    @Test(.enabled(if: Loop.isFull))
    func nodesAreTheSameEverywhere() throws {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for distribution in Self.families {
            let sampler = try distribution.compiled()
            for octave in 0..<43 as Range<UInt64> {
                for step in 128..<256 as Range<UInt64> {
                    let draw = step << (octave + 13)
                    for value in [sampler.value(for: draw), sampler.value(for: ~draw)] {
                        hash = (hash ^ UInt64(bitPattern: value)) &* 0x0000_0100_0000_01b3
                    }
                }
            }
        }
        #expect(hash == 0x0c65_5748_347f_b0f0)
    }

    static let families: [Distribution] = [
        .exponential(mean: 3e6),
        .exponential(mean: 4.2e9),
        .lognormal(median: 80_000, p95: 250_000),
        .lognormal(median: 6e5, p95: 2e6),
        .lognormal(median: 3e8, p95: 1.2e9),
        .lognormalOfLog(mu: 0.3, sigma: 1.1, unit: 1e6),
        .gamma(shape: 0.1, scale: 1e9),
        .gamma(shape: 2, scale: 1.5e8),
        .gamma(shape: 2.5, scale: 1e6),
        .gamma(shape: 1000, scale: 1e6),
        .weibull(shape: 0.7, scale: 6e6),
        .weibull(shape: 1.8, scale: 6e8),
    ]
}
