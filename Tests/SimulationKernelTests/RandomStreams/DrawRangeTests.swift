import SimulationKernel
import Testing

struct DrawRangeTests {
    /// The draw's share of its range, times 2^64, rounded down.
    private func quotient(_ draw: UInt64, _ range: DrawRange) -> UInt64 {
        let span = range.last - range.first
        guard span < .max else { return draw }
        return (span + 1).dividingFullWidth((high: draw - range.first, low: 0)).quotient
    }

    @Test(
        arguments: [
            (0, .max), (0, 0), (7, 7), (.max, .max), (0, 1), (5, 7), (0, 1 << 63 - 1), (1 << 63, .max), (0, 1 << 63),
            (1, .max), (0, .max - 1), (1000, 999_999), (12_345, 12_345 + 1 << 40), (.max - 99, .max),
        ] as [(UInt64, UInt64)]
    )
    func rescalesToAllDraws(first: UInt64, last: UInt64) {
        let range = DrawRange(first: first, last: last)
        let source = RandomSource(seed: 2, replication: 0)
        var draws = [first, last, first + (last - first) / 2]
        for index in 0..<1000 {
            let draw = source.draw(entity: 0, purpose: 0, index: UInt32(index))
            draws.append(first + draw.multipliedFullWidth(by: last - first).high)
        }
        var previous: UInt64 = 0
        for draw in draws.sorted() {
            let rescaled = range.rescaled(draw)
            #expect(quotient(draw, range) - rescaled <= 1, "\(draw) in \(first)...\(last)")
            #expect(rescaled >= previous)
            previous = rescaled
        }
        #expect(range.rescaled(first) == 0)
    }

    /// Every draw of every small range, compared with the quotient.
    @Test
    func smallRanges() {
        for size in 1...200 as ClosedRange<UInt64> {
            let range = DrawRange(first: 3, last: 2 + size)
            for draw in range.first...range.last {
                #expect(quotient(draw, range) - range.rescaled(draw) <= 1)
            }
        }
    }

    @Test
    func powersOfTwoAreExact() {
        for bits in 0...63 as ClosedRange<UInt64> {
            let range = DrawRange(first: 0, last: 1 << bits - 1)
            #expect(range.rescaled(range.last) == quotient(range.last, range))
        }
    }
}
