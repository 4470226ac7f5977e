import FreshnessCore
import Quantities
import Testing

@testable import LoadGenerator

struct CoreRunTests {
    /// A clock that advances by a fixed step at each reading.
    private struct SteppingClock: CoreClock {
        var time: Int64 = 0
        var step: Int64
        /// A step that is made once, at or after an instant, as if the thread had been suspended.
        var stall: (at: Int64, length: Int64)?

        mutating func now() -> Int64 {
            time += step
            if let stall, time >= stall.at {
                time += stall.length
                self.stall = nil
            }
            return time
        }

        mutating func wait(until instant: Int64) { time = max(time, instant) }
        mutating func worked() -> Int64 { time }
        mutating func residentBytes() -> Int { 0 }
    }

    private static func run(_ clock: SteppingClock, seconds: Int64, rate: Double) throws -> (CoreTally, [CoreWindow]) {
        var run = CoreRun(try CoreShard(CoreSettings.brisk(instances: 100)), clock: clock)
        var windows: [CoreWindow] = []
        let plan = try RatePlan.constant(perSecond: rate, for: .seconds(seconds))
        let tally = run.run(plan, begin: 0) { window, _ in
            windows.append(window)
            return true
        }
        return (tally, windows)
    }

    @Test("applies every update of the plan and makes every scan")
    func keepsUp() throws {
        let (tally, windows) = try Self.run(SteppingClock(step: 1000), seconds: 5, rate: 10_000)
        #expect(tally.counts.updates + tally.backlog == 50_000)
        #expect(tally.backlog < 10)
        #expect(tally.counts.scans == 4)
        #expect(tally.missedScans == 0)
        #expect(windows.count == 5)
        #expect(windows.reduce(0) { $0 + $1.counts.updates } == tally.counts.updates)
    }

    @Test("a stall adds to the latency of all updates due in it: no coordinated omission")
    func stall() throws {
        let clock = SteppingClock(step: 1000, stall: (at: 500_000_000, length: 200_000_000))
        let (tally, _) = try Self.run(clock, seconds: 1, rate: 10_000)
        // 2,000 of 10,000 updates were due during the stall of 200 ms and waited 100 ms on average, half of them longer.
        let ninth = try #require(tally.updateLatency.quantile(0.9))
        #expect((90_000_000...110_000_000).contains(ninth))
        let longest = try #require(tally.updateLatency.longest)
        #expect((199_000_000...203_000_000).contains(longest))
    }

    @Test("scans whose interval was over before they could begin count as missed")
    func missedScans() throws {
        let clock = SteppingClock(step: 1000, stall: (at: 1_500_000_000, length: 3_000_000_000))
        let (tally, _) = try Self.run(clock, seconds: 8, rate: 100)
        // Three scans are due at 2, 3 and 4 s, but only one is made, at 4.5 s. The scans at 5, 6 and 7 s follow.
        #expect(tally.missedScans == 2)
        #expect(tally.counts.scans == 5)
    }

    @Test("a run that is asked to stop stops after a second")
    func stops() throws {
        var run = CoreRun(try CoreShard(CoreSettings.brisk(instances: 100)), clock: SteppingClock(step: 1000))
        let plan = try RatePlan.constant(perSecond: 1000, for: .minutes(60))
        let tally = run.run(plan, begin: 0) { _, _ in false }
        #expect(tally.wall < 1_100_000_000)
    }
}
