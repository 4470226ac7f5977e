/// Moving all events: to another grid, or back to the lane.
extension FutureEventList {
    /// Moves all events to another grid.
    ///
    /// The events of one instant and one priority are in one place, and are moved in their order.
    mutating func rebuild(_ newGrid: CalendarGrid) {
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
        for index in old.runPart {
            let cell = RunCell(bits: old.run[index])
            place(old.runStart &+ cell.offset, cell.low)
        }
        for index in old.lanePart {
            place(old.lane[index].time, old.lane[index].low)
        }
        while let entry = oldBacking.popFirst() {
            place(entry.time, entry.low)
        }
        for (slot, start) in old.slots {
            var rest = DetachedChunks(cursor: old.cursors[slot], chunkMask: old.chunkMask)
            while let part = rest.next(cellsPerChunk: old.grid.cellsPerChunk) {
                for index in 1..<part.end {
                    let cell = SlotCell(bits: part.chunk[index])
                    place(start &+ cell.offset, cell.low)
                }
            }
        }
        while let entry = oldFar.popFirst() {
            place(entry.time, entry.low)
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
