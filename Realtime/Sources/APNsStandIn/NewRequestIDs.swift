import SimulationKernel
import Wire

/// Ids for requests without one: a keyed draw for each, so that the system's randomness is read only once.
struct NewRequestIDs {
    private let keys = Philox2x64.RoundKeys(.random(in: .min ... .max))
    private var count: UInt64 = 0

    /// Returns an id that no request has had.
    mutating func next() -> RequestID {
        count += 1
        let block = Philox2x64.block(counter: Philox2x64.Block(count, 0), keys: keys)
        return RequestID(high: block.word0, low: block.word1)
    }
}
