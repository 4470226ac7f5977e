/// The lane of late arrivals: the cases that are not inlined.
extension FutureEventList {
    /// The capacity of a short lane: up to this length, shifting is faster than any other method.
    static var shortLane: Int { 48 }
    /// The number of events that the lane holds without slots.
    static var laneOnlyCount: Int { 32 }
    /// The maximum depth of an insertion into a long lane, and the number of events in a lane that is backed by a heap.
    private static var reasonableDepth: Int { 64 }

    @usableFromInline
    @inline(never)
    mutating func placeLateWithCare(_ arrival: LateArrival) {
        if laneBound != 0 {
            if laneEnd - laneHead <= FutureEventList.laneOnlyCount {
                // It is full only because of events that were taken.
                compactLane()
                placeLate(arrival)
                return
            }
            if !hasSlots {
                makeRoomInLane()
                lane[laneEnd] = arrival
                laneEnd += 1
                buildSlots()
                return
            }
            laneBound = 0
        }
        makeRoomInLane()
        if laneBacking.count == 0 {
            if laneHead == laneEnd || !arrival.comes(before: lane[laneEnd - 1]) {
                lane[laneEnd] = arrival
                laneEnd += 1
                return
            }
            if putBack(arrival) || putForward(arrival) { return }
            spillLane()
        }
        if arrival.comes(before: lane[laneEnd - 1]) {
            if !putBack(arrival) {
                spillLane()
                placeLateWithCare(arrival)
            }
        } else {
            laneBacking.append(time: arrival.time, low: arrival.low)
        }
    }

    /// Moves the next late arrivals from the heap behind the lane.
    ///
    /// - Precondition: the lane is empty.
    @usableFromInline
    @inline(never)
    mutating func refillLane() {
        laneHead = 0
        laneEnd = 0
        while laneEnd < FutureEventList.reasonableDepth / 2, let next = laneBacking.popFirst() {
            lane[laneEnd] = LateArrival(time: next.time, low: next.low)
            laneEnd += 1
        }
        if laneBacking.count == 0 {
            laneBound = FutureEventList.shortLane
        }
    }

    /// Inserts by shifting later events up; returns `false` if there are too many.
    private mutating func putBack(_ arrival: LateArrival) -> Bool {
        let lowest = max(laneHead, laneEnd - FutureEventList.reasonableDepth)
        guard lowest == laneHead || !arrival.comes(before: lane[lowest - 1]) else { return false }
        var hole = laneEnd
        laneEnd += 1
        while hole > lowest, arrival.comes(before: lane[hole - 1]) {
            lane[hole] = lane[hole - 1]
            hole -= 1
        }
        lane[hole] = arrival
        return true
    }

    /// Inserts by shifting earlier events down, into the room of events that were taken; returns `false` if there are
    /// too many or there is no room.
    private mutating func putForward(_ arrival: LateArrival) -> Bool {
        guard laneHead > 0 else { return false }
        let highest = min(laneEnd, laneHead + FutureEventList.reasonableDepth)
        guard highest == laneEnd || arrival.comes(before: lane[highest]) else { return false }
        var hole = laneHead - 1
        laneHead = hole
        while hole + 1 < highest, !arrival.comes(before: lane[hole + 1]) {
            lane[hole] = lane[hole + 1]
            hole += 1
        }
        lane[hole] = arrival
        return true
    }

    /// Moves all but the first few events to the heap.
    private mutating func spillLane() {
        let keep = laneHead + FutureEventList.reasonableDepth / 2
        while laneEnd > keep {
            laneEnd -= 1
            laneBacking.prepend(time: lane[laneEnd].time, low: lane[laneEnd].low)
        }
    }

    private mutating func makeRoomInLane() {
        guard laneEnd == laneCapacity else { return }
        if laneHead >= laneCapacity / 2 {
            compactLane()
            return
        }
        let larger = UnsafeMutablePointer<LateArrival>.allocate(capacity: laneCapacity * 2)
        (larger + laneHead).moveInitialize(from: lane + laneHead, count: laneEnd - laneHead)
        lane.deallocate()
        lane = larger
        laneCapacity *= 2
    }

    private mutating func compactLane() {
        lane.update(from: lane + laneHead, count: laneEnd - laneHead)
        laneEnd -= laneHead
        laneHead = 0
    }

    /// Shortens an empty lane.
    mutating func resetLane() {
        precondition(laneHead == laneEnd && laneBacking.count == 0)
        laneHead = 0
        laneEnd = 0
        laneBound = FutureEventList.shortLane
        guard laneCapacity > FutureEventList.shortLane else { return }
        lane.deallocate()
        laneCapacity = FutureEventList.shortLane
        lane = .allocate(capacity: laneCapacity)
        laneBacking.releaseMemory()
    }
}
