import SimulationKernel
import Testing

struct RandomSourceTests {
    /// First draws, pinned: a change here changes every result ever published with a seed.
    @Test(
        arguments: [
            (0, 0, 0, 0, 0, 0xc7c2_eaae_2019_312d),
            (0, 0, 0, 0, 1, 0x21fc_cecc_5439_8478),
            (0, 0, 0, 1, 0, 0xd964_578a_0bc5_93dc),
            (0, 0, 1, 0, 0, 0x3311_9c3d_112e_726c),
            (0, 1, 0, 0, 0, 0xadb2_2bb4_ec61_6219),
            (1, 0, 0, 0, 0, 0x2e2b_3ba8_b459_9037),
            (20_260_701, 7, 123_456_789, 42, 3, 0xbeb3_6dc4_50fa_2316),
            (.max, .max, .max, .max, .max, 0xb97f_d43d_a557_90bb),
        ] as [(UInt64, UInt32, UInt64, UInt16, UInt32, UInt64)]
    )
    func pinnedDraws(
        seed: UInt64,
        replication: UInt32,
        entity: UInt64,
        purpose: UInt16,
        index: UInt32,
        answer: UInt64
    ) {
        let source = RandomSource(seed: seed, replication: replication)
        #expect(source.draw(entity: entity, purpose: purpose, index: index) == answer)
    }

    @Test("The second draw is the other word of the block, complemented like the first")
    func secondDraws() {
        for isComplement in [false, true] {
            let source = RandomSource(seed: 5, replication: 2, isComplement: isComplement)
            let key = Philox2x64.block(counter: Philox2x64.Block(5, 2), key: 0, rounds: 10).word0
            for index in 0..<100 as Range<UInt32> {
                let block = Philox2x64.block(counter: Philox2x64.Block(77, 60 << 32 | UInt64(index)), key: key)
                let draws = source.draws(entity: 77, purpose: 60, index: index)
                let mask = isComplement ? UInt64.max : 0
                #expect(draws == (block.word0 ^ mask, block.word1 ^ mask))
            }
        }
    }

    @Test("A source fits into one cache line, including the keys of its rounds")
    func size() {
        #expect(MemoryLayout<RandomSource>.size == 64)
    }

    @Test("A complement's draws are the complements of all draws")
    func complements() {
        let source = RandomSource(seed: 9, replication: 4)
        let complement = RandomSource(seed: 9, replication: 4, isComplement: true)
        for index in 0..<1000 as Range<UInt32> {
            let draw = source.draw(entity: UInt64(index) * 7, purpose: 60, index: index)
            #expect(complement.draw(entity: UInt64(index) * 7, purpose: 60, index: index) == .max - draw)
        }
    }

    /// Draws at the edges of purpose and index, where a wrong packing would collide.
    @Test
    func neighbouringQuestionsDiffer() {
        let source = RandomSource(seed: 1, replication: 0)
        var draws: Set<UInt64> = []
        for entity in [0, 1, 1 << 32, .max] as [UInt64] {
            for purpose in [0, 1, 2, .max] as [UInt16] {
                for index in [0, 1, 1 << 16, .max] as [UInt32] {
                    draws.insert(source.draw(entity: entity, purpose: purpose, index: index))
                }
            }
        }
        #expect(draws.count == 64)
    }

    enum Axis: CaseIterable {
        case seed
        case replication
        case entity
        case purpose
        case index

        func draw(_ step: Int) -> UInt64 {
            let source = RandomSource(
                seed: self == .seed ? UInt64(step) : 11,
                replication: self == .replication ? UInt32(step) : 0
            )
            return source.draw(
                entity: self == .entity ? UInt64(step) : 5,
                purpose: self == .purpose ? UInt16(step) : 3,
                index: self == .index ? UInt32(step) : 0
            )
        }
    }

    /// Along each axis, 65,536 draws are counted in 256 classes by a byte: the highest, the lowest, and the difference
    /// from the predecessor.
    ///
    /// 161.7 and 377.1 are the quantiles 10^-6 and 1 - 10^-6 of chi-square with 255 degrees of freedom.
    @Test(arguments: Axis.allCases, [0, 56] as [UInt64])
    func uniformAlongEveryAxis(axis: Axis, shift: UInt64) {
        var counts = [Int](repeating: 0, count: 256)
        var changes = [Int](repeating: 0, count: 256)
        var previous = axis.draw(65_535)
        for step in 0..<65_536 {
            let draw = axis.draw(step)
            counts[Int(truncatingIfNeeded: draw >> shift & 255)] += 1
            changes[Int(truncatingIfNeeded: (draw ^ previous) >> shift & 255)] += 1
            previous = draw
        }
        #expect((161.7...377.1).contains(chiSquare(counts)))
        #expect((161.7...377.1).contains(chiSquare(changes)))
    }

    private func chiSquare(_ counts: [Int]) -> Double {
        let expected = Double(counts.reduce(0, +)) / Double(counts.count)
        return counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    }
}
