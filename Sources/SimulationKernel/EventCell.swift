/// A pending event in a slot: eight bytes.
///
/// ```
///  63        36 35      32 31     0
///  offset  28  | priority | word
/// ```
@frozen
@usableFromInline
struct SlotCell {
    @usableFromInline var bits: UInt64

    /// The bits for the time since the start of the slot: 28 bits are 268 s.
    static var offsetBits: Int64 { 28 }

    @inlinable
    init(bits: UInt64) {
        self.bits = bits
    }

    /// - Precondition: `offset` < 2^28 µs; `low` has the event's priority in bits 32 to 35 and its word below.
    @inlinable
    init(offset: UInt64, low: UInt64) {
        bits = offset &<< 36 | low
    }

    /// Time since the start of the slot [µs].
    @inlinable
    var offset: Int64 { Int64(truncatingIfNeeded: bits &>> 36) }

    /// Priority and word.
    @inlinable
    var low: UInt64 { bits & (1 &<< 36 &- 1) }
}

/// An event of the run, in a form whose numeric order is the order of events.
///
/// ```
///  63        42 41      38 37     32 31     0
///  offset  22  | priority | arrival | word
/// ```
///
/// The arrival is the event's index in its slot, modulo 64. It makes cells distinct, so that sorting up to 64 of them
/// by number keeps equal events in scheduling order.
@frozen
@usableFromInline
struct RunCell {
    @usableFromInline var bits: UInt64

    /// The bits for the time since the start of the slot: 22 bits are 4.2 s.
    static var offsetBits: Int64 { 22 }
    /// The number of bits below priority and time.
    static var keyShift: UInt64 { 38 }

    @inlinable
    init(bits: UInt64) {
        self.bits = bits
    }

    /// - Precondition: the offset is below 2^22 µs.
    init(_ cell: SlotCell, arrival: Int) {
        bits = (cell.bits &>> 32) &<< 38 | UInt64(truncatingIfNeeded: arrival & 63) &<< 32 | cell.bits & 0xFFFF_FFFF
    }

    /// Time since the start of the slot [µs].
    @inlinable
    var offset: Int64 { Int64(truncatingIfNeeded: bits &>> 42) }

    /// The rank of the priority.
    @inlinable
    var rank: UInt64 { bits &>> 38 & 15 }

    /// Priority and word, as in a slot's cell.
    var low: UInt64 { rank &<< 32 | bits & 0xFFFF_FFFF }

    @inlinable
    var word: EventWord { EventWord(bits: UInt32(truncatingIfNeeded: bits)) }
}
