import Quantities

/// The measurements of a running cell, in memory that events add to directly.
///
/// ``Measurements`` holds the same data in a form that can be copied, compared and summed; the recorder creates it on
/// demand. Nothing here is allocated, shared or reference-counted per event. The row of the current window of the time
/// series is cached, so an interval within one window costs one addition.
struct Recorder: ~Copyable {
    private let shape: MeasurementShape
    private let counters: Buffer<Int64>
    private let firstRides: Buffer<UInt64>
    /// Grouped by part, each with all totals, so that the totals of one part are adjacent.
    private let totals: Buffer<Int64>
    /// Grouped by part, each with all observations.
    private let observations: Buffer<Tally.Open>
    private let peaks: Buffer<Int64>

    private let series: Buffer<Int64>
    private let segmentSeries: Buffer<Int64>
    private let windowLength: Int64
    /// The columns of the current window, the columns of all cities in it, and its interval of time [µs].
    private var row: UnsafeMutablePointer<Int64>
    private var segmentRow: UnsafeMutablePointer<Int64>
    private var rowFrom: Int64 = 0
    private var rowUntil: Int64 = 0

    /// By stage, then after the ride; grouped by segment.
    private let ages: Buffer<RampTally.Open>
    /// Ascending [µs].
    private let ageThresholds: Buffer<Int64>
    /// The error of the ETA on screens that show too much time, then too little, by segment; empty if there is none.
    private let etaErrors: Buffer<RampTally.Open>
    /// Ascending [µs].
    private let etaThresholds: Buffer<Int64>
    private let activityAgeShares: Buffer<ShareTally>
    /// For each slot of an activity, the time [µs] that its age has spent above each threshold.
    private var timesOverAge: PagedRows

    /// Creates an empty recorder.
    init(_ world: World) {
        shape = MeasurementShape(world)
        counters = Buffer(repeating: 0, count: Counter.allCases.count)
        firstRides = Buffer(repeating: .max, count: Counter.allCases.count)
        totals = Buffer(repeating: 0, count: shape.totalWidth * Total.allCases.count)
        observations = Buffer(
            repeating: Tally.Open(),
            count: shape.observationWidth * Observation.allCases.count
        )
        peaks = Buffer(repeating: 0, count: Peak.allCases.count)
        series = Buffer(repeating: 0, count: shape.windowCount * Series.columnCount)
        row = series.address(of: 0)
        segmentSeries = Buffer(repeating: 0, count: shape.windowCount * shape.segmentRowWidth)
        segmentRow = segmentSeries.address(of: 0)
        windowLength = world.scenario.clock.window.microseconds
        ages = Buffer(repeating: RampTally.Open(), count: shape.keptPartCount(of: .stageOrAfter))
        ageThresholds = Buffer(repeating: 0, count: shape.ageThresholdCount)
        etaErrors = Buffer(repeating: RampTally.Open(), count: shape.etaErrorCount)
        etaThresholds = Buffer(repeating: 0, count: shape.etaThresholdCount)
        timesOverAge = PagedRows(width: shape.ageThresholdCount, longest: world.horizon.microseconds)
        activityAgeShares = Buffer(repeating: ShareTally(), count: shape.ageThresholdCount)
        for (index, threshold) in world.scenario.measure.ageOver.enumerated() {
            ageThresholds[index] = threshold.microseconds
        }
        for index in 0..<etaThresholds.count {
            etaThresholds[index] = world.scenario.measure.etaErrorOver[index].microseconds
        }
        moveRow(to: 0)
    }

    deinit {
        for index in 0..<etaErrors.count { etaErrors[index].close() }
        for part in 0..<ages.count { ages[part].close() }
        for index in 0..<observations.count { observations[index].close() }
    }

    // MARK: - Counts

    @inline(__always)
    func count(_ counter: Counter, by amount: Int64 = 1) {
        counters[counter.rawValue] &+= amount
    }

    func keepExample(_ ride: UInt64, of counter: Counter) {
        firstRides[counter.rawValue] = min(firstRides[counter.rawValue], ride)
    }

    // MARK: - Totals, observations, peaks

