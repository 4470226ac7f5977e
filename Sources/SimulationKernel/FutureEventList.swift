public import Quantities

/// The pending events of a simulation, in the exact order (time, priority, sequence).
///
/// Among events of one instant, the lower priority comes first; among those of one priority, the first one scheduled.
/// The order is total, so a run depends neither on the implementation of the list nor on its adaptation.
///
/// Events cannot be removed one by one. An obsolete event stays and is recognised when it comes up (see ``Alarm``).
/// That is cheaper than finding it, as long as the model does not produce many of them.
///
/// The implementation is a calendar queue (R. Brown, 1988) of two levels in which only the open slot is ever sorted, as
/// in a ladder queue (W. T. Tang, R. S. M. Goh, I. L.-J. Thng, 2005):
///
/// ```
///        schedule(t) ── t within the open slot, or before it ───────────────┐
///             │                                                             ▼
///             ├─ in one of 4 blocks ──► near slots    [··|·····|  |···|·]  lane: late arrivals,
///             │                          ▲  │ open: sort the slot  |       sorted by insertion
///             │       block comes near ──┘  └───────► run ─────────┐        │
///             ├─ beyond ──────────────► coarse slots  [······|··|···|  |··] │  smaller head first;
///             │                          ▲                         │        │  the run wins ties
///             └─ out of reach ────────► far heap                   └──► popFirst ◄┘
/// ```
///
/// - A slot is a ring of chunks: scheduling writes 8 bytes at a cursor. All slots keep their events in scheduling
///   order, and every sort is stable, so events are first in, first out. Coarse slots are distributed to near ones
///   before anything can be scheduled there directly.
/// - The run is read sequentially, so upcoming events are known (``upcoming(_:)``).
/// - The width of slots follows the rate of events, their number follows that of pending events. Both depend only on
///   the events themselves, and are checked periodically, at amortised O(1).
/// - Up to 32 events are in the lane alone, and a list that was always small uses 2 KB.
///
/// Scheduling and taking an event cost O(1) for any mixture of delays within the reach of the slots, including ties: 12
/// to 20 ns together, from 64 to 10,000,000 pending events. Heaps hold events beyond the reach (hours or days ahead,
/// see ``CalendarGrid``) and crowds of late arrivals in random order, so no operation costs more than O(log *n*).
/// Memory: 9 to 18 bytes per pending event from 10,000 on, about 25 KB for 1,000.
///
/// The type is not copyable, so two lists never share memory.
@frozen
public struct FutureEventList: ~Copyable {
    /// The events of the open slot, sorted; each number is a ``RunCell``.
    @usableFromInline var run: UnsafeMutablePointer<UInt64>
    @usableFromInline var runHead = 0
    @usableFromInline var runEnd = 0
    /// The start of the open slot.
    @usableFromInline var runStart: Int64 = 0

    /// Late arrivals, sorted.
    @usableFromInline var lane: UnsafeMutablePointer<LateArrival>
    @usableFromInline var laneHead = 0
    @usableFromInline var laneEnd = 0
    /// The end of the fast path for adding to the lane; 0 if the lane needs the slow path.
    @usableFromInline var laneBound: Int

    /// The last instant of the open slot: an event scheduled up to it arrives late.
    @usableFromInline var limit = Int64.max
    @usableFromInline var currentBlock: Int64 = 0
    @usableFromInline var grid: CalendarGrid
    /// The address of the next event in each slot, near slots first.
    @usableFromInline var cursors: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>>
    /// The bits of a cursor that are all 0 at the end of a chunk.
    @usableFromInline var chunkMask: UInt

    @usableFromInline var scheduledCount = 0
    @usableFromInline var takenCount = 0
    /// The instant of the last event taken.
    @usableFromInline var lastTaken: Int64 = 0

    // The fast paths above do not touch the properties below.

    /// As large as the run: the second buffer of a sort.
    var spare: UnsafeMutablePointer<UInt64>
    var runCapacity: Int
    var tallies: UnsafeMutablePointer<UInt32>
    var tallyCapacity = 0
    var laneCapacity: Int
    /// Late arrivals after all those in the lane.
    var laneBacking: EventHeap
    var chunks: EventChunks
    var nearSet: SlotSet
    var coarseSet: SlotSet
    /// The index of the open slot, counted from the start of the run.
    var openSlot: Int64 = 0
    /// `false` while only the lane is used.
    var hasSlots = false
    /// Events beyond the reach of the slots.
    var far: EventHeap
    var adaptation: Adaptation

