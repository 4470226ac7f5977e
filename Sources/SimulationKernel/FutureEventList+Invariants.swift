/// The invariants of a list, for tests.
extension FutureEventList {
    /// The first invariant that does not hold; nil when all do.
    ///
    /// - Complexity: O(*n*).
    package func invariantViolation() -> String? {
        for index in laneHead..<laneEnd where index > laneHead && lane[index].comes(before: lane[index - 1]) {
            return "the lane is not in order at \(index)"
        }
        for index in runHead..<runEnd where index > runHead && run[index] >> 38 < run[index - 1] >> 38 {
            return "the run is not in order at \(index)"
        }
        if laneHead == laneEnd && laneBacking.count > 0 {
            return "the lane is empty before its heap"
        }
        if let first = laneBacking.first, LateArrival(time: first.time, low: first.low).comes(before: lane[laneEnd - 1])
        {
            return "the heap behind the lane has an earlier event"
        }
        if laneHead != laneEnd && lane[laneEnd - 1].time > limit {
            return "the lane has an event of a later slot"
        }
        var inSlots = 0
        var violation: String?
        if hasSlots {
            forEachSlot { slot, start, width in
                inSlots += eventCount(of: slot)
                if start <= limit { violation = "slot \(slot) is occupied, but has passed" }
                if eventCount(of: slot) == 0 { violation = "slot \(slot) is said to be occupied" }
                if slot >= grid.nearCount && start >> grid.blockShift - currentBlock < CalendarGrid.nearBlocks {
                    violation = "block \(start >> grid.blockShift) should have come down"
                }
            }
        }
        if let violation { return violation }
        if let first = far.first, first.time &>> grid.blockShift &- currentBlock < Int64(grid.coarseCount) {
            return "a slot reaches the first event of the far heap"
        }
        let known = inSlots + far.count + laneEnd - laneHead + laneBacking.count + runEnd - runHead
        return known == count ? nil : "\(known) events are held, \(count) are pending"
    }
}
