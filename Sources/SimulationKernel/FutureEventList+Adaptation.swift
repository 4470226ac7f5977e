/// What the calendar remembers to choose its grid by: counts and instants of the run itself, so that equal runs have
/// equal grids, though no grid could change the order of events.
@usableFromInline
struct Adaptation {
    /// More pending events than this want more slots.
    var growAt = Int.max
    /// Fewer pending events than this want fewer slots.
    var shrinkAt = 0
    /// When so many events have been taken, the width of slots is looked at again.
    var checkAt = Int.max
    /// Events taken, events scheduled, the instant at the last look.
    var taken = 0
    var scheduled = 0
    var time: Int64 = 0
    /// Events since then that no slot reached.
    var farCount = 0
    /// How many looks to leave out, doubled with each change.
    var patience = 1
    /// Whether events are being moved, so that it is no time to change the grid.
    var isMoving = false
}

/// Choosing the grid, and changing to another.
extension FutureEventList {
    /// Below this many events the lane alone is used again.
    private static var fewEvents: Int { 12 }

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

    /// Looks whether the grid still suits.
    mutating func reconsider() {
        if count < FutureEventList.fewEvents, hasSlots {
            returnToLane()
            return
        }
        let better = suitableGrid()
        let change = better.slotShift - grid.slotShift
        if better.slotCount != grid.slotCount || better.cellsPerChunk != grid.cellsPerChunk || abs(change) >= 2 {
            let patience = min(adaptation.patience * 2, 16)
            rebuild(better)
            adaptation.patience = patience
        } else {
            adaptation.patience = 1
        }
        noteLook()
    }

    private mutating func noteLook() {
        adaptation.taken = takenCount
        adaptation.scheduled = scheduledCount
        adaptation.time = lastTaken
        adaptation.farCount = 0
        adaptation.checkAt = takenCount + max(256, count / 2) * adaptation.patience
        adaptation.growAt = max(count, 256) * 8
        adaptation.shrinkAt = count / 16
    }

    /// The grid for what is pending and for the rate at which events were taken lately.
    private func suitableGrid() -> CalendarGrid {
        let load = CalendarGrid.load(forCount: count)
        let taken = Int64(takenCount - adaptation.taken)
        let elapsed = min(lastTaken &- adaptation.time, 1 << 48)
        var width: Int64
        if taken >= 64, elapsed > 0 {
            width = elapsed * load / taken
        } else {
            let ahead = min(max(0, due(part: 1, of: 4) &- anchor), 1 << 48)
            width = ahead * load / Int64(max(1, count / 4))
        }
        width = max(1, width)
        var reach: Int64 = 0
        // A heap holds what no slot reaches. That is fine for a few.
        if !hasSlots || adaptation.farCount * 8 > scheduledCount - adaptation.scheduled {
            reach = max(0, due(part: 3, of: 4) &- anchor)
            if reach > 1 << 38 {
                reach = 0
            }
        }
        return CalendarGrid(count: count, slotWidth: width, reach: reach)
    }

    /// Where the slots should begin: nothing that is pending and nothing that will be scheduled comes before.
    private var anchor: Int64 {
        var earliest = lastTaken
        if laneHead != laneEnd {
            earliest = min(earliest, lane[laneHead].time)
        }
        if runHead != runEnd {
            earliest = min(earliest, runStart &+ Int64(truncatingIfNeeded: run[runHead] &>> 42))
        }
        return earliest
    }

