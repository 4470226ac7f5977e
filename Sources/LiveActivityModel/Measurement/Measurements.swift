/// Everything that one cell measured in one replication, as integers only, so that sums over cells are exact.
///
/// The measures are declared as the cases of ``Counter``, ``Total``, ``Observation``, ``Peak``, ``SeriesColumn`` and
/// ``SegmentColumn``. A measure that is divided has a number for each of its parts; without a part, it is their sum.
public struct Measurements: Hashable, Sendable {
    let shape: MeasurementShape
    var counters: [Int64]
    /// The first ride that each counter counted, if recorded; `UInt64.max` for none.
    var firstRides: [UInt64]
    /// Grouped by part, each with all totals.
    var totals: [Int64]
    /// Grouped by part, each with all observations.
    var observations: [Tally]
    var peaks: [Int64]
    /// Sums per window.
    public internal(set) var series: Series
    /// Sums per window and segment of the fleet.
    public internal(set) var segmentSeries: SegmentSeries
    /// The age of the content on screens over time, by the stage of the ride, then after the ride; grouped by segment.
    var ages: [RampTally]
    /// The absolute error of the ETA on screens that show the current stage, over time; empty if content has no ETA.
    ///
    /// First where a screen shows too much time, then where it shows too little; grouped by segment.
    var etaErrors: [RampTally]
    /// For each threshold, the shares of the activities' own screen time in which the age exceeded it.
    public internal(set) var activityAgeShares: [ShareTally]
    /// The load on senders over time; kept once for the cells that share it.
    public internal(set) var senderCourse = SenderCourse()

    /// Creates empty measurements.
    init(_ shape: MeasurementShape) {
        self.shape = shape
        counters = [Int64](repeating: 0, count: Counter.allCases.count)
        firstRides = [UInt64](repeating: .max, count: Counter.allCases.count)
        totals = [Int64](repeating: 0, count: shape.totalWidth * Total.allCases.count)
        observations = [Tally](repeating: Tally(), count: shape.observationWidth * Observation.allCases.count)
        peaks = [Int64](repeating: 0, count: Peak.allCases.count)
        series = Series(windowCount: shape.windowCount)
        segmentSeries = SegmentSeries(windowCount: shape.windowCount, segmentCount: shape.segmentCount)
        ages = [RampTally](repeating: RampTally(), count: shape.keptPartCount(of: .stageOrAfter))
        etaErrors = [RampTally](repeating: RampTally(), count: shape.etaErrorCount)
        activityAgeShares = [ShareTally](repeating: ShareTally(), count: shape.ageThresholdCount)
    }

    /// Adds the measurements of another cell of the same run.
    public mutating func add(_ other: Measurements) {
        for index in counters.indices {
            counters[index] += other.counters[index]
            firstRides[index] = min(firstRides[index], other.firstRides[index])
        }
        for index in totals.indices { totals[index] += other.totals[index] }
        for index in observations.indices { observations[index].add(other.observations[index]) }
        for index in peaks.indices { peaks[index] += other.peaks[index] }
        series.add(other.series)
        segmentSeries.add(other.segmentSeries)
        for index in ages.indices { ages[index].add(other.ages[index]) }
        for index in etaErrors.indices { etaErrors[index].add(other.etaErrors[index]) }
        for index in activityAgeShares.indices { activityAgeShares[index].add(other.activityAgeShares[index]) }
        senderCourse.add(other.senderCourse)
    }

    /// The sum of the measurements of several cells of a run.
    ///
    /// - Precondition: There is at least one.
    public static func sum(_ parts: [Measurements]) -> Measurements {
        var sum = parts[0]
        for part in parts.dropFirst() {
            sum.add(part)
        }
        return sum
    }

    /// Completes a replication once all its cells are added, and frees the per-second data that adding them needed.
    public mutating func settle() { senderCourse.settle() }
}

// MARK: - Reading

extension Measurements {
    /// The value of a counter.
    public subscript(counter: Counter) -> Int64 {
        counters[counter.rawValue]
    }

