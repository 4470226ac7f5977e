private import CMemoryHints

/// The slots of the calendar: adding events, and opening the slots one after another.
extension FutureEventList {
    /// Adds an event to a slot whose last chunk is full, or that has no chunk.
    ///
    /// The chunks of a slot form a ring, the last linked to the first, so a slot needs only one cursor.
    @usableFromInline
    @inline(never)
    mutating func addChunk(to slot: Int, startingWith cell: SlotCell) {
        let chunk = chunks.take()
        let isFirst: Bool
        if slot < grid.nearCount {
            isFirst = !nearSet.contains(slot)
            nearSet.insert(slot)
        } else {
            isFirst = !coarseSet.contains(slot - grid.nearCount)
            coarseSet.insert(slot - grid.nearCount)
        }
        if isFirst {
            EventChunks.setLink(of: chunk, to: chunk)
        } else {
            // The cursor of a full chunk points just past its end.
            let last = cursors[slot] - grid.cellsPerChunk
            EventChunks.setLink(of: chunk, to: EventChunks.link(of: last))
            EventChunks.setLink(of: last, to: chunk)
        }
        chunk[1] = cell.bits
        cursors[slot] = chunk + 2
    }

    /// Adds an event that is beyond all slots.
    @usableFromInline
    @inline(never)
    mutating func placeFar(_ time: Int64, _ low: UInt64) {
        adaptation.farCount += 1
        far.append(time: time, low: low)
    }

    /// Brings up the next events, if there are any up to the horizon.
    ///
    /// A slot is opened only if it starts by the horizon, so an event that is scheduled after a stop there still finds
    /// its slot.
    ///
    /// - Precondition: run and lane are empty.
    @usableFromInline
    @inline(never)
    mutating func openNextSlot(through horizon: Int64) -> Bool {
        guard count > 0 else { return false }
        if takenCount >= adaptation.checkAt || count < adaptation.shrinkAt {
            reconsider()
            if laneHead != laneEnd { return true }
        }
        while true {
            if !nearSet.isEmpty {
                let next = openSlot &+ 1
                let mask = grid.nearCount - 1
                let index = nearSet.first(from: Int(truncatingIfNeeded: next) & mask)
                let slot = next &+ Int64((index &- Int(truncatingIfNeeded: next)) & mask)
                let start = slot &<< grid.slotShift
                guard start <= horizon else { return false }
                let block = start &>> grid.blockShift
                if block != currentBlock {
                    advance(to: block)
                }
                openSlot = slot
                limit = start &+ (1 &<< grid.slotShift) &- 1
                runStart = start
                gather(index)
                return true
            }
            let block: Int64
            if !coarseSet.isEmpty {
                let mask = grid.coarseCount - 1
                let index = coarseSet.first(from: Int(truncatingIfNeeded: currentBlock) & mask)
                block = currentBlock &+ Int64((index &- Int(truncatingIfNeeded: currentBlock)) & mask)
                guard block &<< grid.blockShift <= horizon else { return false }
            } else if let first = far.first {
                guard first.time <= horizon else { return false }
                block = first.time &>> grid.blockShift
            } else {
                return false
            }
            openSlot = block &<< (grid.blockShift &- grid.slotShift) &- 1
            limit = block &<< grid.blockShift &- 1
            advance(to: block)
        }
    }

    /// Moves the near slots to a block and those after it, and fills them from the coarse ones.
    ///
    /// The events from a coarse slot were scheduled before any that will be added to a near slot directly.
    ///
    /// - Precondition: nothing is pending in any earlier block.
    private mutating func advance(to block: Int64) {
        currentBlock = block
        if far.count > 0 {
            adaptation.isMoving = true
            while let first = far.first,
                UInt64(bitPattern: first.time &>> grid.blockShift &- block) < UInt64(grid.coarseCount)
            {
                _ = far.popFirst()
                place(first.time, first.low)
            }
            adaptation.isMoving = false
        }
        guard !coarseSet.isEmpty else { return }
        for near in 0..<Int64(CalendarGrid.nearBlocks) {
            let slot = Int(truncatingIfNeeded: block &+ near) & (grid.coarseCount - 1)
            if coarseSet.contains(slot) {
                comeDown(slot, from: block &+ near)
            }
        }
    }