    /// About the instant by which a part of the pending events are due.
    private func due(part: Int, of whole: Int) -> Int64 {
        let wanted = max(1, count / whole * part)
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
                result = start &+ Int64(Double(width) * Double(wanted - seen) / Double(inSlot))
            }
            seen += inSlot
        }
        if let result { return result }
        // The heap is in no order, but a few of it tell enough.
        let sampleCount = min(far.count, 32)
        var sample: [Int64] = []
        for index in 0..<sampleCount {
            if let entry = far[unordered: index * far.count / sampleCount] {
                sample.append(entry.time)
            }
        }
        sample.sort()
        guard !sample.isEmpty else { return limit }
        return sample[min(sample.count - 1, (wanted - seen) * sample.count / max(1, far.count))]
    }

    /// Calls `body` with each occupied slot, in the order of time: its index, start and width.
    func forEachSlot(_ body: (_ slot: Int, _ start: Int64, _ width: Int64) -> Void) {
        let firstSlot = currentBlock &<< (grid.blockShift &- grid.slotShift)
        for step in 0..<Int64(grid.nearCount) {
            let slot = firstSlot &+ step
            let index = Int(truncatingIfNeeded: slot) & (grid.nearCount - 1)
            if nearSet.contains(index) {
                body(index, slot &<< grid.slotShift, 1 << grid.slotShift)
            }
        }
        for step in 0..<Int64(grid.coarseCount) {
            let block = currentBlock &+ step
            let index = Int(truncatingIfNeeded: block) & (grid.coarseCount - 1)
            if coarseSet.contains(index) {
                body(grid.nearCount + index, block &<< grid.blockShift, 1 << grid.blockShift)
            }
        }
    }

    func eventCount(of slot: Int) -> Int {
        var chunks = DetachedChunks(cursor: cursors[slot], chunkMask: chunkMask)
        var count = 0
        while let part = chunks.next(cellsPerChunk: grid.cellsPerChunk) {
            count += part.end - 1
        }
        return count
    }

    /// Moves all events to another grid.
    ///
    /// Events of one instant and one priority all stand at one place, and are moved in their order.
    private mutating func rebuild(_ newGrid: CalendarGrid) {
        var slots: [(slot: Int, start: Int64)] = []
        if hasSlots {
            forEachSlot { slot, start, _ in slots.append((slot, start)) }
        }
        let anchor = self.anchor
        let oldGrid = grid
        let oldMask = chunkMask
        let oldCursors = cursors
        var oldChunks = EventChunks(cellsPerChunk: newGrid.cellsPerChunk)
        swap(&oldChunks, &chunks)
        let oldLane = lane
        let oldLanePart = laneHead..<laneEnd
        var oldBacking = EventHeap()
        swap(&oldBacking, &laneBacking)
        let oldRun = run
        let oldRunPart = runHead..<runEnd
        spare.deallocate()

        adaptation.isMoving = true
        grid = newGrid
        hasSlots = true
        chunkMask = UInt(grid.cellsPerChunk * 8 - 1)
        cursors = .allocate(capacity: grid.slotCount)
        cursors.initialize(repeating: EventChunks.noChunk(of: grid.cellsPerChunk), count: grid.slotCount)
        nearSet = SlotSet(slotCount: grid.nearCount)
        coarseSet = SlotSet(slotCount: grid.coarseCount)
        currentBlock = anchor &>> grid.blockShift
        openSlot = anchor &>> grid.slotShift &- 1
        limit = (anchor &>> grid.slotShift) &<< grid.slotShift &- 1
        laneCapacity = FutureEventList.shortLane
        laneBound = laneCapacity
        lane = .allocate(capacity: laneCapacity)
        laneHead = 0
        laneEnd = 0
        runCapacity = 64
        run = .allocate(capacity: runCapacity)
        spare = .allocate(capacity: runCapacity)
        runHead = 0
        runEnd = 0

        for index in oldRunPart {
            let cell = oldRun[index]
            let low = (cell &>> 38 & 15) &<< 32 | cell & 0xFFFF_FFFF
            place(runStart &+ Int64(truncatingIfNeeded: cell &>> 42), low)
        }
        for index in oldLanePart {
            place(oldLane[index].time, oldLane[index].low)
        }
        while let entry = oldBacking.popFirst() {
            place(entry.time, entry.low)
        }
        for (slot, start) in slots {
            var rest = DetachedChunks(cursor: oldCursors[slot], chunkMask: oldMask)
            while let part = rest.next(cellsPerChunk: oldGrid.cellsPerChunk) {
                for index in 1..<part.end {
                    let cell = part.chunk[index]
                    place(start &+ Int64(truncatingIfNeeded: cell &>> 36), cell & FutureEventList.lowMask)
                }
            }
        }
        while let first = far.first,
            UInt64(bitPattern: first.time &>> grid.blockShift &- currentBlock) < UInt64(grid.coarseCount)
        {
            _ = far.popFirst()
            place(first.time, first.low)
        }
        oldCursors.deallocate()
        oldLane.deallocate()
        oldRun.deallocate()
        adaptation.isMoving = false
        noteLook()
    }

    /// Moves all events, which are few, to the lane.
    ///
    /// - Precondition: run and lane are empty.
    private mutating func returnToLane() {
        resetLane()
        limit = .max
        hasSlots = false
        var slots: [(slot: Int, start: Int64)] = []
        forEachSlot { slot, start, _ in slots.append((slot, start)) }
        for (slot, start) in slots {
            var rest = DetachedChunks(cursor: cursors[slot], chunkMask: chunkMask)
            while let part = rest.next(cellsPerChunk: grid.cellsPerChunk) {
                for index in 1..<part.end {
                    let cell = part.chunk[index]
                    place(start &+ Int64(truncatingIfNeeded: cell &>> 36), cell & FutureEventList.lowMask)
                }
            }
        }
        while let first = far.popFirst() {
            place(first.time, first.low)
        }
        far.releaseMemory()
        cursors.deallocate()
        cursors = .allocate(capacity: 0)
        chunks = EventChunks(cellsPerChunk: grid.cellsPerChunk)
        nearSet = SlotSet(slotCount: grid.nearCount)
        coarseSet = SlotSet(slotCount: grid.coarseCount)
        adaptation = Adaptation()
        adaptation.taken = takenCount
        adaptation.scheduled = scheduledCount
        adaptation.time = lastTaken
    }

    /// The bits of a cell that do not tell the time: priority and word.
    static var lowMask: UInt64 { 1 << 36 - 1 }
}
