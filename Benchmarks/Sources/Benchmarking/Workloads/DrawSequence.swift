/// A cheap sequence of 64-bit draws, the same in every language: splitmix64.
///
/// G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. The state only
/// increases by a constant, so that draws are independent of each other in the pipeline and cost about a nanosecond. A
/// simulation draws by key (`SimulationKernel`); in a benchmark the cost of draws should be negligible compared with
/// the event list.
@frozen
public struct DrawSequence: Hashable, Sendable {
    @usableFromInline
    var state: UInt64

    /// Creates the sequence of a seed.
    @inlinable
    public init(seed: UInt64) {
        state = seed
    }

    /// The next draw, uniform on all 64-bit integers.
    ///
    /// - Complexity: O(1).
    @inlinable
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits &>> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits &>> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits &>> 31
    }
}
