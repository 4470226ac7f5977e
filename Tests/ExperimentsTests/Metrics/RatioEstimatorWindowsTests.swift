import Quantities
import RandomStreams
import Statistics
import Testing

@testable import Experiments
@testable import LiveActivityModel

@Suite("Intervals from windows")
struct RatioEstimatorWindowsTests {
    private static func series(_ windows: Int, _ fresh: (Int) -> Int64) -> Series {
        var series = Series(windowCount: windows + 3)
        for window in 0..<windows {
            // The first two windows hold nothing.
            series.add(1000, to: .displayedTime, window: window + 2)
            series.add(fresh(window), to: .displayedFreshTime, window: window + 2)
        }
        return series
    }

    private static func noise(_ window: Int) -> Int64 {
        Int64(RandomSource(seed: 2, replication: 0).draw(entity: 0, purpose: 0, index: UInt32(window)) >> 56)
    }

    private func estimate(_ series: Series) -> RatioEstimator? {
        RatioEstimator(windowsOf: series, .displayedFreshTime, per: .displayedTime)
    }

    @Test("Twenty batches of independent windows, ten when there are few, none when there are fewer")
    func batches() throws {
        #expect(try #require(estimate(Self.series(40, Self.noise))).degreesOfFreedom == 19)
        #expect(try #require(estimate(Self.series(39, Self.noise))).degreesOfFreedom == 9)
        #expect(estimate(Self.series(19, Self.noise)) == nil)
        let series = Self.series(50, Self.noise)
        let ratio = Double(series.total(.displayedFreshTime)) / Double(series.total(.displayedTime))
        #expect(try #require(estimate(series)).ratio == ratio)
    }

    @Test("A run that drifts has none")
    func drift() {
        #expect(estimate(Self.series(60) { 10 * Int64($0) + Self.noise($0) / 8 }) == nil)
    }

    @Test("The summary of one replication in one cell takes them for shares of time, and for nothing else")
    func summary() async throws {
        var scenario = Scenario.smallPoisson
        scenario.cells = 1
        scenario.faults = []
        scenario.clock.duration = .hours(10)
        scenario.clock.window = .minutes(5)
        // Late pushes make content stale; lost ends would pile up dead cards, and no run of ten hours is steady then.
        scenario.apns.latency = .exponential(mean: 60e6)
        let result = try await RunResult.running(scenario)
        #expect(result.intervalBasis == .windows)
        let summary = Summary(result)
        let row = try #require(summary.row("displayed_fresh_time_ratio", "ratio"))
        let expected = try #require(estimate(result.total.series))
        #expect(row.n == expected.degreesOfFreedom + 1)
        #expect(row.interval == max(0, expected.interval.lowerBound)...min(1, expected.interval.upperBound))
        #expect(summary.row("age_of_information_us", "mean")?.interval == nil)
        #expect(summary.row("rides_requested_count", "total")?.interval == nil)
        scenario.cells = 2
        #expect(try await RunResult.running(scenario).intervalBasis == .cells)
    }
}