    /// Adds to a part of a total.
    @inline(__always)
    func add(_ amount: Int64, to total: Total, part: Int = 0) {
        totals[part &* Total.allCases.count &+ total.rawValue] &+= amount
    }

    /// Adds activities whose lives are cut, by segment.
    func addCutLives(_ counts: [Int64]) {
        for (segment, count) in counts.enumerated() {
            add(count, to: .cutLives, part: segment * shape.segmentStride)
        }
    }

    /// Records a value of an observation.
    ///
    /// - Precondition: `value` is not negative.
    @inline(__always)
    func record(_ value: Int64, as observation: Observation, part: Int = 0) {
        observations[part &* Observation.allCases.count &+ observation.rawValue].record(value)
    }

    /// Records a value whose count and sum are added later.
    @inline(__always)
    func record(_ value: Int64, as observation: Observation, part: Int, in batch: inout Tally.Open.Batch) {
        observations[part &* Observation.allCases.count &+ observation.rawValue].record(value, in: &batch)
    }

    /// Adds the count and sum of a batch.
    func add(_ batch: Tally.Open.Batch, to observation: Observation, part: Int) {
        observations[part &* Observation.allCases.count &+ observation.rawValue].add(batch)
    }

    /// Records a number of zeros.
    func record(zeros count: Int64, as observation: Observation, part: Int = 0) {
        observations[part &* Observation.allCases.count &+ observation.rawValue].record(zeros: count)
    }

    /// Records a level; its maximum is kept.
    @inline(__always)
    func raise(_ peak: Peak, to level: Int64) {
        peaks[peak.rawValue] = max(peaks[peak.rawValue], level)
    }

    // MARK: - The time series

    /// Adds an amount to a column in the window of an instant.
    @inline(__always)
    mutating func add(_ amount: Int64, to column: SeriesColumn, at instant: Instant) {
        bringRow(to: instant.microseconds)
        row[column.rawValue] &+= amount
    }

    /// Counts an update that was sent, accepted and shown, each in its window; in one step if all are in the same
    /// window.
    @inline(__always)
    mutating func countUpdate(sentAt: Instant, acceptedAt: Instant, shownAt: Instant) {
        if rowFrom <= sentAt.microseconds, max(acceptedAt, shownAt).microseconds < rowUntil {
            row[SeriesColumn.updatesSent.rawValue] &+= 1
            row[SeriesColumn.responsesAccepted.rawValue] &+= 1
            row[SeriesColumn.updatesShown.rawValue] &+= 1
        } else {
            add(1, to: .updatesSent, at: sentAt)
            add(1, to: .responsesAccepted, at: acceptedAt)
            add(1, to: .updatesShown, at: shownAt)
        }
    }

    /// Adds an interval [µs] to a column, split at the windows' boundaries; a level counts once for each of its units.
    @inline(__always)
    mutating func add(from: Int64, to: Int64, column: SeriesColumn, level: Int64 = 1) {
        guard from < to else { return }
        if isInRow(from: from, to: to) {
            row[column.rawValue] &+= level &* (to &- from)
        } else {
            addInPieces(from: from, to: to, column: column, level: level)
        }
    }

    /// Adds an interval [µs] to a column, in a branch that is seldom taken.
    @inline(never)
    mutating func addRare(from: Int64, to: Int64, column: SeriesColumn) {
        add(from: from, to: to, column: column)
    }

    /// Returns `true` if an interval [µs] is within the current window, and so every part of it.
    @inline(__always)
    func isInRow(from: Int64, to: Int64) -> Bool { from >= rowFrom && to <= rowUntil }

    /// Adds a part of an interval [µs] to a column.
    ///
    /// - Parameter isInRow: The result of ``isInRow(from:to:)`` for the whole interval.
    @inline(__always)
    mutating func add(from: Int64, to: Int64, column: SeriesColumn, isInRow: Bool) {
        guard from < to else { return }
        if isInRow {
            row[column.rawValue] &+= to &- from
        } else {
            addInPieces(from: from, to: to, column: column, level: 1)
        }
    }