    /// Distributes the events of a coarse slot among near slots.
    private mutating func comeDown(_ coarse: Int, from block: Int64) {
        let mask = grid.nearCount &- 1
        let first = Int(truncatingIfNeeded: block &<< (grid.blockShift &- grid.slotShift))
        // The rest of the offset within the near slot is below this bit.
        let shift = UInt64(bitPattern: grid.slotShift + 64 - SlotCell.offsetBits)
        let within: UInt64 = 1 &<< shift &- 1
        coarseSet.remove(coarse)
        var rest = detach(grid.nearCount + coarse)
        while let part = rest.next(cellsPerChunk: grid.cellsPerChunk) {
            for index in 1..<part.end {
                let cell = part.chunk[index]
                let slot = (first &+ Int(truncatingIfNeeded: cell &>> shift)) & mask
                let cursor = cursors[slot]
                if UInt(bitPattern: cursor) & chunkMask != 0 {
                    cursor.pointee = cell & within
                    cursors[slot] = cursor + 1
                } else {
                    addChunk(to: slot, startingWith: SlotCell(bits: cell & within))
                }
            }
            chunks.put(part.chunk)
        }
    }

    /// Copies the events of a near slot to the run and sorts them.
    private mutating func gather(_ slot: Int) {
        nearSet.remove(slot)
        var rest = detach(slot)
        var count = 0
        var varying: UInt64 = 0
        let first = rest.next.map { $0[1] } ?? 0
        while let part = rest.next(cellsPerChunk: grid.cellsPerChunk) {
            if let next = rest.next {
                for line in 0..<(grid.cellsPerChunk / 8) {
                    prefetch_line(next + line * 8)
                }
            }
            if count + part.end > runCapacity {
                growRun(keeping: count)
            }
            let target = run + (count - 1)
            for index in 1..<part.end {
                let cell = part.chunk[index]
                varying |= cell ^ first
                target[index] = RunCell(SlotCell(bits: cell), arrival: count &+ index &- 1).bits
            }
            count += part.end - 1
            chunks.put(part.chunk)
        }
        runHead = 0
        runEnd = count
        sortRun(varying: UInt32(truncatingIfNeeded: varying >> 32))
    }

    /// Empties a slot and returns its chunks.
    mutating func detach(_ slot: Int) -> DetachedChunks {
        let cursor = cursors[slot]
        cursors[slot] = EventChunks.noChunk(of: grid.cellsPerChunk)
        return DetachedChunks(cursor: cursor, chunkMask: chunkMask)
    }

    /// Replaces the slots by those of a grid, all empty and none open, for events scheduled at `start` or later.
    ///
    /// The caller is responsible for the old slots' cursors.
    mutating func useEmptySlots(of newGrid: CalendarGrid, from start: Int64) {
        grid = newGrid
        hasSlots = true
        chunkMask = UInt(grid.cellsPerChunk * 8 - 1)
        cursors = .allocate(capacity: grid.slotCount)
        cursors.initialize(repeating: EventChunks.noChunk(of: grid.cellsPerChunk), count: grid.slotCount)
        nearSet = SlotSet(slotCount: grid.nearCount)
        coarseSet = SlotSet(slotCount: grid.coarseCount)
        currentBlock = start &>> grid.blockShift
        openSlot = start &>> grid.slotShift &- 1
        limit = (start &>> grid.slotShift) &<< grid.slotShift &- 1
    }

    /// The occupied slots and their starts, in order of time.
    func occupiedSlots() -> [(slot: Int, start: Int64)] {
        var slots: [(slot: Int, start: Int64)] = []
        forEachSlot { slot, start, _ in slots.append((slot, start)) }
        return slots
    }

    /// Calls `body` with the index, start and width of each occupied slot, in order of time.
    func forEachSlot(_ body: (_ slot: Int, _ start: Int64, _ width: Int64) -> Void) {
        let firstSlot = currentBlock &<< (grid.blockShift &- grid.slotShift)
        for step in 0..<Int64(grid.nearCount) where !nearSet.isEmpty {
            let slot = firstSlot &+ step
            let index = Int(truncatingIfNeeded: slot) & (grid.nearCount - 1)
            if nearSet.contains(index) {
                body(index, slot &<< grid.slotShift, 1 << grid.slotShift)
            }
        }
        for step in 0..<Int64(grid.coarseCount) where !coarseSet.isEmpty {
            let block = currentBlock &+ step
            let index = Int(truncatingIfNeeded: block) & (grid.coarseCount - 1)
            if coarseSet.contains(index) {
                body(grid.nearCount + index, block &<< grid.blockShift, 1 << grid.blockShift)
            }
        }
    }

    /// The number of events in a slot.
    ///
    /// - Precondition: the slot is occupied.
    func eventCount(of slot: Int) -> Int {
        var chunks = DetachedChunks(cursor: cursors[slot], chunkMask: chunkMask)
        var count = 0
        while let part = chunks.next(cellsPerChunk: grid.cellsPerChunk) {
            count += part.end - 1
        }
        return count
    }
}
