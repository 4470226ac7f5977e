import Evaluation
import LiveActivityModel
import Quantities

/// The time series of a run in steps of one or more windows, from the first to the last step with anything in it.
struct TimeSteps {
    /// Sums over an interval of the run, and over all replications.
    struct Step {
        /// The first measured instant of the interval.
        let from: Instant
        /// The end of the interval, or of the run.
        let until: Instant
        /// Its windows; the first and the last may be cut by the warm-up and the horizon.
        let windows: Range<Int>
        fileprivate let sums: [Int64]

        /// The length of the interval.
        var length: TimeSpan { until - from }

        /// The middle of the interval: a share belongs to the whole of it.
        var middle: Instant { Instant(microseconds: from.microseconds + length.microseconds / 2) }

        /// The sum of a column; for a level, its value at the beginning.
        subscript(column: SeriesColumn) -> Int64 { sums[column.rawValue] }

        /// Returns the sum of a column in a part of the fleet.
        func sum(_ column: SegmentColumn, in part: FleetPart, of total: Measurements) -> Int64 {
            column.whole == .liveAtStart
                ? total[windows.lowerBound, part, column] : windows.reduce(0) { $0 + total[$1, part, column] }
        }

        /// Returns one column as a share of another; nil if the other is zero.
        func share(_ part: SeriesColumn, of whole: SeriesColumn) -> Double? {
            self[whole] == 0 ? nil : Double(self[part]) / Double(self[whole])
        }

        /// Returns the faults that overlap the interval.
        func faults(of scenario: Scenario) -> [Scenario.Fault] { scenario.faults(from: from, until: until) }
    }

    /// The steps, in order of time.
    let steps: [Step]
    private let lastArrival: Instant

    /// The steps that begin while rides still arrive.
    ///
    /// Later, only the few cards that were never ended are on screens, and their shares say nothing about the day.
    var whileRidesArrive: [Step] { steps.filter { $0.from < lastArrival } }

    /// Returns the steps that have at least 1 % of a column's mean; so little time is not representative.
    static func worthTelling(_ steps: [Step], by column: SeriesColumn) -> [Step] {
        let total = steps.reduce(into: Int64(0)) { $0 += $1[column] }
        let mean = Double(total) / Double(max(1, steps.count))
        return steps.filter { $0[column] > 0 && Double($0[column]) >= mean / 100 }
    }

    /// Divides a run into steps.
    ///
    /// - Precondition: `windowsPerStep` is at least 1.
    init(_ result: RunResult, windowsPerStep: Int) {
        self.init(result.total, clock: result.scenario.clock, windowsPerStep: windowsPerStep)
    }

    /// Divides measurements of a run, such as those of one replication, into steps.
    ///
    /// - Precondition: `windowsPerStep` is at least 1.
    init(_ measured: Measurements, clock: Scenario.Clock, windowsPerStep: Int) {
        precondition(windowsPerStep >= 1, "a step has at least one window")
        lastArrival = .start + clock.duration
        let series = measured.series
        guard let active = TimeSteps.activeWindows(of: measured) else {
            steps = []
            return
        }
        let window = clock.window.microseconds
        let horizon = clock.duration.microseconds + clock.drain.microseconds
        steps = (active.lowerBound / windowsPerStep...active.upperBound / windowsPerStep)
            .map { index in
                let windows = index * windowsPerStep..<min((index + 1) * windowsPerStep, series.windowCount)
                return Step(
                    from: Instant(microseconds: max(Int64(windows.lowerBound) * window, clock.warmUp.microseconds)),
                    until: Instant(microseconds: min(Int64(windows.upperBound) * window, horizon)),
                    windows: windows,
                    sums: SeriesColumn.allCases.map { column in
                        // A level has the value of the step's beginning.
                        column == .liveAtStart
                            ? series[windows.lowerBound, column] : windows.reduce(0) { $0 + series[$1, column] }
                    }
                )
            }
    }

    /// Divides a run into steps of a given length, rounded to whole windows.
    init(_ result: RunResult, near length: TimeSpan) {
        let window = result.scenario.clock.window.microseconds
        self.init(result, windowsPerStep: max(1, Int((length.microseconds + window / 2) / window)))
    }

    /// Divides a run into at most a given number of steps.
    ///
    /// - Precondition: `count` is at least 2.
    init(_ result: RunResult, atMost count: Int) {
        precondition(count >= 2, "a run can reach into two steps, however long they are")
        let active = TimeSteps.activeWindows(of: result.total)?.count ?? 0
        // The first and the last step may each contain a single window, hence the one step in reserve.
        let perStep = active <= count ? 1 : (active + count - 3) / (count - 1)
        self.init(result, windowsPerStep: perStep)
    }

    /// Returns the windows from the first to the last one that is not empty; rides without an activity in cities count.
    private static func activeWindows(of total: Measurements) -> ClosedRange<Int>? {
        let (series, segments) = (total.series, total.segmentSeries)
        func isActive(_ window: Int) -> Bool {
            SeriesColumn.written.contains { series[window, $0] != 0 } || segments.hasAnything(in: window)
        }
        let windows = 0..<series.windowCount
        guard let first = windows.first(where: isActive), let last = windows.last(where: isActive) else { return nil }
        return first...last
    }
}

extension Scenario {
    /// Returns the faults that overlap an interval.
    func faults(from: Instant, until: Instant) -> [Fault] {
        faults.filter { fault in
            let begin = Instant.start + fault.at
            return begin < until && (from < begin + fault.duration || from <= begin)
        }
    }
}