    private mutating func addInPieces(from: Int64, to: Int64, column: SeriesColumn, level: Int64) {
        var start = from
        while start < to {
            moveRow(to: start)
            let end = min(to, rowUntil)
            row[column.rawValue] &+= level &* (end &- start)
            start = end
        }
    }

    /// Adds a sender's load over an interval [µs], split at the windows' boundaries.
    @inline(__always)
    mutating func add(_ load: SenderLoad, from: Int64, to: Int64) {
        guard from < to else { return }
        if isInRow(from: from, to: to) {
            add(load, during: to - from)
        } else {
            addInPieces(load, from: from, to: to)
        }
    }

    private mutating func addInPieces(_ load: SenderLoad, from: Int64, to: Int64) {
        var start = from
        while start < to {
            moveRow(to: start)
            let end = min(to, rowUntil)
            add(load, during: end - start)
            start = end
        }
    }

    @inline(__always)
    private func add(_ load: SenderLoad, during time: Int64) {
        row[SeriesColumn.queuedTime.rawValue] &+= load.queued &* time
        row[SeriesColumn.busyTime.rawValue] &+= load.busy &* time
        row[SeriesColumn.orbitTime.rawValue] &+= load.inOrbit &* time
        if load.queued > 0 { row[SeriesColumn.waitingTime.rawValue] &+= time }
        if load.isSaturated { row[SeriesColumn.saturatedTime.rawValue] &+= time }
    }

    /// Adds an amount to a column of a segment in the window of an instant.
    @inline(__always)
    mutating func add(_ amount: Int64, to column: SegmentColumn, inSegment segment: Int, at instant: Instant) {
        bringRow(to: instant.microseconds)
        segmentRow[segment &* SegmentSeries.columnCount &+ column.rawValue] &+= amount
    }

    /// Adds an interval [µs] to the columns of a segment, split at the windows' boundaries.
    mutating func add(_ times: SegmentTimes, from: Int64, to: Int64, inSegment segment: Int) {
        var start = from
        while start < to {
            bringRow(to: start)
            let end = min(to, rowUntil)
            times.add(from: start, to: end, to: segmentRow + segment &* SegmentSeries.columnCount)
            start = end
        }
    }

    @inline(__always)
    private mutating func bringRow(to microseconds: Int64) {
        if microseconds < rowFrom || microseconds >= rowUntil {
            moveRow(to: microseconds)
        }
    }

    private mutating func moveRow(to microseconds: Int64) {
        let window = min(Int(microseconds / windowLength), shape.windowCount - 1)
        row = series.address(of: window * Series.columnCount)
        segmentRow = segmentSeries.address(of: window * shape.segmentRowWidth)
        rowFrom = Int64(window) * windowLength
        // The last instant of a run belongs to its last window.
        rowUntil = window == shape.windowCount - 1 ? .max : rowFrom + windowLength
    }

    // MARK: - Ages

    /// Begins the age account of an activity that appears on a screen.
    mutating func beginAge(inPlace place: UInt32) {
        if ageThresholds.count > 0 { timesOverAge.clear(Int(place)) }
    }

    /// Records the growth of the age of the content on a screen [µs].
    ///
    /// - Parameters:
    ///   - part: The stage of the ride, within those of the segment; after the ride, the part past the last stage.
    ///   - place: The slot of the activity.
    @inline(__always)
    mutating func recordAge(from low: Int64, to high: Int64, part: Int, isAfterRide: Bool, inPlace place: UInt32) {
        ages[part].record(from: low, to: high)
        if ageThresholds.count > 0, high > ageThresholds[0] {
            recordTimeOverAge(from: low, to: high, isAfterRide: isAfterRide, inPlace: place)
        }
    }

    /// Records the growth of the age during a ride, with time and area added later.
    @inline(__always)
    mutating func recordAge(
        from low: Int64,
        to high: Int64,
        part: Int,
        inPlace place: UInt32,
        in batch: inout RampTally.Open.Batch
    ) {
        ages[part].record(from: low, to: high, in: &batch)
        if ageThresholds.count > 0, high > ageThresholds[0] {
            recordTimeOverAge(from: low, to: high, isAfterRide: false, inPlace: place)
        }
    }

