import RandomStreams
import Statistics
import Testing

struct RelativeDifferenceTests {
    /// By numpy 2.4.6 and scipy 1.17.1: residuals y - R x, their standard error over the mean of x, t.ppf(0.975, 4).
    @Test
    func knownAnswer() throws {
        let first = [10.0, 12, 9, 11, 13]
        let second = [11.0, 13, 10, 11.5, 14.5]
        let relative = try #require(RelativeDifference(first, second))
        #expect(abs(relative.value - 0.090_909_090_909_090_83) < 1e-12)
        #expect(abs(relative.halfWidth - 0.035_732_186_522_278_74) < 1e-9)
        #expect(PairedComparison(first, second)?.relativeDifference == relative)
        // Of a negative base, more is upwards too: from -11 to -12 is a fall.
        let negative = try #require(RelativeDifference(first.map { -$0 }, second.map { -$0 }))
        #expect(negative.value == -relative.value)
        #expect(negative.halfWidth == relative.halfWidth)
    }

    @Test("A base that may be 0 has no quotient")
    func noBase() {
        #expect(RelativeDifference([1, -1], [2, 2]) == nil)
        #expect(RelativeDifference([0, 0], [2, 2]) == nil)
        #expect(RelativeDifference([5, 1, 1], [2, 2, 2]) == nil)
        #expect(RelativeDifference([5], [2]) == nil)
        #expect(RelativeDifference([5, 5], [5, 5])?.halfWidth == 0)
    }

    /// Pairs that share most of their luck: 95 % of 2,000 intervals hold the true 10 %, to four standard errors.
    @Test
    func coverage() throws {
        let source = RandomSource(seed: 8, replication: 0)
        let normal = { (entity: UInt64, purpose: UInt16, index: UInt32) in
            let draw = source.draw(entity: entity, purpose: purpose, index: index)
            return Normal.quantile((Double(draw >> 11) + 0.5) * 0x1p-53)
        }
        var hits = 0
        for entity in 0..<2000 as Range<UInt64> {
            let first = (0..<10 as Range<UInt32>).map { 20 + 2 * normal(entity, 1, $0) }
            let second = zip(first, 0..<10 as Range<UInt32>).map { $0 * 1.1 + normal(entity, 2, $1) }
            let relative = try #require(RelativeDifference(first, second))
            hits += relative.lower <= 0.1 && 0.1 <= relative.upper ? 1 : 0
        }
        #expect((1861...1939).contains(hits))
    }
}