    /// A ride that a counter has counted, as an example to examine: the one with the lowest number; nil if none is
    /// recorded.
    public func example(of counter: Counter) -> UInt64? {
        firstRides[counter.rawValue] == .max ? nil : firstRides[counter.rawValue]
    }

    /// The maximum of a level.
    public subscript(peak: Peak) -> Int64 {
        peaks[peak.rawValue]
    }

    /// The sum of a total over all of its parts.
    ///
    /// - Complexity: O(*parts*).
    public subscript(total: Total) -> Int64 {
        parts(of: total).reduce(0, +)
    }

    /// One part of a total, over all cities.
    ///
    /// - Complexity: O(*cities*).
    public subscript(total: Total, part: Int) -> Int64 {
        shape.keptParts(of: total.division, part).reduce(0) { $0 + kept(total, $1) }
    }

    private func kept(_ total: Total, _ part: Int) -> Int64 {
        totals[part * Total.allCases.count + total.rawValue]
    }

    /// The parts of a total.
    public func parts(of total: Total) -> [Int64] {
        (0..<shape.partCount(of: total.division)).map { self[total, $0] }
    }

    /// The part after the ride of a total divided by stage and after the ride.
    public func afterRide(_ total: Total) -> Int64 {
        self[total, shape.stageCount]
    }

    /// The values of an observation over all of its parts.
    ///
    /// - Complexity: O(*parts*).
    public subscript(observation: Observation) -> Tally {
        Tally.sum(parts(of: observation))
    }

    /// The values of one part of an observation, over all cities.
    ///
    /// - Complexity: O(*cities*).
    public subscript(observation: Observation, part: Int) -> Tally {
        Tally.sum(shape.keptParts(of: observation.division, part).map { kept(observation, $0) })
    }

    private func kept(_ observation: Observation, _ part: Int) -> Tally {
        observations[part * Observation.allCases.count + observation.rawValue]
    }

    /// The values of an observation, part by part.
    public func parts(of observation: Observation) -> [Tally] {
        (0..<shape.partCount(of: observation.division)).map { self[observation, $0] }
    }

    /// The values of an observation over the stages, for an observation divided by stage and after the ride.
    public func duringRide(_ observation: Observation) -> Tally {
        Tally.sum(parts(of: observation).dropLast())
    }

    /// The values after the ride of an observation divided by stage and after the ride.
    public func afterRide(_ observation: Observation) -> Tally {
        self[observation, shape.stageCount]
    }

    /// The sum of a time column of the series over the whole run [µs].
    ///
    /// - Complexity: O(*windows*).
    public func time(_ column: SeriesColumn) -> Int64 { series.total(column) }

    /// The number of effective events.
    public var eventCount: UInt64 { UInt64(self[.events]) }

    /// The age of the content on screens over time, by the stage of the ride, then after the ride.
    ///
    /// - Complexity: O(*stages* · *cities*).
    public var ageByStage: [RampTally] {
        (0..<shape.partCount(of: .stageOrAfter))
            .map { stage in
                shape.keptParts(of: .stageOrAfter, stage).reduce(into: RampTally()) { $0.add(ages[$1]) }
            }
    }

    /// The age of the content on screens over time.
    ///
    /// - Complexity: O(*stages* · *cities*).
    public var age: RampTally {
        ages.reduce(into: RampTally()) { $0.add($1) }
    }

    /// The age of the content on screens during rides.
    ///
    /// - Complexity: O(*stages*).
    public var ageDuringRide: RampTally {
        ageByStage.dropLast().reduce(into: RampTally()) { $0.add($1) }
    }

    /// The age of the content on screens after rides.
    public var ageAfterRide: RampTally { ageByStage[shape.stageCount] }

    // MARK: A part of the fleet

    /// The parts of a total in a part of the fleet, for a total divided by stage and after the ride; nil: in the whole.
    private func parts(of total: Total, in part: FleetPart?) -> [Int64] {
        guard let part else { return parts(of: total) }
        return (0..<shape.partCount(of: total.division))
            .map { stage in
                shape.segments(of: part).reduce(0) { $0 + kept(total, $1 * shape.segmentStride + stage) }
            }
    }

