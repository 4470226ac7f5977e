import FreshnessCore
import Quantities
import Testing

@testable import Benchmarking

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
    }

    private static func run(_ clock: SteppingClock, seconds: Int64, rate: Double) throws -> CoreTally {
        var clock = clock
        var run = CoreRun(try CoreShard(CoreSettings.brisk(instances: 100)))
        run.run(perSecond: rate, from: 0, for: .seconds(seconds), clock: &clock)
        return run.tally
    }

    @Test("applies every update of the plan and makes every scan")
    func keepsUp() throws {
        let tally = try Self.run(SteppingClock(step: 1000), seconds: 5, rate: 10_000)
        #expect(tally.counts.updates + tally.backlog == 50_000)
        #expect(tally.backlog < 10)
        #expect(tally.counts.scans == 4)
        #expect(tally.counts.missedScans == 0)
        #expect((5_000_000_000...5_000_010_000).contains(tally.wall))
    }

    @Test("a stall adds to the latency of all updates due in it: no coordinated omission")
    func stall() throws {
        let clock = SteppingClock(step: 1000, stall: (at: 500_000_000, length: 200_000_000))
        let tally = try Self.run(clock, seconds: 1, rate: 10_000)
        // 2,000 of 10,000 updates were due during the stall of 200 ms and waited 100 ms on average, half of them longer.
        let ninth = try #require(tally.updateLatency.quantile(0.9))
        #expect((90_000_000...110_000_000).contains(ninth))
        let longest = try #require(tally.updateLatency.quantile(1))
        #expect((199_000_000...203_000_000).contains(longest))
    }

    @Test("scans whose interval was over before they could begin count as missed")
    func missedScans() throws {
        let clock = SteppingClock(step: 1000, stall: (at: 1_500_000_000, length: 3_000_000_000))
        let tally = try Self.run(clock, seconds: 8, rate: 100)
        // Three scans are due at 2, 3 and 4 s, but only one is made, at 4.5 s. The scans at 5, 6 and 7 s follow.
        #expect(tally.counts.missedScans == 2)
        #expect(tally.counts.scans == 5)
    }

    @Test("a run continues where the last one stopped")
    func runs() throws {
        var clock = SteppingClock(step: 1000)
        var run = CoreRun(try CoreShard(CoreSettings.brisk(instances: 100)))
        var tallies: [CoreTally] = []
        for begin: Int64 in [0, 3_500_000_000] {
            run.run(perSecond: 10_000, from: begin, for: .seconds(2), clock: &clock)
            tallies.append(run.tally)
        }
        // The second run has the scans at 4 and 5 s. The one at 3 s was due between the runs and is not missed.
        #expect(tallies.map(\.counts.scans) == [1, 2])
        #expect(tallies.map(\.counts.missedScans) == [0, 0])
        #expect(tallies.allSatisfy { $0.counts.updates + $0.backlog == 20_000 })
    }
}
