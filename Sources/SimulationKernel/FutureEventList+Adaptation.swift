/// What a list remembers to choose its grid by.
///
/// Counts and instants of the run itself, so equal runs have equal grids; though no grid changes the order of events.
@usableFromInline
struct Adaptation {
    /// With more pending events than this there should be more slots.
    var growAt = Int.max
    /// With fewer pending events than this there should be fewer slots.
    var shrinkAt = 0
    /// After how many events the width of slots is looked at again.
    var checkAt = Int.max

    /// Events taken at the last look.
    var taken = 0
    /// Events scheduled at the last look.
    var scheduled = 0
    /// The instant of the last look [µs].
    var time: Int64 = 0
    /// Events since the last look that no slot reached.
    var farCount = 0

    /// By how much the last look found slots to be too narrow (> 0) or too wide [binary logarithm].
    var change: Int64 = 0
    /// How much longer than usual to wait for the next look; doubled with each change of width and halved when it
    /// suits, so that a load that swings does not cause a rebuild each time.
    var patience = 1
    /// Whether events are being moved, so that it is no time to change the grid.
    var isMoving = false
}

/// Choosing the grid.
extension FutureEventList {
    /// Below this many events the lane alone is used again.
    private static var fewEvents: Int { 12 }
    /// Longer spans are taken for this one, so that products stay in range: 13 days.
    private static var longestSpan: Int64 { 1 << 40 }

    /// Takes more slots if there are many more events than the slots were chosen for.
    @usableFromInline
    @inline(never)
    mutating func growIfNeeded() {
        guard count > adaptation.growAt, !adaptation.isMoving else { return }
        rebuild(suitableGrid())
    }

    /// Begins to use slots.
    mutating func buildSlots() {
        rebuild(suitableGrid())
    }

    /// Looks whether the grid still suits, and changes it if it does not.
    ///
    /// - Precondition: run and lane are empty.
    mutating func reconsider() {
        guard count >= FutureEventList.fewEvents else {
            returnToLane()
            return
        }
        let better = suitableGrid()
        let isOtherSize = better.slotCount != grid.slotCount || better.cellsPerChunk != grid.cellsPerChunk
        let change = better.slotShift - grid.slotShift
        // A factor of four, twice in succession: bursts are not taken for a change of the rate.
        if isOtherSize || min(abs(change), abs(adaptation.change)) >= 2 && change.signum() == adaptation.change.signum()
        {
            adaptation.patience = isOtherSize ? 1 : min(adaptation.patience * 2, 64)
            rebuild(better)
        } else {
            if abs(change) < 2 {
                adaptation.patience = max(1, adaptation.patience / 2)
            }
            trimBuffers()
            noteLook()
            adaptation.change = change
        }
    }

    /// Remembers when it was that the grid was found to suit.
    mutating func noteLook() {
        adaptation.taken = takenCount
        adaptation.scheduled = scheduledCount
        adaptation.time = lastTaken
        adaptation.farCount = 0
        adaptation.change = 0
        adaptation.checkAt = takenCount + max(256, count / 4) * adaptation.patience
        adaptation.growAt = max(256, count) * 8
        adaptation.shrinkAt = count / 16
    }

    /// The grid for what is pending, and for the rate at which events were taken lately.
    private func suitableGrid() -> CalendarGrid {
        let load = CalendarGrid.load(forCount: count)
        let taken = Int64(takenCount - adaptation.taken)
        let elapsed = min(lastTaken &- adaptation.time, FutureEventList.longestSpan)
        let width: Int64
        if taken >= 64, elapsed > 0 {
            width = elapsed * load / taken
        } else {
            // Nothing is known yet but what is pending: as if the first quarter of it were all there is.
            width = span(toDueOf: 1) * load / Int64(max(1, count / 4))
        }
        // The far heap is fine for a few. If more than one event in eight goes there, wider slots are worth it.
        let needsReach = !hasSlots || adaptation.farCount * 8 > scheduledCount - adaptation.scheduled
        let reach = needsReach ? span(toDueOf: 3) : 0
        return CalendarGrid(count: count, slotWidth: width, reach: reach < FutureEventList.longestSpan ? reach : 0)
    }

    /// The instant at which slots should begin: nothing that is pending comes before it.
    var anchor: Int64 {
        var earliest = lastTaken
        if laneHead != laneEnd {
            earliest = min(earliest, lane[laneHead].time)
        }
        if runHead != runEnd {
            earliest = min(earliest, runStart &+ RunCell(bits: run[runHead]).offset)
        }
        return earliest
    }

    /// About the span until a number of quarters of the pending events is due.
    private func span(toDueOf quarters: Int) -> Int64 {
        let (span, overflow) = due(quarters: quarters).subtractingReportingOverflow(anchor)
        return overflow ? FutureEventList.longestSpan : min(max(0, span), FutureEventList.longestSpan)
    }

    private func due(quarters: Int) -> Int64 {
        let wanted = max(1, count / 4 * quarters)
        guard hasSlots else {
            return lane[min(laneHead + wanted, laneEnd - 1)].time
        }
        var seen = laneEnd - laneHead + laneBacking.count + runEnd - runHead
        if seen >= wanted { return limit }
        var result: Int64?
        forEachSlot { slot, start, width in
            guard result == nil else { return }
            let inSlot = eventCount(of: slot)
            if seen + inSlot >= wanted {
                result = start &+ width * Int64(wanted - seen) / Int64(inSlot)
            }
            seen += inSlot
        }
        return result ?? far.sampledTime(rank: wanted - seen) ?? limit
    }

    /// Gives back what a crowd in one slot needed.
    private mutating func trimBuffers() {
        resetLane()
        guard runCapacity > 4096, runCapacity > count else { return }
        replaceRun(capacity: FutureEventList.leastRunCapacity)
    }
}