    /// The sum of a total in a part of the fleet, over the stages and after the ride; nil: in the whole fleet.
    public func all(_ total: Total, in part: FleetPart?) -> Int64 { parts(of: total, in: part).reduce(0, +) }

    /// The sum of a total over the stages, for a total divided by stage and after the ride.
    ///
    /// - Parameter part: The part of the fleet; nil: the whole.
    public func duringRide(_ total: Total, in part: FleetPart? = nil) -> Int64 {
        parts(of: total, in: part).prefix(shape.stageCount).reduce(0, +)
    }

    /// The values of an observation in a part of the fleet, for an observation divided by stage.
    public func all(_ observation: Observation, in part: FleetPart) -> Tally {
        Tally.sum(
            shape.segments(of: part)
                .flatMap { segment in
                    (0..<shape.partCount(of: observation.division))
                        .map { kept(observation, segment * shape.segmentStride + $0) }
                }
        )
    }

    /// The sum of a column of the time series in a part of the fleet, over the whole run; meaningless for a level.
    ///
    /// - Complexity: O(*windows*).
    public func total(_ column: SegmentColumn, in part: FleetPart) -> Int64 {
        (0..<shape.windowCount).reduce(0) { $0 + self[$1, part, column] }
    }

    /// The sum of a column of the time series in a window and a part of the fleet.
    public subscript(window: Int, part: FleetPart, column: SegmentColumn) -> Int64 {
        shape.segments(of: part).reduce(0) { $0 + segmentSeries[window, $1, column] }
    }

    /// The age of the content on screens in a part of the fleet over time.
    ///
    /// - Parameter duringRide: `true` to leave out cards after the end of their ride.
    public func age(in part: FleetPart, duringRide: Bool = false) -> RampTally {
        shape.segments(of: part)
            .reduce(into: RampTally()) { age, segment in
                // The last of a segment is after the ride.
                let stages = duringRide ? shape.segmentStride - 1 : shape.segmentStride
                for stage in 0..<stages { age.add(ages[segment * shape.segmentStride + stage]) }
            }
    }

    /// The errors of the ETA in a part of the fleet, which alternate: too much time, then too little; nil: in the whole.
    private func etaErrors(in part: FleetPart?) -> [RampTally] {
        guard let part, !etaErrors.isEmpty else { return etaErrors }
        return shape.segments(of: part).flatMap { etaErrors[2 * $0...2 * $0 + 1] }
    }

    /// The absolute error of the ETA on screens that show the current stage, over time.
    ///
    /// - Parameter part: The part of the fleet; nil: the whole.
    public func etaError(in part: FleetPart? = nil) -> RampTally {
        etaErrors(in: part).reduce(into: RampTally()) { $0.add($1) }
    }

    /// The integral of the shown minus the newest estimated time to arrival [µs · s].
    ///
    /// - Parameter part: The part of the fleet; nil: the whole.
    public func etaBias(in part: FleetPart? = nil) -> Int64 {
        let doubled = etaErrors(in: part).enumerated()
            .reduce(0 as Int128) { $0 + ($1.offset % 2 == 0 ? 1 : -1) * Int128($1.element.doubledIntegral) }
        return Int64(doubled / 2_000_000)
    }

    /// The displayed time [µs] in which the age exceeded a threshold of the scenario.
    public func timeOverAge(threshold: Int) -> Int64 {
        timeOverAge(threshold: threshold, isAfterRide: false) + timeOverAge(threshold: threshold, isAfterRide: true)
    }

    /// The displayed time [µs] in which the age exceeded a threshold, during rides or after them.
    public func timeOverAge(threshold: Int, isAfterRide: Bool) -> Int64 {
        self[.timeOverAge, 2 * threshold + (isAfterRide ? 1 : 0)]
    }

    /// The time with content of one source on a screen, by stage; the sources add up to the displayed time.
    public func displayedTime(from source: StoryLine.ContentSource) -> [Int64] {
        let (app, push) = (parts(of: .displayedFromAppTime), parts(of: .displayedFromPushTime))
        return switch source {
        case .start: parts(of: .displayedTime).indices.map { self[.displayedTime, $0] - app[$0] - push[$0] }
        case .app: app
        case .push: push
        }
    }
}
