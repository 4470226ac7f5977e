/// The set of slots of a ring that hold events: a bit per slot, and a bit per word of bits that has any.
///
/// Finding the next occupied slot takes two steps, regardless of the number of empty slots between.
@usableFromInline
struct SlotSet: ~Copyable {
    private let words: UnsafeMutablePointer<UInt64>
    private let wordCount: Int
    private var summary: UInt64 = 0

    /// Creates an empty set.
    ///
    /// - Precondition: `slotCount` is a multiple of 64, up to 4096.
    init(slotCount: Int) {
        precondition(slotCount % 64 == 0 && slotCount <= 4096)
        wordCount = slotCount / 64
        words = .allocate(capacity: wordCount)
        words.initialize(repeating: 0, count: wordCount)
    }

    deinit {
        words.deallocate()
    }

    var isEmpty: Bool { summary == 0 }

    func contains(_ slot: Int) -> Bool {
        words[slot >> 6] >> UInt64(slot & 63) & 1 != 0
    }

    mutating func insert(_ slot: Int) {
        words[slot >> 6] |= 1 << UInt64(slot & 63)
        summary |= 1 << UInt64(slot >> 6)
    }

    mutating func remove(_ slot: Int) {
        words[slot >> 6] &= ~(1 << UInt64(slot & 63))
        if words[slot >> 6] == 0 {
            summary &= ~(1 << UInt64(slot >> 6))
        }
    }

    /// The first member at or after a slot, wrapping around the ring.
    ///
    /// - Precondition: the set is not empty.
    func first(from slot: Int) -> Int {
        let index = slot >> 6
        let rest = words[index] >> UInt64(slot & 63)
        if rest != 0 {
            return slot + rest.trailingZeroBitCount
        }
        // Shifts of 64 give 0.
        let later = summary & (~0 << UInt64(index + 1))
        let word = (later != 0 ? later : summary).trailingZeroBitCount
        return word << 6 + words[word].trailingZeroBitCount
    }
}
