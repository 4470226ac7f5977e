import Quantities

/// What a cell measures while it runs, in memory that every event adds to directly.
///
/// ``Measurements`` is the same in a form that can be copied, compared and added up; it is made from the ledger when
/// somebody asks. Nothing here is allocated, shared or counted per event, and the row of the current window of the time
/// series stays at hand, so that a stretch of time within one window costs one addition.
struct Ledger: ~Copyable {
    private let counters: UnsafeMutablePointer<Int64>
    private let firstRides: UnsafeMutablePointer<UInt64>
    private let series: UnsafeMutablePointer<Int64>
    private let windowCount: Int
    private let windowLength: Int64

    /// The columns of the current window, and the stretch of time that they stand for [µs].
    private var row: UnsafeMutablePointer<Int64>
    private var rowFrom: Int64
    private var rowUntil: Int64

    /// Times on screens per stage, and, last, after the ride.
    let stages: UnsafeMutablePointer<Measurements.StageTimes>
    let ageByStage: UnsafeMutablePointer<RampTally.Open>
    let peakAgeByStage: UnsafeMutablePointer<Tally.Open>
    /// From the beginning of each stage to the first screen that shows it.
    let stageLags: UnsafeMutablePointer<Tally.Open>
    /// How often each stage was over before a screen showed it.
    let stagesNeverShown: UnsafeMutablePointer<Int64>
    private let stageCount: Int
    /// For each threshold the time above it, during rides and after them.
    let timeOverAge: UnsafeMutablePointer<Int64>
    /// Ascending [µs].
    let ageThresholds: UnsafeMutablePointer<Int64>
    let activityAgeShares: UnsafeMutablePointer<ShareTally>
    let ageThresholdCount: Int
    let waitsOver: UnsafeMutablePointer<Int64>
    private let waitThresholdCount: Int
    /// By rank.
    let sendWaits: UnsafeMutablePointer<Tally.Open>
    let sendTimes: UnsafeMutablePointer<Tally.Open>

    var activityAgeMean = Tally.Open()
    var activityPeakAge = Tally.Open()
    var recoveryTime = Tally.Open()
    var lifetime = Tally.Open()
    var population: Int64 = 0
    var peakPopulation: Int64 = 0
    var peakQueue: Int64 = 0
    var senderTimes = Measurements.SenderTimes()
    var measuredTime: Int64 = 0
    var eventCount: UInt64 = 0

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
        let measure = world.scenario.measure
        counters = zeros(Counter.allCases.count)
        firstRides = filled(with: .max, count: Counter.allCases.count)
        windowCount = world.windowCount
        windowLength = world.scenario.clock.window.microseconds
        series = zeros(windowCount * Series.columnCount)
        row = series
        rowFrom = 0
        rowUntil = 0
        stageCount = world.scenario.rides.stages.count + 1
        stages = filled(with: Measurements.StageTimes(), count: stageCount)
        ageByStage = filled(with: RampTally.Open(), count: stageCount)
        peakAgeByStage = filled(with: Tally.Open(), count: stageCount)
        stageLags = filled(with: Tally.Open(), count: stageCount - 1)
        stagesNeverShown = zeros(stageCount - 1)
        ageThresholdCount = measure.ageOver.count
        timeOverAge = zeros(2 * ageThresholdCount)
        ageThresholds = filled(with: 0, count: ageThresholdCount)
        for (index, threshold) in measure.ageOver.enumerated() { ageThresholds[index] = threshold.microseconds }
        activityAgeShares = filled(with: ShareTally(), count: ageThresholdCount)
        waitThresholdCount = measure.waitOver.count
        waitsOver = zeros(waitThresholdCount)
        sendWaits = filled(with: Tally.Open(), count: RankedQueue.rankCount)
        sendTimes = filled(with: Tally.Open(), count: RankedQueue.rankCount)
        moveRow(to: 0)
    }

    deinit {
        for stage in 0..<stageCount {
            ageByStage[stage].close()
            peakAgeByStage[stage].close()
        }
        for stage in 0..<stageCount - 1 { stageLags[stage].close() }
        for rank in 0..<RankedQueue.rankCount {
            sendWaits[rank].close()
            sendTimes[rank].close()
        }
        activityAgeMean.close()
        activityPeakAge.close()
        recoveryTime.close()
        lifetime.close()
        counters.deallocate()
        firstRides.deallocate()
        series.deallocate()
        stages.deallocate()
        ageByStage.deallocate()
        peakAgeByStage.deallocate()
        stageLags.deallocate()
        stagesNeverShown.deallocate()
        timeOverAge.deallocate()
        ageThresholds.deallocate()
        activityAgeShares.deallocate()
        waitsOver.deallocate()
        sendWaits.deallocate()
        sendTimes.deallocate()
    }

    // MARK: - Counts

    @inline(__always)
    func count(_ counter: Counter, by amount: Int64 = 1) {
        counters[counter.rawValue] &+= amount
    }

    func keepExample(_ ride: UInt64, of counter: Counter) {
        firstRides[counter.rawValue] = min(firstRides[counter.rawValue], ride)
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
        var result = Measurements(
            windowCount: windowCount,
            stageCount: stageCount - 1,
            ageThresholdCount: ageThresholdCount,
            waitThresholdCount: waitThresholdCount
        )
        for counter in Counter.allCases {
            result.count(counter, by: counters[counter.rawValue])
            result.keepExample(firstRides[counter.rawValue], of: counter)
        }
        result.series = Series(UnsafeBufferPointer(start: series, count: windowCount * Series.columnCount))
        result.stages = (0..<stageCount).map { stages[$0] }
        result.ageByStage = (0..<stageCount).map { RampTally(ageByStage[$0]) }
        result.peakAgeByStage = (0..<stageCount).map { Tally(peakAgeByStage[$0]) }
        result.stageLags = (0..<stageCount - 1).map { Tally(stageLags[$0]) }
        result.stagesNeverShown = (0..<stageCount - 1).map { stagesNeverShown[$0] }
        result.timeOverAge = (0..<2 * ageThresholdCount).map { timeOverAge[$0] }
        result.activityAgeShares = (0..<ageThresholdCount).map { activityAgeShares[$0] }
        result.waitsOver = (0..<waitThresholdCount).map { waitsOver[$0] }
        result.sendWaits = (0..<RankedQueue.rankCount).map { Tally(sendWaits[$0]) }
        result.sendTimes = (0..<RankedQueue.rankCount).map { Tally(sendTimes[$0]) }
        result.activityAgeMean = Tally(activityAgeMean)
        result.activityPeakAge = Tally(activityPeakAge)
        result.recoveryTime = Tally(recoveryTime)
        result.lifetime = Tally(lifetime)
        result.population = population
        result.peakPopulation = peakPopulation
        result.peakQueue = peakQueue
        result.senderTimes = senderTimes
        result.measuredTime = measuredTime
        result.eventCount = eventCount
        return result
    }
}
