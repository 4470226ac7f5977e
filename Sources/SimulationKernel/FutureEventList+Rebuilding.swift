public import Quantities

/// Moving all events: to another grid, back to the lane, or out of the list.
extension FutureEventList {
    /// Removes events that are obsolete, and keeps the order of the others.
    ///
    /// Obsolete events cost little when they come up, but until then they use memory. A model that cancels many events
    /// far ahead can bound their share: for example, it calls this function whenever more than twice as many events are
    /// pending as are effective.
    ///
    /// - Parameter isMeaningless: Returns `true` for an obsolete event; called once for each pending event, in no
    ///   particular order.
    /// - Complexity: O(*n*).
    public mutating func discard(where isMeaningless: (_ word: EventWord, _ time: Instant) -> Bool) {
        var kept = 0
        func isKept(_ time: Int64, _ low: UInt64) -> Bool {
            let word = EventWord(bits: UInt32(truncatingIfNeeded: low))
            guard !isMeaningless(word, Instant(microseconds: time)) else { return false }
            kept += 1
            return true
        }
        let pending = count
        if hasSlots {
            rebuild(grid, keeping: isKept)
        } else {
            var end = laneHead
            for index in laneHead..<laneEnd where isKept(lane[index].time, lane[index].low) {
                lane[end] = lane[index]
                end += 1
            }
            laneEnd = end
        }
        // As if they had never been scheduled.
        scheduledCount -= pending - kept
        if hasSlots {
            noteLook()
        }
    }

    /// Moves all events to another grid.
    ///
    /// The events of one instant and one priority are in one place, and are moved in their order.
    mutating func rebuild(_ newGrid: CalendarGrid) {
        rebuild(newGrid) { _, _ in true }
    }

    private mutating func rebuild(_ newGrid: CalendarGrid, keeping isKept: (_ time: Int64, _ low: UInt64) -> Bool) {
        let start = anchor
        let old = (
            grid: grid, cursors: cursors, chunkMask: chunkMask, slots: occupiedSlots(),
            run: run, runStart: runStart, runPart: runHead..<runEnd, lane: lane, lanePart: laneHead..<laneEnd
        )
        var oldChunks = EventChunks(cellsPerChunk: newGrid.cellsPerChunk)
        swap(&oldChunks, &chunks)
        var oldBacking = EventHeap()
        swap(&oldBacking, &laneBacking)
        var oldFar = EventHeap()
        swap(&oldFar, &far)
        useEmptySlots(of: newGrid, from: start)
        run = .allocate(capacity: 0)
        replaceRun(capacity: FutureEventList.leastRunCapacity)
        lane = .allocate(capacity: FutureEventList.shortLane)
        (laneHead, laneEnd, laneCapacity) = (0, 0, FutureEventList.shortLane)
        laneBound = laneCapacity

        adaptation.isMoving = true
        func move(_ time: Int64, _ low: UInt64) {
            if isKept(time, low) { place(time, low) }
        }
        for index in old.runPart {
            let cell = RunCell(bits: old.run[index])
            move(old.runStart &+ cell.offset, cell.low)
        }
        for index in old.lanePart {
            move(old.lane[index].time, old.lane[index].low)
        }
        while let entry = oldBacking.popFirst() {
            move(entry.time, entry.low)
        }
        for (slot, start) in old.slots {
            var rest = DetachedChunks(cursor: old.cursors[slot], chunkMask: old.chunkMask)
            while let part = rest.next(cellsPerChunk: old.grid.cellsPerChunk) {
                for index in 1..<part.end {
                    let cell = SlotCell(bits: part.chunk[index])
                    move(start &+ cell.offset, cell.low)
                }
            }
        }
        while let entry = oldFar.popFirst() {
            move(entry.time, entry.low)
        }
        adaptation.isMoving = false
        old.cursors.deallocate()
        old.run.deallocate()
        old.lane.deallocate()
        noteLook()
    }

    /// Moves all events, of which there are few, to the lane.
    ///
    /// - Precondition: run and lane are empty.
    mutating func returnToLane() {
        resetLane()
        let slots = occupiedSlots()
        limit = .max
        for (slot, start) in slots {
            var rest = detach(slot)
            while let part = rest.next(cellsPerChunk: grid.cellsPerChunk) {
                for index in 1..<part.end {
                    let cell = SlotCell(bits: part.chunk[index])
                    place(start &+ cell.offset, cell.low)
                }
            }
        }
        while let entry = far.popFirst() {
            place(entry.time, entry.low)
        }
        far.releaseMemory()
        cursors.deallocate()
        cursors = .allocate(capacity: 0)
        chunks = EventChunks(cellsPerChunk: grid.cellsPerChunk)
        nearSet = SlotSet(slotCount: 64)
        coarseSet = SlotSet(slotCount: 64)
        hasSlots = false
        replaceRun(capacity: FutureEventList.leastRunCapacity)
        adaptation = Adaptation()
        adaptation.taken = takenCount
        adaptation.scheduled = scheduledCount
        adaptation.time = lastTaken
    }
}
