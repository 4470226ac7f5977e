/// How the calendar divides time: the width of its slots, and how many there are.
///
/// A *near* slot is 2^`slotShift` µs wide. A *block* is as long as a quarter of all near slots together; a *coarse*
/// slot holds one block. The near slots are a ring over the current block and the three after it, the coarse slots one
/// over as many blocks as there are coarse slots.
@usableFromInline
struct CalendarGrid: Equatable {
    /// Binary logarithm of the width of a near slot [µs].
    @usableFromInline var slotShift: Int64
    /// Binary logarithm of the width of a block [µs].
    @usableFromInline var blockShift: Int64
    /// How many near slots there are, a power of two.
    @usableFromInline var nearCount: Int
    /// How many coarse slots there are, a power of two.
    @usableFromInline var coarseCount: Int
    /// Size of the chunks that slots are made of [cells of 8 B].
    var cellsPerChunk: Int

    /// How many blocks the near slots cover, the current one included.
    @usableFromInline static var nearBlocks: Int { 4 }

    /// How many slots there are.
    var slotCount: Int { nearCount + coarseCount }

    /// The time that the slots cover [µs].
    var reach: Int64 { Int64(coarseCount) << blockShift }

    /// A grid for `pending` events, with slots of about `slotWidth` µs that cover at least `reach` µs, as far as
    /// cells can tell the time.
    init(count: Int, slotWidth: Int64, reach: Int64) {
        // Measured: many events want many slots, but the ends of all slots, one cache line each, should fit into the
        // second-level cache; small chunks save memory where slots are nearly empty, large ones save steps.
        switch count {
        case ...2048: (nearCount, coarseCount, cellsPerChunk) = (256, 256, 8)
        case ...32_768: (nearCount, coarseCount, cellsPerChunk) = (1024, 512, 16)
        case ...524_288: (nearCount, coarseCount, cellsPerChunk) = (4096, 1024, 32)
        default: (nearCount, coarseCount, cellsPerChunk) = (4096, 1024, 64)
        }
        let slotsPerBlock = CalendarGrid.logarithm(Int64(nearCount / CalendarGrid.nearBlocks))
        let widest = min(SlotCell.offsetBits - slotsPerBlock, RunCell.offsetBits)
        slotShift = min(CalendarGrid.logarithm(max(slotWidth, 1)), widest)
        blockShift = slotShift + slotsPerBlock
        while self.reach < reach, slotShift < widest {
            slotShift += 1
            blockShift += 1
        }
    }

    /// How many events a slot should hold at most when it is opened, by the number pending; on average two thirds of it.
    ///
    /// Small slots cost their opening, large ones cost sorting and more late arrivals. From 16 to 48 little changes.
    static func load(forCount count: Int) -> Int64 {
        switch count {
        case ...2048: 16
        case ...32_768: 32
        default: Int64(count / 1024)
        }
    }

    /// The binary logarithm, rounded down.
    ///
    /// - Precondition: `number` is positive.
    static func logarithm(_ number: Int64) -> Int64 {
        Int64(63 - number.leadingZeroBitCount)
    }
}
