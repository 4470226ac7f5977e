/// The randomness of one replication: a draw is a function of its entity, its purpose and its index.
///
/// Nothing is drawn in sequence. Two policies that draw for the same purpose of the same rider get the same draw
/// (common random numbers), one rider can be replayed alone, and the order of execution does not matter. The draws are
/// uniform on all 64-bit integers.
@frozen
public struct RandomSource: Hashable, Sendable {
    /// The Philox key of the replication, expanded to the keys of the rounds.
    @usableFromInline
    let keys: Philox2x64.RoundKeys
    /// All ones if draws are complemented, otherwise 0.
    @usableFromInline
    let mask: UInt64

    /// Creates the source of a replication.
    ///
    /// The key is word 0 of a ten-round Philox block with the counter (seed, replication) and key 0, so neighbouring
    /// seeds and replications have unrelated keys. Any two of n replications share a key with a probability of about n²
    /// / 2^65.
    ///
    /// - Parameter isComplement: `true` if every draw is the complement of the plain source's draw: 2^64 - 1 minus the
    ///   draw. A sampler's values increase with the draw, so when one source gives a large value the other gives a
    ///   small one (antithetic variates; J. M. Hammersley and K. W. Morton, Proc. Cambridge Phil. Soc. 52, 1956).
    public init(seed: UInt64, replication: UInt32, isComplement: Bool = false) {
        let counter = Philox2x64.Block(seed, UInt64(replication))
        keys = Philox2x64.RoundKeys(Philox2x64.block(counter: counter, key: 0, rounds: 10).word0)
        mask = isComplement ? .max : 0
    }

    /// The draw of an entity for a purpose; `index` counts the draws for the same purpose, from 0.
    ///
    /// The counter is (entity, purpose · 2^32 + index), which is distinct for every draw: the index fills the lower 32
    /// bits of word 1, the purpose the 16 bits above them. The draw is word 0 of the block.
    @inlinable
    @inline(__always)
    public func draw(entity: UInt64, purpose: UInt16, index: UInt32) -> UInt64 {
        draws(entity: entity, purpose: purpose, index: index).first
    }

    /// The draw and a second, independent one for the same entity and index: word 1 of the block.
    @inlinable
    @inline(__always)
    public func draws(entity: UInt64, purpose: UInt16, index: UInt32) -> (first: UInt64, second: UInt64) {
        let question = UInt64(purpose) &<< 32 | UInt64(index)
        let block = Philox2x64.block(counter: Philox2x64.Block(entity, question), keys: keys)
        return (block.word0 ^ mask, block.word1 ^ mask)
    }
}
