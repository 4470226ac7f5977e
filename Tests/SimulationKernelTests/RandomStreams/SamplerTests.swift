import SimulationKernel
import Testing

struct SamplerTests {
    /// Three parts: a quarter constant, a quarter rising, and half a nested mixture.
    static let nested = Sampler(joining: [
        (last: 1 << 62 - 1, sampler: .constant(-5)),
        (last: 1 << 63 - 1, sampler: Sampler(.uniform(low: 100, width: 50))),
        (
            last: .max,
            sampler: Sampler(joining: [
                (last: UInt64.max / 10, sampler: Sampler(.values([1000, 2000, 2000, 3000]))),
                (last: .max, sampler: Sampler(.table(QuantileTableTests.straight))),
            ])
        ),
    ])

    @Test
    func constant() {
        for draw in QuantileTableTests.draws {
            #expect(Sampler.constant(-7).value(for: draw) == -7)
        }
    }

    /// A width of 4: the ends get an eighth of the draws each, the rest a quarter.
    @Test(
        arguments: [
            (0, 10), (1 << 61 - 1, 10), (1 << 61, 11), (3 << 61 - 1, 11), (3 << 61, 12), (1 << 63, 12), (5 << 61, 13),
            (7 << 61 - 1, 13), (7 << 61, 14), (.max, 14),
        ] as [(UInt64, Int64)]
    )
    func uniformRoundsToNearest(draw: UInt64, value: Int64) {
        #expect(Sampler(.uniform(low: 10, width: 4)).value(for: draw) == value)
    }

    @Test
    func uniformOfTheWidestRange() {
        let sampler = Sampler(.uniform(low: .min, width: 1 << 63))
        #expect(sampler.value(for: 0) == .min)
        #expect(sampler.value(for: .max) == 0)
        #expect(sampler.value(for: 0) == .min && sampler.value(for: .max) == 0)
    }

    @Test(arguments: [(0, 3), (1 << 62 - 1, 3), (1 << 62, 5), (1 << 63, 5), (3 << 62, 9)] as [(UInt64, Int64)])
    func valuesAreEquallyLikely(draw: UInt64, value: Int64) {
        #expect(Sampler(.values([3, 5, 5, 9])).value(for: draw) == value)
    }

    /// The kinks of joined parts are exactly at their last draws.
    @Test(
        arguments: [
            (0, -5), (1 << 62 - 1, -5), (1 << 62, 100), (1 << 63 - 1, 150), (1 << 63, 1000),
            (1 << 63 + UInt64.max / 20, 3000), (1 << 63 + UInt64.max / 20 + 2, 128), (.max, 1 << 51 - 128),
        ] as [(UInt64, Int64)]
    )
    func joins(draw: UInt64, value: Int64) {
        #expect(Self.nested.value(for: draw) == value)
    }

    @Test
    func joinedPartsHoldEveryDrawOnce() {
        let ranges = Self.nested.parts.map(\.range)
        #expect(ranges.first?.first == 0)
        #expect(ranges.last?.last == .max)
        for (range, next) in zip(ranges, ranges.dropFirst()) {
            #expect(next.first == range.last + 1)
        }
        #expect(Self.nested.value(for: 0) == -5 && Self.nested.value(for: .max) == 1 << 51 - 128)
    }

    /// A part that is too narrow for a single draw disappears.
    @Test
    func vanishingShares() {
        let inner = Sampler(joining: [(last: 0, sampler: .constant(1)), (last: .max, sampler: .constant(2))])
        let sampler = Sampler(joining: [(last: 999, sampler: inner), (last: .max, sampler: .constant(3))])
        #expect(sampler.parts.count == 2)
        #expect(sampler.value(for: 0) == 2)
        #expect(sampler.value(for: 1000) == 3)
    }
}
