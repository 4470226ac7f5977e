/// The counter-based generator Philox with two 64-bit words: a keyed bijection of counters that looks random.
///
/// J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11. There is
/// no state to advance: a draw is a function of its counter, so draws can be taken in any order and on any thread. Seven
/// rounds are the fewest that pass BigCrush (table 2 there); ten are the authors' default with a margin.
///
/// Not for secrets: 64 bits of key and a structure built for speed resist no attacker.
public enum Philox2x64 {
    /// Two words: a counter, or what a counter is mapped to.
    @frozen
    public struct Block: Hashable, Sendable {
        /// Word 0.
        public var word0: UInt64
        /// Word 1.
        public var word1: UInt64

        /// Two words.
        @inlinable
        public init(_ word0: UInt64, _ word1: UInt64) {
            self.word0 = word0
            self.word1 = word1
        }
    }

    /// The multiplier of a round; the authors chose it for the best diffusion.
    @inlinable
    static var multiplier: UInt64 { 0xD2B7_4407_B1CE_6E93 }

    /// What the key grows by between rounds: the golden ratio's fraction in 64 bits (a Weyl sequence).
    @inlinable
    static var keyIncrement: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// The block that a counter is mapped to under a key.
    ///
    /// For a fixed key and number of rounds this is a bijection of the 2^128 counters.
    ///
    /// - Complexity: One 64 × 64 → 128-bit multiplication a round.
    @inlinable
    @inline(__always)
    public static func block(counter: Block, key: UInt64, rounds: Int = 7) -> Block {
        var block = counter
        var key = key
        for _ in 0..<rounds {
            let product = block.word0.multipliedFullWidth(by: multiplier)
            block = Block(product.high ^ key ^ block.word1, product.low)
            key &+= keyIncrement
        }
        return block
    }
}
