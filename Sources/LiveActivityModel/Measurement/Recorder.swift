import Quantities

/// What a cell measures while it runs, in memory that every event adds to directly.
///
/// ``Measurements`` is the same in a form that can be copied, compared and added up; it is made from the recorder on
/// demand. Nothing here is allocated, shared or counted per event, and the row of the current window of the time
/// series stays at hand, so that a stretch of time within one window costs one addition.
struct Recorder: ~Copyable {
    private let counters: UnsafeMutablePointer<Int64>
    private let firstRides: UnsafeMutablePointer<UInt64>
    private let series: UnsafeMutablePointer<Int64>
    private let windowCount: Int
    private let windowLength: Int64

    /// The columns of the current window, and the stretch of time that they stand for [µs].
    private var row: UnsafeMutablePointer<Int64>
    private var rowFrom: Int64
    private var rowUntil: Int64

    private let shape: MeasurementShape
    /// Part by part, each with all totals, so that those of one part are neighbours.
    private let totals: UnsafeMutablePointer<Int64>
    /// Part by part, each with all observations.
    private let observations: UnsafeMutablePointer<Tally.Open>
    private let peaks: UnsafeMutablePointer<Int64>

    let ageByStage: UnsafeMutablePointer<RampTally.Open>
    /// Ascending [µs].
    let ageThresholds: UnsafeMutablePointer<Int64>
    let ageThresholdCount: Int
    let activityAgeShares: UnsafeMutablePointer<ShareTally>

    /// Nothing measured yet.
    init(_ world: World) {
        func zeros<Number: AdditiveArithmetic>(_ count: Int) -> UnsafeMutablePointer<Number> {
            filled(with: Number.zero, count: count)
        }
        func filled<Element>(with element: Element, count: Int) -> UnsafeMutablePointer<Element> {
            let memory = UnsafeMutablePointer<Element>.allocate(capacity: count)
            memory.initialize(repeating: element, count: count)
            return memory
        }
        shape = MeasurementShape(world)
        counters = zeros(Counter.allCases.count)
        firstRides = filled(with: .max, count: Counter.allCases.count)
        totals = zeros(shape.totalWidth * Total.allCases.count)
        observations = filled(with: Tally.Open(), count: shape.observationWidth * Observation.allCases.count)
        peaks = zeros(Peak.allCases.count)
        windowCount = world.windowCount
        windowLength = world.scenario.clock.window.microseconds
        series = zeros(windowCount * Series.columnCount)
        row = series
        rowFrom = 0
        rowUntil = 0
        ageByStage = filled(with: RampTally.Open(), count: shape.partCount(of: .stageOrAfter))
        let ageOver = world.scenario.measure.ageOver
        ageThresholdCount = ageOver.count
        ageThresholds = filled(with: 0, count: ageOver.count)
        for (index, threshold) in ageOver.enumerated() { ageThresholds[index] = threshold.microseconds }
        activityAgeShares = filled(with: ShareTally(), count: ageOver.count)
        moveRow(to: 0)
    }

    deinit {
        for stage in 0..<shape.partCount(of: .stageOrAfter) { ageByStage[stage].close() }
        for index in 0..<shape.observationWidth * Observation.allCases.count { observations[index].close() }
        counters.deallocate()
        firstRides.deallocate()
        totals.deallocate()
        observations.deallocate()
        peaks.deallocate()
        series.deallocate()
        ageByStage.deallocate()
        ageThresholds.deallocate()
        activityAgeShares.deallocate()
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

    /// Takes in one value of an observation.
    ///
    /// - Precondition: `value` is not negative.
    @inline(__always)
    func record(_ value: Int64, as observation: Observation, part: Int = 0) {
        observations[part &* Observation.allCases.count &+ observation.rawValue].record(value)
    }

    /// Takes in a level.
    @inline(__always)
    func raise(_ peak: Peak, to level: Int64) {
        peaks[peak.rawValue] = max(peaks[peak.rawValue], level)
    }

    // MARK: - The time series

    /// Adds an amount to a column in the window of an instant.
    @inline(__always)
    mutating func add(_ amount: Int64, to column: SeriesColumn, at instant: Instant) {
        if instant.microseconds < rowFrom || instant.microseconds >= rowUntil {
            moveRow(to: instant.microseconds)
        }
        row[column.rawValue] &+= amount
    }

    /// Adds a stretch of time [µs] to a column, cut at the windows' borders.
    @inline(__always)
    mutating func add(from: Int64, to: Int64, column: SeriesColumn) {
        guard from < to else { return }
        if from >= rowFrom, to <= rowUntil {
            row[column.rawValue] += to - from
        } else {
            addInPieces(from: from, to: to, column: column)
        }
    }

    private mutating func addInPieces(from: Int64, to: Int64, column: SeriesColumn) {
        var start = from
        while start < to {
            moveRow(to: start)
            let end = min(to, rowUntil)
            row[column.rawValue] += end - start
            start = end
        }
    }

    private mutating func moveRow(to microseconds: Int64) {
        let window = min(Int(microseconds / windowLength), windowCount - 1)
        row = series + window * Series.columnCount
        rowFrom = Int64(window) * windowLength
        // The last instant of a run belongs to its last window.
        rowUntil = window == windowCount - 1 ? .max : rowFrom + windowLength
    }

    // MARK: - The result

    /// All of it as a value.
    ///
    /// - Complexity: O(*windows* + *stages*).
    var measurements: Measurements {
        var result = Measurements(shape)
        func values<Number>(_ memory: UnsafeMutablePointer<Number>, _ count: Int) -> [Number] {
            Array(UnsafeBufferPointer(start: memory, count: count))
        }
        result.counters = values(counters, result.counters.count)
        result.firstRides = values(firstRides, result.firstRides.count)
        result.totals = values(totals, result.totals.count)
        result.observations = values(observations, result.observations.count).map { Tally($0) }
        result.peaks = values(peaks, result.peaks.count)
        result.series = Series(UnsafeBufferPointer(start: series, count: windowCount * Series.columnCount))
        result.ageByStage = values(ageByStage, result.ageByStage.count).map { RampTally($0) }
        result.activityAgeShares = values(activityAgeShares, result.activityAgeShares.count)
        return result
    }
}
