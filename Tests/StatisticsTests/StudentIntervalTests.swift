import Quantities
import SimulationKernel
import Statistics
import Testing

struct StudentIntervalTests {
    @Test(arguments: [[], [3]] as [[Double]])
    func tooFewSamples(_ samples: [Double]) {
        #expect(StudentInterval(samples) == nil)
    }

    /// Mean 3, standard error sqrt(2.5 / 5), t(0.975, 4) = 2.776445.
    @Test
    func knownInterval() throws {
        let interval = try #require(StudentInterval([1, 2, 3, 4, 5]))
        #expect(interval.mean == 3)
        #expect(interval.count == 5)
        #expect(interval.level == 0.95)
        #expect(abs(interval.halfWidth - 1.963_243) < 1e-6)
        #expect(interval.range.lowerBound == 3 - interval.halfWidth)
        #expect(interval.range.upperBound == 3 + interval.halfWidth)
    }

    @Test
    func largeValuesKeepTheirSpread() throws {
        let small = try #require(StudentInterval([1, 2, 3]))
        let large = try #require(StudentInterval([1e12 + 1, 1e12 + 2, 1e12 + 3]))
        #expect(large.halfWidth == small.halfWidth)
    }

    @Test
    func noSpread() throws {
        #expect(try #require(StudentInterval([4, 4, 4])).halfWidth == 0)
    }

    @Test
    func higherLevelIsWider() throws {
        let samples = [1.0, 5, 2, 8]
        let narrow = try #require(StudentInterval(samples, level: 0.9))
        let wide = try #require(StudentInterval(samples, level: 0.99))
        // t(0.995, 3) / t(0.95, 3) = 5.840909 / 2.353363.
        #expect(abs(wide.halfWidth / narrow.halfWidth - 2.481_941) < 1e-6)
    }

    @Test
    func differences() throws {
        let interval = try #require(StudentInterval(ofDifferences: [1, 3, 5], [2, 6, 7]))
        #expect(interval == StudentInterval([1, 3, 2]))
        #expect(StudentInterval(ofDifferences: [1], [2]) == nil)
    }

    /// Ten normal samples each: 95% of 4,000 intervals contain the true mean, to four standard errors (0.35% each).
    @Test
    func coverage() throws {
        let source = RandomSource(seed: 7, replication: 0)
        var hits = 0
        for entity in 0..<4000 as Range<UInt64> {
            let samples = (0..<10 as Range<UInt32>)
                .map { index in
                    let draw = source.draw(entity: entity, purpose: 3, index: index)
                    return 20 + 3 * Normal.quantile((Double(draw >> 11) + 0.5) * 0x1p-53)
                }
            hits += try #require(StudentInterval(samples)).range.contains(20) ? 1 : 0
        }
        #expect((3745...3855).contains(hits))
    }
}
