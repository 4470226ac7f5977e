/// Takes numbers down, or gives them back, one after the other.
public protocol NumberTransfer {
    /// The next number: kept as it is, or replaced by the one that was kept.
    mutating func transfer(_ number: inout Int64)
}

extension NumberTransfer {
    mutating func transfer(_ number: inout UInt64) {
        var bits = Int64(bitPattern: number)
        transfer(&bits)
        number = UInt64(bitPattern: bits)
    }

    mutating func transfer(_ number: inout Int128) {
        var low = Int64(truncatingIfNeeded: number)
        var high = Int64(truncatingIfNeeded: number >> 64)
        transfer(&low)
        transfer(&high)
        number = Int128(high) << 64 | Int128(UInt64(bitPattern: low))
    }

    mutating func transfer(_ numbers: inout [Int64]) {
        for index in numbers.indices { transfer(&numbers[index]) }
    }

    /// Buckets, which are all there or not at all.
    mutating func transfer(buckets: inout [Int64]) {
        var isOpen: Int64 = buckets.isEmpty ? 0 : 1
        transfer(&isOpen)
        if isOpen != 0, buckets.isEmpty { buckets = [Int64](repeating: 0, count: LogLinear.bucketCount) }
        if isOpen == 0 { buckets = [] }
        transfer(&buckets)
    }
}

extension Measurements {
    /// Nothing measured yet in a run of this world: what measurements are read back into.
    public init(emptyFor world: World) {
        self.init(
            windowCount: world.windowCount,
            stageCount: world.scenario.rides.stages.count,
            ageThresholdCount: world.scenario.measure.ageOver.count,
            waitThresholdCount: world.scenario.measure.waitOver.count
        )
    }

    /// Hands every number over, always in the same order.
    ///
    /// Writing and reading are one walk, so the two cannot go apart. How many numbers there are follows from the world and
    /// from which tallies hold anything, which the walk says first; a reader cannot be led to make room for more.
    public mutating func transfer(through numbers: inout some NumberTransfer) {
        numbers.transfer(&counters)
        for index in firstRides.indices { numbers.transfer(&firstRides[index]) }
        series.transfer(through: &numbers)
        for index in stages.indices { stages[index].transfer(through: &numbers) }
        numbers.transfer(&population)
        numbers.transfer(&peakPopulation)
        numbers.transfer(&peakQueue)
        for index in ageByStage.indices { ageByStage[index].transfer(through: &numbers) }
        for index in peakAgeByStage.indices { peakAgeByStage[index].transfer(through: &numbers) }
        for index in stageLags.indices { stageLags[index].transfer(through: &numbers) }
        numbers.transfer(&stagesNeverShown)
        numbers.transfer(&timeOverAge)
        activityAgeMean.transfer(through: &numbers)
        activityPeakAge.transfer(through: &numbers)
        for index in activityAgeShares.indices { activityAgeShares[index].transfer(through: &numbers) }
        recoveryTime.transfer(through: &numbers)
        for index in sendWaits.indices { sendWaits[index].transfer(through: &numbers) }
        for index in sendTimes.indices { sendTimes[index].transfer(through: &numbers) }
        numbers.transfer(&waitsOver)
        senderTimes.transfer(through: &numbers)
        numbers.transfer(&measuredTime)
        lifetime.transfer(through: &numbers)
        numbers.transfer(&eventCount)
    }
}

extension Measurements.StageTimes {
    fileprivate mutating func transfer(through numbers: inout some NumberTransfer) {
        numbers.transfer(&ride)
        numbers.transfer(&displayed)
        numbers.transfer(&displayedFresh)
        numbers.transfer(&silentlyStale)
        numbers.transfer(&wrongStage)
        numbers.transfer(&displayedFromApp)
        numbers.transfer(&displayedFromPush)
    }
}

extension Measurements.SenderTimes {
    fileprivate mutating func transfer(through numbers: inout some NumberTransfer) {
        numbers.transfer(&queued)
        numbers.transfer(&busy)
        numbers.transfer(&inOrbit)
        numbers.transfer(&saturated)
    }
}
