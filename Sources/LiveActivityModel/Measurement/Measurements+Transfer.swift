/// Takes numbers down, or gives them back, one after the other.
public protocol NumberTransfer {
    /// The next number: kept as it is, or replaced by the one that was kept.
    mutating func transfer(_ number: inout Int64)

    /// The next numbers, as many as there are: the same as one after the other, for which there is one call a number where
    /// a module does not see how.
    mutating func transfer(_ numbers: inout [Int64])
}

extension NumberTransfer {
    /// One after the other.
    public mutating func transfer(_ numbers: inout [Int64]) {
        for index in numbers.indices { transfer(&numbers[index]) }
    }

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

    /// As many of the first numbers as there are, of those that there may be.
    mutating func transfer(leading numbers: inout [Int64], of most: Int = LogLinear.bucketCount) {
        var count = Int64(numbers.count)
        transfer(&count)
        let room = Int(max(0, min(count, Int64(most))))
        if room < numbers.count {
            numbers.removeLast(numbers.count - room)
        } else {
            numbers.append(contentsOf: repeatElement(0, count: room - numbers.count))
        }
        transfer(&numbers)
    }
}

extension Measurements {
    /// Nothing measured yet in a run of this world: what measurements are read back into.
    public init(emptyFor world: World) {
        self.init(MeasurementShape(world))
    }

    /// Nothing measured yet in the same run: what measurements are read back into where no world is at hand.
    public var emptied: Measurements { Measurements(shape) }

    /// Hands every number over, always in the same order.
    ///
    /// Writing and reading are one walk, so the two cannot go apart. How many numbers there are follows from the world and
    /// from which tallies hold anything, which the walk says first; a reader cannot be led to make room for more.
    public mutating func transfer(through numbers: inout some NumberTransfer) {
        numbers.transfer(&counters)
        for index in firstRides.indices { numbers.transfer(&firstRides[index]) }
        numbers.transfer(&totals)
        for index in observations.indices { observations[index].transfer(through: &numbers) }
        numbers.transfer(&peaks)
        series.transfer(through: &numbers)
        citySeries.transfer(through: &numbers)
        for index in ages.indices { ages[index].transfer(through: &numbers) }
        for index in activityAgeShares.indices { activityAgeShares[index].transfer(through: &numbers) }
        senderCourse.transfer(through: &numbers, shape)
    }
}
