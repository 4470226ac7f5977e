/// Writes numbers one after another, or reads them back.
public protocol NumberTransfer {
    /// Transfers the next number: stores it, or replaces it with the stored one.
    mutating func transfer(_ number: inout Int64)

    /// Transfers the next numbers, as many as the array holds.
    ///
    /// Equivalent to transferring each in turn, but without a call per number across modules.
    mutating func transfer(_ numbers: inout [Int64])
}

extension NumberTransfer {
    /// Transfers each number in turn.
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

    /// Transfers an array of variable length, up to a maximum: its count, then its numbers.
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
    /// Creates empty measurements of a run of this world, to read measurements into.
    public init(emptyFor world: World) {
        self.init(MeasurementShape(world))
    }

    /// Empty measurements of the same run, to read measurements into when the world is not available.
    public var emptied: Measurements { Measurements(shape) }

    /// Transfers every number, always in the same order.
    ///
    /// One traversal serves writing and reading, so they cannot differ. The number of values follows from the world and
    /// from the lengths of the tallies, which come before their values and are bounded, so a reader never allocates
    /// more.
    public mutating func transfer(through numbers: inout some NumberTransfer) {
        numbers.transfer(&counters)
        for index in firstRides.indices { numbers.transfer(&firstRides[index]) }
        numbers.transfer(&totals)
        for index in observations.indices { observations[index].transfer(through: &numbers) }
        numbers.transfer(&peaks)
        series.transfer(through: &numbers)
        segmentSeries.transfer(through: &numbers)
        for index in ages.indices { ages[index].transfer(through: &numbers) }
        for index in etaErrors.indices { etaErrors[index].transfer(through: &numbers) }
        for index in activityAgeShares.indices { activityAgeShares[index].transfer(through: &numbers) }
        senderCourse.transfer(through: &numbers, shape)
    }
}
