/// The statistics by which a list chooses its grid.
///
/// They are counts and instants of the run itself, so equal runs have equal grids. No grid changes the order of events.
@usableFromInline
struct Adaptation {
    /// The number of pending events above which there should be more slots.
    var growAt = Int.max
    /// The number of pending events below which there should be fewer slots.
    var shrinkAt = 0
    /// The number of events after which the slot width is checked again.
    var checkAt = Int.max

    /// The number of events taken at the last check.
    var taken = 0
    /// The number of events scheduled at the last check.
    var scheduled = 0
    /// The instant of the last check [µs].
    var time: Int64 = 0
    /// The number of events since the last check that were beyond all slots.
    var farCount = 0

    /// The deviation that the last check found: slots too narrow (> 0) or too wide [binary logarithm].
    var change: Int64 = 0
    /// The factor by which the next check is delayed; doubled with each change of width and halved when the width fits,
    /// so that an oscillating load does not cause a rebuild each time.
    var patience = 1
    /// `true` while events are being moved, when the grid must not change.
    var isMoving = false
}

/// Choice of the grid.
extension FutureEventList {
    /// Below this number of events the list uses only the lane again.
    private static var fewEvents: Int { 12 }
    /// The maximum span used in products, which avoids overflow: 13 days.
    private static var longestSpan: Int64 { 1 << 40 }

    /// Increases the number of slots if there are many more events than they were chosen for.
    @usableFromInline
    @inline(never)
    mutating func growIfNeeded() {
        guard count > adaptation.growAt, !adaptation.isMoving else { return }
        rebuild(suitableGrid())
    }

    /// Starts using slots.
    mutating func buildSlots() {
        rebuild(suitableGrid())
    }

    /// Checks the grid, and changes it if it no longer fits.
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
        // A factor of four, twice in succession: a burst does not count as a change of the rate.
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

    /// Records the state at which the grid was found to fit.
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

    /// The grid for the pending events and for the recent rate of events.
    private func suitableGrid() -> CalendarGrid {
        let load = CalendarGrid.load(forCount: count)
        let taken = Int64(takenCount - adaptation.taken)
        let elapsed = min(lastTaken &- adaptation.time, FutureEventList.longestSpan)
        let width: Int64
        if taken >= 64, elapsed > 0 {
            width = elapsed * load / taken
        } else {
            // Nothing else is known yet, so the first quarter of the pending events is taken as all of them.
            width = span(toDueOf: 1) * load / Int64(max(1, count / 4))
        }
        // The far heap is good for a few events. If more than one event in eight goes there, wider slots pay off.
        let needsReach = !hasSlots || adaptation.farCount * 8 > scheduledCount - adaptation.scheduled
        let reach = needsReach ? span(toDueOf: 3) : 0
        return CalendarGrid(count: count, slotWidth: width, reach: reach < FutureEventList.longestSpan ? reach : 0)
    }

    /// The instant at which slots should begin: no pending event is before it.
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

    /// The approximate span until a number of quarters of the pending events is due.
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

    /// Frees the memory that a crowded slot needed.
    private mutating func trimBuffers() {
        resetLane()
        guard runCapacity > 4096, runCapacity > count else { return }
        replaceRun(capacity: FutureEventList.leastRunCapacity)
    }
}
