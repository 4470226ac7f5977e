/// Sorting the open slot.
extension FutureEventList {
    /// The minimum capacity, for a sorting network.
    static var leastRunCapacity: Int { SortingNetwork.largest }

    /// Makes room for another chunk.
    mutating func growRun(keeping count: Int) {
        let old = run
        run = .allocate(capacity: 0)
        replaceRun(capacity: runCapacity * 2 + grid.cellsPerChunk)
        run.update(from: old, count: count)
        old.deallocate()
    }

    /// Takes an empty run with room for a number of events.
    mutating func replaceRun(capacity: Int) {
        run.deallocate()
        spare.deallocate()
        run = .allocate(capacity: capacity)
        spare = .allocate(capacity: capacity)
        runCapacity = capacity
        runHead = 0
        runEnd = 0
    }

    /// Sorts the run by (time, priority), stably, so that equal events stay first in, first out.
    ///
    /// - Parameter varying: The bits in which keys differ.
    mutating func sortRun(varying: UInt32) {
        guard varying != 0 else { return }
        if runEnd <= SortingNetwork.largest {
            SortingNetwork.sort(run, count: runEnd)
        } else {
            radixSort(varying: varying)
        }
    }

    /// Least significant digit first; each pass is stable.
    private mutating func radixSort(varying: UInt32) {
        let lowest = varying.trailingZeroBitCount
        let bitCount = 32 - varying.leadingZeroBitCount - lowest
        let widest = runEnd < 256 ? 6 : runEnd < 2048 ? 8 : 11
        let passCount = (bitCount + widest - 1) / widest
        let digitBits = (bitCount + passCount - 1) / passCount
        let digitCount = 1 << digitBits
        let mask = UInt64(digitCount - 1)
        reserveTallies(digitCount * passCount)
        let tallies = self.tallies
        tallies.update(repeating: 0, count: digitCount * passCount)
        var shift = RunCell.keyShift + UInt64(lowest)
        for index in 0..<runEnd {
            var digits = run[index] &>> shift
            for pass in 0..<passCount {
                tallies[pass &* digitCount &+ Int(truncatingIfNeeded: digits & mask)] &+= 1
                digits &>>= UInt64(digitBits)
            }
        }
        for pass in 0..<passCount {
            let tally = tallies + pass * digitCount
            var sum: UInt32 = 0
            for digit in 0..<digitCount {
                let count = tally[digit]
                tally[digit] = sum
                sum &+= count
            }
            for index in 0..<runEnd {
                let cell = run[index]
                let digit = Int(truncatingIfNeeded: cell &>> shift & mask)
                spare[Int(tally[digit])] = cell
                tally[digit] &+= 1
            }
            swap(&run, &spare)
            shift += UInt64(digitBits)
        }
    }

    private mutating func reserveTallies(_ count: Int) {
        guard count > tallyCapacity else { return }
        tallies.deallocate()
        tallies = .allocate(capacity: count)
        tallyCapacity = count
    }
}
