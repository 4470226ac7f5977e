import SimulationKernel
import Testing

struct QuantileTableTests {
    /// The quantile function of the uniform distribution on 0...2^51, which linear interpolation reproduces exactly.
    static let straight = QuantileTable { tail, probability in
        switch tail {
        case .lower: Int64(probability * 0x1p51)
        case .upper: (1 << 51) - Int64(probability * 0x1p51)
        }
    }

    /// Critical draws: the ends, the cut-off, the median, every octave's edge, and some at random.
    static let draws: [UInt64] = {
        var draws: [UInt64] = [0, 1, 1 << 20 - 1, 1 << 20, 1 << 20 + 1, 1 << 63 - 1]
        for bits in 1...63 as ClosedRange<UInt64> {
            draws += [1 << bits - 1, 1 << bits]
        }
        let source = RandomSource(seed: 3, replication: 0)
        for index in 0..<2000 as Range<UInt32> {
            let draw = source.draw(entity: 0, purpose: 0, index: index)
            draws.append(draw >> UInt64(index % 50))
        }
        draws += draws.map { ~$0 }
        return draws.sorted()
    }()

    @Test
    func straightLinesAreExact() {
        let sampler = Sampler(.table(Self.straight))
        for draw in Self.draws {
            let tail = min(draw, ~draw)
            let distance = Int64(max(tail, 1 << 20) >> 13) + Int64(max(tail, 1 << 20) >> 12 & 1)
            #expect(sampler.value(for: draw) == (draw == tail ? distance : (1 << 51) - distance), "\(draw)")
        }
    }

    @Test
    func endsAreTheCutOff() {
        let sampler = Sampler(.table(Self.straight))
        #expect(sampler.value(for: 0) == 128)
        #expect(sampler.value(for: .max) == (1 << 51) - 128)
        #expect(sampler.value(for: 0) == 128 && sampler.value(for: .max) == (1 << 51) - 128)
    }

    /// Values of 3,650 days and steps of their whole width, in both directions from zero.
    @Test(arguments: [315_360_000_000_000, Int64.max / 2] as [Int64])
    func doesNotOverflow(largest: Int64) {
        let sampler = Sampler(
            .table(QuantileTable { tail, probability in tail == .lower && probability < 0.3 ? -largest : largest })
        )
        var previous = Int64.min
        for draw in Self.draws {
            let value = sampler.value(for: draw)
            #expect(value >= previous)
            previous = value
        }
        #expect(sampler.value(for: 0) == -largest && sampler.value(for: .max) == largest)
        #expect(sampler.value(for: 0) == -largest)
        #expect(sampler.value(for: .max) == largest)
    }

    /// A quantile that is low by a last bit is raised to its neighbour.
    @Test
    func neverFalls() {
        var wobble: Int64 = 0
        let sampler = Sampler(
            .table(
                QuantileTable { tail, probability in
                    wobble = 1 - wobble
                    let value = Int64(probability * 1000)
                    return (tail == .lower ? value : 1000 - value) + wobble
                }
            )
        )
        let values = Self.draws.map { sampler.value(for: $0) }
        #expect(values == values.sorted())
    }

    /// The requested probabilities: 128 per halving, each tail from 2^-44 to the median.
    @Test
    func probabilitiesOfTheNodes() {
        var lower: [Double] = []
        var upper: [Double] = []
        _ = QuantileTable { tail, probability in
            if tail == .lower { lower.append(probability) } else { upper.append(probability) }
            return 0
        }
        #expect(lower.count == 43 * 128 + 1)
        #expect(lower.first == 0x1p-44)
        #expect(lower.last == 0.5)
        let second: Double = 0x1p-44 * 129 / 128
        #expect(lower[1] == second)
        #expect(upper == lower.dropLast().reversed())
        #expect(lower == lower.sorted())
    }
}
