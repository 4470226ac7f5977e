import Testing

@testable import LiveActivityModel

@Suite("Series")
struct SeriesTests {
    @Test("A sum goes to its window and column only; the very last instant belongs to the last window")
    func cells() {
        var series = Series(windowCount: 3)
        series.add(5, to: .freshTime, window: 1)
        series.add(7, to: .freshTime, window: 3)
        series.add(11, to: .freshTime, window: 2)
        for window in 0..<3 {
            for column in SeriesColumn.allCases {
                #expect(series[window, column] == (column == .freshTime ? [0, 5, 18][window] : 0))
            }
        }
        var sum = Series(windowCount: 3)
        sum.add(series)
        sum.add(series)
        #expect(sum[2, .freshTime] == 36)
    }

    @Test("The waiting time of the cell with the longest is not a sum")
    func longest() {
        var sum = Series(windowCount: 2)
        for times: [Int64] in [[3, 0], [5, 1], [4, 0]] {
            var raw = [Int64](repeating: 0, count: 2 * SeriesColumn.allCases.count)
            for window in 0..<2 {
                raw[window * SeriesColumn.allCases.count + SeriesColumn.waitingTime.rawValue] = times[window]
            }
            sum.add(Series(raw))
        }
        #expect(sum.longestWaits == [5, 1])
        #expect([sum[0, .waitingTime], sum[1, .waitingTime]] == [12, 1])
    }

    @Test("Times during rides are completed from the times of the rest")
    func completed() {
        var raw = [Int64](repeating: 0, count: SeriesColumn.allCases.count)
        for (column, time) in [
            (SeriesColumn.displayedTime, 100), (.displayedFreshTime, 80),
            // Without an activity; after the ride; after the ride and fresh; of the ride.
            (.rideTime, 7), (.rideDisplayedTime, 20), (.rideDisplayedFreshTime, 5), (.rideWrongStageTime, 11),
            // In the drain.
            (.busyTime, 50), (.busyTimeOfArrivals, 8), (.waitingTime, 3),
        ] as [(SeriesColumn, Int64)] {
            raw[column.rawValue] = time
        }
        let series = Series(raw)
        let expected: [(SeriesColumn, Int64)] = [
            (.rideTime, 87), (.rideDisplayedTime, 80), (.rideDisplayedFreshTime, 75), (.rideWrongStageTime, 11),
            (.rideStageTime, 69), (.busyTimeOfArrivals, 42), (.waitingTime, 3),
        ]
        for (column, time) in expected { #expect(series[0, column] == time, "\(column)") }
    }
}
