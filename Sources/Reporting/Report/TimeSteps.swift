import Experiments
import LiveActivityModel
import Quantities

/// The time series of a run in steps of one or more windows, from the first to the last step with anything in it.
struct TimeSteps {
    /// Sums over a stretch of the run, and over all replications.
    struct Step {
        /// The stretch's first measured instant.
        let from: Instant
        /// The end of the stretch or of the run.
        let until: Instant
        /// Its windows; the first and the last may be cut by the warm-up and the horizon.
        let windows: Range<Int>
        fileprivate let sums: [Int64]

        /// How much of the run it covers.
        var length: TimeSpan { until - from }

        /// The sum of a column; of a level, its value at the beginning.
        subscript(column: SeriesColumn) -> Int64 { sums[column.rawValue] }

        /// The same of one city's columns.
        func sum(_ column: CityColumn, inCity city: Int, of series: CitySeries) -> Int64 {
            column.whole == .liveAtStart
                ? series[windows.lowerBound, city, column] : windows.reduce(0) { $0 + series[$1, city, column] }
        }

        /// One column as a part of another; nil when there is nothing to take a part of.
        func share(_ part: SeriesColumn, of whole: SeriesColumn) -> Double? {
            self[whole] == 0 ? nil : Double(self[part]) / Double(self[whole])
        }

        /// The faults that touch the stretch.
        func faults(of scenario: Scenario) -> [Scenario.Fault] {
            scenario.faults.filter { fault in
                let begin = Instant.start + fault.at
                return begin < until && (from < begin + fault.duration || from <= begin)
            }
        }
    }

    /// In the order of time.
    let steps: [Step]
    private let lastArrival: Instant

    /// The steps that begin while rides still arrive.
    ///
    /// After that the few cards that nothing has ended are left on screens: their shares say nothing about the day.
    var whileRidesArrive: [Step] { steps.filter { $0.from < lastArrival } }

    /// Of these the steps with at least 1 % of a step's mean time on screens: one with hardly anything alive says nothing.
    var worthTelling: [Step] { TimeSteps.worthTelling(whileRidesArrive, by: .displayedTime) }

    /// The steps that have at least 1 % of the mean of a column.
    static func worthTelling(_ steps: [Step], by column: SeriesColumn) -> [Step] {
        let total = steps.reduce(into: Int64(0)) { $0 += $1[column] }
        let mean = Double(total) / Double(max(1, steps.count))
        return steps.filter { $0[column] > 0 && Double($0[column]) >= mean / 100 }
    }

    /// Cuts a run into steps.
    ///
    /// - Precondition: `windowsPerStep` is at least 1.
    init(_ result: RunResult, windowsPerStep: Int) {
        precondition(windowsPerStep >= 1, "a step has at least one window")
        lastArrival = .start + result.scenario.clock.duration
        let series = result.total.series
        guard let active = TimeSteps.activeWindows(of: result.total) else {
            steps = []
            return
        }
        let clock = result.scenario.clock
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
                        // A level is that of the step's beginning.
                        column == .liveAtStart
                            ? series[windows.lowerBound, column] : windows.reduce(0) { $0 + series[$1, column] }
                    }
                )
            }
    }

    /// Steps of a given length, or of the next number of whole windows.
    init(_ result: RunResult, near length: TimeSpan) {
        let window = result.scenario.clock.window.microseconds
        self.init(result, windowsPerStep: max(1, Int((length.microseconds + window / 2) / window)))
    }

    /// As many windows to a step as keep the number of steps within a limit.
    ///
    /// - Precondition: `count` is at least 2.
    init(_ result: RunResult, atMost count: Int) {
        precondition(count >= 2, "a run can reach into two steps, however long they are")
        let active = TimeSteps.activeWindows(of: result.total)?.count ?? 0
        // The first and the last step may each be entered by a single window, hence the one step in reserve.
        let perStep = active <= count ? 1 : (active + count - 3) / (count - 1)
        self.init(result, windowsPerStep: perStep)
    }

    /// The windows from the first to the last with anything in them, rides without an activity in cities included.
    private static func activeWindows(of total: Measurements) -> ClosedRange<Int>? {
        let (series, cities) = (total.series, total.citySeries)
        func isActive(_ window: Int) -> Bool {
            SeriesColumn.written.contains { series[window, $0] != 0 } || cities.hasAnything(in: window)
        }
        let windows = 0..<series.windowCount
        guard let first = windows.first(where: isActive), let last = windows.last(where: isActive) else { return nil }
        return first...last
    }
}
