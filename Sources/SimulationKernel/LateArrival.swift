/// An event that was scheduled for the open slot, or before it.
@frozen
@usableFromInline
struct LateArrival {
    @usableFromInline var time: Int64
    /// Priority above the word, as in the lower 36 bits of a cell.
    @usableFromInline var low: UInt64

    @inlinable
    init(time: Int64, low: UInt64) {
        self.time = time
        self.low = low
    }

    /// Whether this one comes first even if it was scheduled later.
    @inlinable
    func comes(before other: LateArrival) -> Bool {
        time < other.time || (time == other.time && low &>> 32 < other.low &>> 32)
    }

    /// Whether this one comes before an event of the run.
    @inlinable
    func comes(before otherTime: Int64, cell: UInt64) -> Bool {
        time < otherTime || (time == otherTime && low &>> 32 < cell &>> 38 & 15)
    }
}
