/// The counter-based generator Philox with two 64-bit words: a keyed bijection of counters whose output looks random.
///
/// J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11. It has
/// no state to advance: a draw is a function of its counter, so draws can be taken in any order and on any thread.
/// Seven rounds are the minimum that passes BigCrush (table 2 there); ten are the authors' default, with a margin.
///
/// Not suitable for secrets: a 64-bit key and a structure optimised for speed resist no attacker.
public enum Philox2x64 {
    /// Two words: a counter, or its image.
    @frozen
    public struct Block: Hashable, Sendable {
        public var word0: UInt64
        public var word1: UInt64

        /// Creates a block of two words.
        @inlinable
        public init(_ word0: UInt64, _ word1: UInt64) {
            self.word0 = word0
            self.word1 = word1
        }
    }

    /// The multiplier of a round, chosen by the authors for the best diffusion.
    @inlinable
    static var multiplier: UInt64 { 0xD2B7_4407_B1CE_6E93 }

    /// The increment of the key between rounds: the golden ratio's fraction in 64 bits (a Weyl sequence).
    @inlinable
    static var keyIncrement: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// The image of a counter under a key.
    ///
    /// For a fixed key and number of rounds this is a bijection of the 2^128 counters.
    ///
    /// - Complexity: One 64 × 64 → 128-bit multiplication per round.
    @inlinable
    public static func block(counter: Block, key: UInt64, rounds: Int = 7) -> Block {
        var block = counter
        var key = key
        for _ in 0..<rounds {
            block = round(block, key)
            key &+= keyIncrement
        }
        return block
    }

    /// The keys of the seven rounds, computed once for all draws under a key.
    @frozen
    public struct RoundKeys: Hashable, BitwiseCopyable, Sendable {
        @usableFromInline let first, second, third, fourth, fifth, sixth, seventh: UInt64

        /// Expands a key into the keys of the rounds.
        @inlinable
        public init(_ key: UInt64) {
            first = key
            second = first &+ keyIncrement
            third = second &+ keyIncrement
            fourth = third &+ keyIncrement
            fifth = fourth &+ keyIncrement
            sixth = fifth &+ keyIncrement
            seventh = sixth &+ keyIncrement
        }
    }

    /// The image of a counter after seven rounds, with their expanded keys.
    @inlinable
    @inline(__always)
    public static func block(counter: Block, keys: RoundKeys) -> Block {
        var block = counter
        block = round(block, keys.first)
        block = round(block, keys.second)
        block = round(block, keys.third)
        block = round(block, keys.fourth)
        block = round(block, keys.fifth)
        block = round(block, keys.sixth)
        return round(block, keys.seventh)
    }

    @inlinable
    @inline(__always)
    static func round(_ block: Block, _ key: UInt64) -> Block {
        let product = block.word0.multipliedFullWidth(by: multiplier)
        return Block(product.high ^ key ^ block.word1, product.low)
    }
}
