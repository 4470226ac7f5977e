import Quantities
import SimulationKernel
import Testing

@testable import Evaluation
@testable import LiveActivityModel

@Suite("Intervals from windows")
struct SeriesBatchesTests {
    private static func series(_ windows: Int, _ fresh: (Int) -> Int64) -> Series {
        var series = Series(windowCount: windows + 3)
        for window in 0..<windows {
            // The first two windows are empty.
            series.add(1000, to: .displayedTime, window: window + 2)
            series.add(fresh(window), to: .displayedFreshTime, window: window + 2)
        }
        return series
    }

    private static func noise(_ window: Int) -> Int64 {
        Int64(RandomSource(seed: 2, replication: 0).draw(entity: 0, purpose: 0, index: UInt32(window)) >> 56)
    }

    private func batches(_ series: Series) -> [IntervalRule.Part]? {
        series.independentBatches(.displayedFreshTime, per: .displayedTime)
    }

    @Test("Ten batches of independent windows; none with fewer than two windows per batch")
    func count() throws {
        #expect(try #require(batches(Self.series(40, Self.noise))).count == 10)
        #expect(batches(Self.series(20, Self.noise)) != nil)
        #expect(batches(Self.series(19, Self.noise)) == nil)
        let series = Self.series(50, Self.noise)
        let sums = try #require(batches(series)).reduce((0.0, 0.0)) { ($0.0 + $1.numerator, $0.1 + $1.denominator) }
        #expect(sums.0 == Double(series.total(.displayedFreshTime)))
        #expect(sums.1 == Double(series.total(.displayedTime)))
    }

    @Test("A run with a trend has none")
    func drift() {
        #expect(batches(Self.series(60) { 10 * Int64($0) + Self.noise($0) / 8 }) == nil)
    }

    private static var steady: Scenario {
        var scenario = Scenario.smallPoisson
        scenario.cells = 1
        scenario.faults = []
        scenario.clock.duration = .hours(10)
        scenario.clock.window = .minutes(5)
        // Late pushes make content stale; lost ends would accumulate dead cards, and no run of ten hours is then
        // steady.
        scenario.apns.latency = .exponential(mean: 60e6)
        scenario.devices.systemLimit = .minutes(30)
        return scenario
    }

    @Test("The summary of one replication in one cell uses them for shares of time only")
    func summary() async throws {
        var scenario = Self.steady
        let result = try await RunResult.running(scenario)
        #expect(result.intervalBasis == .windows)
        let summary = Summary(result)
        let row = try #require(summary.row("displayed_fresh_time_ratio", "ratio"))
        let parts = try #require(batches(result.total.series))
        #expect(row.n == 10)
        let heaviest = (0.0, Double(scenario.devices.systemLimit.microseconds))
        guard case .interval(let bounds, _) = IntervalRule(parts: parts).share(heaviest: heaviest) else {
            Issue.record("the windows carry an interval")
            return
        }
        #expect(row.interval == bounds)
        for (metric, stat) in [("age_of_information_us", "mean"), ("rides_requested_count", "total")] {
            let row = summary.row(metric, stat)
            #expect(row?.interval == nil && row?.gap?.reason == .onePart)
        }
        scenario.cells = 2
        #expect(try await RunResult.running(scenario).intervalBasis == .cells)
    }

    @Test("A fault within the measured time and arrivals by time of day do not count as chance")
    func notChance() async throws {
        func reason(_ change: (inout Scenario) -> Void) async throws -> IntervalGap.Reason? {
            var scenario = Self.steady
            change(&scenario)
            let row = Summary(try await RunResult.running(scenario)).row("displayed_fresh_time_ratio", "ratio")
            #expect(row?.interval == nil || row?.gap == nil)
            return row?.gap?.reason
        }
        let outage = Scenario.Fault(kind: .apnsSilent, at: .minutes(70), duration: .minutes(5))
        #expect(try await reason { $0.faults = [outage] } == .fault)
        let before = try await reason {
            $0.faults = [outage]
            $0.clock.warmUp = .hours(2)
        }
        #expect(before != .fault)
        #expect(try await reason { $0.rides.arrivals.ratesPerHour = [160, 80] } == .timeOfDay)
    }
}