    /// Creates an empty list.
    public init() {
        runCapacity = FutureEventList.leastRunCapacity
        run = .allocate(capacity: runCapacity)
        spare = .allocate(capacity: runCapacity)
        tallies = .allocate(capacity: 0)
        laneCapacity = FutureEventList.shortLane
        laneBound = laneCapacity
        lane = .allocate(capacity: laneCapacity)
        laneBacking = EventHeap()
        grid = CalendarGrid(count: 0, slotWidth: 1, reach: 0)
        chunks = EventChunks(cellsPerChunk: grid.cellsPerChunk)
        chunkMask = UInt(grid.cellsPerChunk * 8 - 1)
        cursors = .allocate(capacity: 0)
        nearSet = SlotSet(slotCount: 64)
        coarseSet = SlotSet(slotCount: 64)
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

    /// The number of pending events, including obsolete ones.
    @inlinable
    public var count: Int { scheduledCount &- takenCount }

    /// Adds an event.
    ///
    /// Any instant is allowed; an event before the last one taken comes next.
    ///
    /// - Complexity: O(1) amortised within the reach of the slots, O(log *n*) at most.
    @inlinable
    public mutating func schedule(_ word: EventWord, at time: Instant, priority: EventPriority) {
        scheduledCount &+= 1
        place(
            time.microseconds,
            UInt64(truncatingIfNeeded: priority.rank) &<< 32 | UInt64(truncatingIfNeeded: word.bits)
        )
    }

    /// Takes the first event, unless it is after the horizon.
    ///
    /// - Parameter horizon: The last instant whose events may be taken. After a stop there, events may still be
    ///   scheduled before any pending ones.
    /// - Complexity: O(1) amortised within the reach of the slots, O(log *n*) at most.
    @inlinable
    public mutating func popFirst(through horizon: Instant) -> (time: Instant, word: EventWord)? {
        while true {
            if runHead != runEnd {
                let cell = RunCell(bits: run[runHead])
                let time = runStart &+ cell.offset
                // All events of the run were scheduled before any late arrival, so the run wins ties.
                let isNext: Bool
                if laneHead == laneEnd {
                    isNext = true
                } else {
                    let late = lane[laneHead]
                    isNext = time < late.time || (time == late.time && cell.rank <= late.rank)
                }
                if isNext {
                    guard time <= horizon.microseconds else { return nil }
                    runHead &+= 1
                    takenCount &+= 1
                    lastTaken = time
                    return (Instant(microseconds: time), cell.word)
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
            return (Instant(microseconds: first.time), first.word)
        }
    }

    /// Returns `true` if the next event has the same instant as the last event taken.
    ///
    /// - Complexity: O(1) amortised: nearly always a load and a few comparisons.
    @inlinable
    public mutating func hasTie() -> Bool {
        if runHead != runEnd, runStart &+ RunCell(bits: run[runHead]).offset == lastTaken { return true }
        if laneHead != laneEnd { return lane[laneHead].time == lastTaken }
        // After the list has moved to another grid, events of this instant may be in a slot that is not open.
        return runHead == runEnd && limit < lastTaken && hasTieInSlots()
    }

    @usableFromInline
    @inline(never)
    mutating func hasTieInSlots() -> Bool {
        openNextSlot(through: lastTaken) && hasTie()
    }

    /// The event that is likely to be taken after a number of others; nil if unknown.
    ///
    /// A model can use it to prefetch the state of the event's subject while other events are processed; a distance of
    /// 12 to 16 events is enough. It is a hint: late arrivals in between are not counted, and the search ends with the
    /// open slot. `upcoming(0)` is the next event unless there are late arrivals in an open slot.
    ///
    /// - Complexity: O(1), a load and a few comparisons.
    /// - Precondition: none; a negative distance gives nil.
    @inlinable
    public func upcoming(_ distance: Int) -> EventWord? {
        let ahead = UInt(bitPattern: distance)
        if runHead != runEnd {
            guard ahead < UInt(bitPattern: runEnd &- runHead) else { return nil }
            return RunCell(bits: run[runHead &+ distance]).word
        }
        guard ahead < UInt(bitPattern: laneEnd &- laneHead) else { return nil }
        return lane[laneHead &+ distance].word
    }

    /// Puts an event into its slot, the lane or a heap.
    @inlinable
    mutating func place(_ time: Int64, _ low: UInt64) {
        guard time > limit else {
            placeLate(LateArrival(time: time, low: low))
            return
        }
        let block = time &>> grid.blockShift
        let distance = UInt64(bitPattern: block &- currentBlock)
        let slot: Int
        let shift: Int64
        if distance < UInt64(CalendarGrid.nearBlocks) {
            slot = Int(truncatingIfNeeded: time &>> grid.slotShift) & (grid.nearCount &- 1)
            shift = grid.slotShift
        } else if distance < UInt64(truncatingIfNeeded: grid.coarseCount) {
            slot = grid.nearCount &+ Int(truncatingIfNeeded: block) & (grid.coarseCount &- 1)
            shift = grid.blockShift
        } else {
            placeFar(time, low)
            return
        }
        let offset = UInt64(bitPattern: time) & (1 &<< UInt64(bitPattern: shift) &- 1)
        let cell = SlotCell(offset: offset, low: low)
        let cursor = cursors[slot]
        if UInt(bitPattern: cursor) & chunkMask != 0 {
            cursor.pointee = cell.bits
            cursors[slot] = cursor + 1
        } else {
            addChunk(to: slot, startingWith: cell)
            growIfNeeded()
        }
    }

    /// Inserts an event into the late arrivals.
    @inlinable
    mutating func placeLate(_ arrival: LateArrival) {
        guard laneEnd < laneBound else {
            placeLateWithCare(arrival)
            return
        }
        var hole = laneEnd
        laneEnd = hole &+ 1
        while hole > laneHead, arrival.comes(before: lane[hole &- 1]) {
            lane[hole] = lane[hole &- 1]
            hole &-= 1
        }
        lane[hole] = arrival
    }
}
