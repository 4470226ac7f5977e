/// The division of time in the calendar: the width and the number of its slots.
///
/// A *near* slot is 2^`slotShift` µs wide. A *block* is as long as a quarter of all near slots together; a *coarse*
/// slot holds one block. The near slots form a ring over the current block and the next three. The coarse slots form a
/// ring over as many blocks as there are coarse slots.
@usableFromInline
struct CalendarGrid: Equatable {
    /// Binary logarithm of the width of a near slot [µs].
    @usableFromInline var slotShift: Int64
    /// Binary logarithm of the width of a block [µs].
    @usableFromInline var blockShift: Int64
    /// The number of near slots, a power of two.
    @usableFromInline var nearCount: Int
    /// The number of coarse slots, a power of two.
    @usableFromInline var coarseCount: Int
    /// The size of a slot's chunks [cells of 8 B].
    var cellsPerChunk: Int

    /// The number of blocks that the near slots cover, including the current one.
    @usableFromInline static var nearBlocks: Int { 4 }

    /// The number of slots.
    var slotCount: Int { nearCount + coarseCount }

    /// The time that the slots cover [µs].
    var reach: Int64 { Int64(coarseCount) << blockShift }

    /// Creates a grid for `count` pending events, with slots of about `slotWidth` µs that cover at least `reach` µs,
    /// within the resolution of a cell.
    init(count: Int, slotWidth: Int64, reach: Int64) {
        // Measured: many events need many slots, but the ends of all slots, one cache line each, should fit into the
        // second-level cache. Small chunks save memory in slots that are nearly empty, large ones save steps.
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

    /// The maximum number of events that a slot should hold when it is opened, by the number pending; on average it
    /// holds two thirds of it.
    ///
    /// Small slots cost more openings, large ones cost sorting and more late arrivals. Between 16 and 48 the difference
    /// is small.
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