    /// Adds the time and area of a batch.
    func add(_ batch: RampTally.Open.Batch, toAgesOf part: Int) { ages[part].add(batch) }

    private mutating func recordTimeOverAge(from low: Int64, to high: Int64, isAfterRide: Bool, inPlace place: UInt32) {
        for index in 0..<ageThresholds.count {
            let threshold = ageThresholds[index]
            guard high > threshold else { break }
            let time = high - max(low, threshold)
            add(time, to: .timeOverAge, part: 2 * index + (isAfterRide ? 1 : 0))
            timesOverAge.add(time, to: Int(place), index)
        }
    }

    /// Ends the age account of an activity that has left the screen after some time [µs].
    ///
    /// - Precondition: `time` is above 0.
    func endAge(inPlace place: UInt32, after time: Int64) {
        for index in 0..<ageThresholds.count {
            activityAgeShares[index].record(part: timesOverAge[Int(place), index], of: time)
        }
    }

    // MARK: - The ETA

    /// Records an absolute error of the shown ETA [µs] that grows, or falls, between two values at the rate of time.
    ///
    /// - Parameter isTooLong: `true` if the screen shows more time than is left, or the right time.
    @inline(__always)
    func recordETAError(from low: Int64, to high: Int64, isTooLong: Bool, in errors: inout ETAErrors) {
        if isTooLong {
            etaErrors[errors.place].record(from: low, to: high, in: &errors.tooLong)
        } else {
            etaErrors[errors.place &+ 1].record(from: low, to: high, in: &errors.tooShort)
        }
        if etaThresholds.count > 0, high > etaThresholds[0] { recordTimeOverETAError(from: low, to: high) }
    }

    @inline(__always)
    private func recordTimeOverETAError(from low: Int64, to high: Int64) {
        for index in 0..<etaThresholds.count {
            guard high > etaThresholds[index] else { break }
            add(high - max(low, etaThresholds[index]), to: .timeOverETAError, part: index)
        }
    }

    /// Records an absolute error of the shown ETA [µs] that lasts for a time [µs].
    @inline(__always)
    func recordETAError(_ error: Int64, during time: Int64, isTooLong: Bool, in errors: inout ETAErrors) {
        if isTooLong {
            etaErrors[errors.place].record(error, during: time, in: &errors.tooLong)
        } else {
            etaErrors[errors.place &+ 1].record(error, during: time, in: &errors.tooShort)
        }
        for index in 0..<etaThresholds.count {
            guard error > etaThresholds[index] else { break }
            add(time, to: .timeOverETAError, part: index)
        }
    }

    /// Adds the times and areas of several errors.
    @inline(__always)
    func add(_ errors: ETAErrors) {
        etaErrors[errors.place].add(errors.tooLong)
        etaErrors[errors.place &+ 1].add(errors.tooShort)
    }

    // MARK: - The result

    /// The measurements so far.
    ///
    /// - Complexity: O((*windows* + *stages*) · *cities*).
    var measurements: Measurements {
        var result = Measurements(shape)
        result.counters = counters.values
        result.firstRides = firstRides.values
        result.totals = totals.values
        result.observations = observations.values.map { Tally($0) }
        result.peaks = peaks.values
        result.series = Series(series.values)
        result.segmentSeries = SegmentSeries(segmentSeries.values, segmentCount: shape.segmentCount)
        result.ages = ages.values.map { RampTally($0) }
        result.etaErrors = etaErrors.values.map { RampTally($0) }
        result.activityAgeShares = activityAgeShares.values
        return result
    }
}

/// The times and areas of errors of the shown ETA, which are added to the recorder together.
struct ETAErrors {
    /// The place of the first in the recorder.
    let place: Int
    /// Of screens that show more time than is left, or the right time.
    var tooLong = RampTally.Open.Batch()
    /// Of screens that show less time than is left.
    var tooShort = RampTally.Open.Batch()

    /// Creates empty sums for a segment of the fleet.
    @inline(__always)
    init(inSegment segment: UInt8) { place = 2 &* Int(segment) }
}
