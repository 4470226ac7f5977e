import SimulationKernel
import Testing

@Suite("Twins of draws")
struct RandomSourceTwinTests {
    @Test("The twin of a complement is the complement of the twin", arguments: QuantileTableTests.draws)
    func complements(draw: UInt64) {
        #expect(RandomSource.twin(of: ~draw) == ~RandomSource.twin(of: draw))
    }

    @Test("No two draws have the same twin: the inverse")
    func bijection() {
        // The inverse of an odd number modulo 2^64, by Newton's iteration.
        let factor = RandomSource.twin(of: 1) &- RandomSource.twin(of: 0)
        var inverse = factor
        for _ in 0..<6 { inverse = inverse &* (2 &- factor &* inverse) }
        let source = RandomSource(seed: 4, replication: 0)
        for index in 0..<1000 as Range<UInt32> {
            let draw = source.draw(entity: 1, purpose: 2, index: index)
            #expect((RandomSource.twin(of: draw) &- RandomSource.twin(of: 0)) &* inverse == draw)
        }
    }

    /// The exact number of draws in a range whose twins are below a bound.
    ///
    /// Sums of ⌊(a·u + b) / m⌋ are computed by exchanging the axes, as in Euclid's algorithm. Here the numbers have 192
    /// bits, including a fraction. The sums are needed only modulo 2^64, because a count is below that.
    @Test(
        "For all ranges of draws and twins, the number in both is that of independent draws, within ten"
    )
    func independence() {
        let source = RandomSource(seed: 6, replication: 0)
        for index in 0..<2000 as Range<UInt32> {
            let draws = source.draws(entity: 3, purpose: 4, index: index)
            let sizes = source.draws(entity: 5, purpose: 6, index: index)
            let length = sizes.first >> (sizes.second & 31)
            let first = draws.first < .max - length ? draws.first : .max - length
            let border = draws.second >> (sizes.second >> 32 & 31)
            let both =
                Self.count(below: first &+ length, twinBelow: border) &- Self.count(below: first, twinBelow: border)
            let expected = length.multipliedFullWidth(by: border)
            let difference = Int64(bitPattern: both &- expected.high)
            #expect(abs(difference) <= 10, "\(length) draws from \(first) on, twins below \(border)")
        }
    }

    /// The number of draws below one whose twins are below a bound, modulo 2^64.
    private static func count(below end: UInt64, twinBelow border: UInt64) -> UInt64 {
        let offset = RandomSource.twin(of: 0)
        let factor = RandomSource.twin(of: 1) &- offset
        // ⌊x / m⌋ - ⌊(x - border) / m⌋ is one if x mod m is below the bound, and otherwise zero.
        let shifted = UInt128(offset) + (UInt128(1) << 64) - UInt128(border)
        return floors(end, factor, UInt128(offset)) &- floors(end, factor, shifted) &+ end
    }

    /// The sum of ⌊(factor · u + offset) / 2^64⌋ over all u below a number, modulo 2^64.
    private static func floors(_ count: UInt64, _ factor: UInt64, _ offset: UInt128) -> UInt64 {
        var (n, m, a, b) = (UInt128(count), UInt128(1) << 64, UInt128(factor), offset)
        var sum: UInt128 = 0
        while true {
            if a >= m {
                // n (n - 1) / 2 before any truncation.
                let pairs = n % 2 == 0 ? (n / 2) &* (n &- 1) : n &* ((n &- 1) / 2)
                sum &+= pairs &* (a / m)
                a %= m
            }
            if b >= m {
                sum &+= n &* (b / m)
                b %= m
            }
            let (product, overflow) = a.multipliedReportingOverflow(by: n)
            precondition(!overflow, "factors are below 2^64")
            let top = product + b
            if top < m { return UInt64(truncatingIfNeeded: sum) }
            (n, b) = (top / m, top % m)
            swap(&m, &a)
        }
    }
}
