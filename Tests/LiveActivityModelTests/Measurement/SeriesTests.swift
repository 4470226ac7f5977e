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
}
