import Benchmarking
import Testing

/// Medians of runs.
@Suite("Run series")
struct RunSeriesTests {
    @Test(
        "The median is the middle value, or between the two middle values",
        arguments: [([3], 3), ([9, 1, 5], 5), ([4, 1, 2, 100], 3)] as [([Double], Double)]
    )
    func median(values: [Double], expected: Double) {
        let series = RunSeries(values)
        #expect(series.median == expected)
        #expect(series.least == values.min())
        #expect(series.greatest == values.max())
    }
}
