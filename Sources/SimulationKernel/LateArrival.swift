/// An event that was scheduled for the open slot, or before it.
@frozen
@usableFromInline
struct LateArrival {
    @usableFromInline var time: Int64
    /// The priority in bits 32 to 35, the word below.
    @usableFromInline var low: UInt64

    @inlinable
    init(time: Int64, low: UInt64) {
        self.time = time
        self.low = low
    }

    @inlinable
    var rank: UInt64 { low &>> 32 }

    @inlinable
    var word: EventWord { EventWord(bits: UInt32(truncatingIfNeeded: low)) }

    /// Returns `true` if this event comes first even if it was scheduled last.
    @inlinable
    func comes(before other: LateArrival) -> Bool {
        time < other.time || (time == other.time && rank < other.rank)
    }
}
