public import Quantities

/// The pending events of a simulation, in the exact order (time, priority, sequence).
@frozen
public struct FutureEventList: ~Copyable {
    /// The events of the open slot, sorted: a cell each.
    @usableFromInline var run: UnsafeMutablePointer<UInt64>
    @usableFromInline var runHead = 0
    @usableFromInline var runEnd = 0
    /// The start of the open slot.
    @usableFromInline var runStart: Int64 = 0

    /// Late arrivals, sorted.
    @usableFromInline var lane: UnsafeMutablePointer<LateArrival>
    @usableFromInline var laneHead = 0
    @usableFromInline var laneEnd = 0
    /// Where the quick way to add to the lane ends: its capacity, or 0 when the lane needs care.
    @usableFromInline var laneBound: Int

    /// The last instant of the open slot: what is scheduled up to it arrives late.
    @usableFromInline var limit = Int64.max
    @usableFromInline var currentBlock: Int64 = 0
    @usableFromInline var grid: CalendarGrid
    /// Where the next event of each slot is written.
    @usableFromInline var cursors: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>>
    @usableFromInline var chunkMask: UInt

    @usableFromInline var scheduledCount = 0
    @usableFromInline var takenCount = 0
    /// The instant of the event that was taken last.
    @usableFromInline var lastTaken: Int64 = 0

    // What the quick ways above do not touch.
    var runCapacity: Int
    var spare: UnsafeMutablePointer<UInt64>
    var tallies: UnsafeMutablePointer<UInt32>
    var tallyCapacity = 0
    var laneCapacity: Int
    var laneBacking: EventHeap
    var far: EventHeap
    var chunks: EventChunks
    var nearSet: SlotSet
    var coarseSet: SlotSet
    var hasSlots = false
    /// The open slot, counted from the start of the run.
    var openSlot: Int64 = 0
    var adaptation: Adaptation

    /// An empty list.
    public init() {
        runCapacity = 64
        run = .allocate(capacity: runCapacity)
        spare = .allocate(capacity: runCapacity)
        tallies = .allocate(capacity: 0)
        laneCapacity = FutureEventList.shortLane
        laneBound = laneCapacity
        lane = .allocate(capacity: laneCapacity)
        grid = CalendarGrid(count: 0, slotWidth: 1, reach: 0)
        chunks = EventChunks(cellsPerChunk: grid.cellsPerChunk)
        chunkMask = UInt(grid.cellsPerChunk * 8 - 1)
        nearSet = SlotSet(slotCount: grid.nearCount)
        coarseSet = SlotSet(slotCount: grid.coarseCount)
        cursors = .allocate(capacity: 0)
        laneBacking = EventHeap()
        far = EventHeap()
        adaptation = Adaptation()
    }

    deinit {
        run.deallocate()
        spare.deallocate()
        tallies.deallocate()
        lane.deallocate()
        cursors.deallocate()
    }

    /// How many events are pending, meaningless ones included.
    @inlinable
    public var count: Int { scheduledCount &- takenCount }

    /// Adds an event.
    @inlinable
    public mutating func schedule(_ word: EventWord, at time: Instant, priority: EventPriority) {
        let low = UInt64(truncatingIfNeeded: priority.rank) &<< 32 | UInt64(truncatingIfNeeded: word.bits)
        scheduledCount &+= 1
        place(time.microseconds, low)
    }

    /// Takes the first event, unless it lies after the horizon.
    @inlinable
    public mutating func popFirst(through horizon: Instant) -> (time: Instant, word: EventWord)? {
        while true {
            if runHead != runEnd {
                let cell = run[runHead]
                let time = runStart &+ Int64(truncatingIfNeeded: cell &>> 42)
                // An event of the run was scheduled before any late arrival, so it wins a tie.
                if laneHead == laneEnd || !lane[laneHead].comes(before: time, cell: cell) {
                    guard time <= horizon.microseconds else { return nil }
                    runHead &+= 1
                    takenCount &+= 1
                    lastTaken = time
                    return (Instant(microseconds: time), EventWord(bits: UInt32(truncatingIfNeeded: cell)))
                }
            } else if laneHead == laneEnd {
                guard openNextSlot(through: horizon.microseconds) else { return nil }
                continue
            }
            let first = lane[laneHead]
            guard first.time <= horizon.microseconds else { return nil }
            laneHead &+= 1
            takenCount &+= 1
            lastTaken = first.time
            if laneHead == laneEnd && laneBound == 0 {
                refillLane()
            }
            return (Instant(microseconds: first.time), EventWord(bits: UInt32(truncatingIfNeeded: first.low)))
        }
    }

    /// The event that will be taken after so many others, if that is known yet and nothing arrives before it.
    @inlinable
    public func upcoming(_ distance: Int) -> EventWord? {
        if runHead != runEnd {
            guard distance < runEnd &- runHead else { return nil }
            return EventWord(bits: UInt32(truncatingIfNeeded: run[runHead &+ distance]))
        }
        guard distance < laneEnd &- laneHead else { return nil }
        return EventWord(bits: UInt32(truncatingIfNeeded: lane[laneHead &+ distance].low))
    }

    /// Puts an event where it belongs.
    @inlinable
    mutating func place(_ time: Int64, _ low: UInt64) {
        guard time > limit else {
            placeLate(LateArrival(time: time, low: low))
            return
        }
        let block = time &>> grid.blockShift
        let distance = UInt64(bitPattern: block &- currentBlock)
        let slot: Int
        let width: Int64
        if distance < UInt64(CalendarGrid.nearBlocks) {
            slot = Int(truncatingIfNeeded: time &>> grid.slotShift) & (grid.nearCount &- 1)
            width = grid.slotShift
        } else if distance < UInt64(truncatingIfNeeded: grid.coarseCount) {
            slot = grid.nearCount &+ Int(truncatingIfNeeded: block) & (grid.coarseCount &- 1)
            width = grid.blockShift
        } else {
            placeFar(time, low)
            return
        }
        let offset = UInt64(bitPattern: time) & (1 &<< UInt64(bitPattern: width) &- 1)
        let cell = offset &<< 36 | low
        let cursor = cursors[slot]
        if UInt(bitPattern: cursor) & chunkMask != 0 {
            cursor.pointee = cell
            cursors[slot] = cursor + 1
        } else {
            addChunk(to: slot, startingWith: cell)
            growIfNeeded()
        }
    }

    /// Puts an event among those of the open slot.
    @inlinable
    mutating func placeLate(_ arrival: LateArrival) {
        guard laneEnd < laneBound else {
            placeLateWithCare(arrival)
            return
        }
        var hole = laneEnd
        laneEnd = hole &+ 1
        while hole > laneHead, arrival.time < lane[hole &- 1].time {
            lane[hole] = lane[hole &- 1]
            hole &-= 1
        }
        while hole > laneHead, arrival.comes(before: lane[hole &- 1]) {
            lane[hole] = lane[hole &- 1]
            hole &-= 1
        }
        lane[hole] = arrival
    }
}
