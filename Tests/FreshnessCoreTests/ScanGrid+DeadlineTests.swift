import FreshnessCore
import LifecycleTraces
import Quantities
import TestSupport
import Testing

/// Two implementations of scanning with the same decisions.
@Suite struct ScanGridDeadlineTests {
    private struct Run: Hashable {
        var trace: LifecycleTrace
        var decisions: [ScriptedMonitor.Decision]
    }

    private func run(_ script: LifecycleScript, _ watch: ScriptedMonitor.Watch) throws -> Run {
        var monitor = try ScriptedMonitor(script, watch: watch)
        let trace = monitor.run()
        return Run(trace: trace, decisions: monitor.decisions)
    }

    private func grid(first: Int64, interval: Int64) throws -> ScanGrid {
        try ScanGrid(first: Instant(microseconds: first), interval: TimeSpan(microseconds: interval))
    }

    /// A monitor that rounds timers up to scans makes the same decisions, at the same instants, as one that performs
    /// every scan.
    @Test(.enabled(if: Loop.isFull), arguments: 0..<8 as Range<UInt64>)
    func appointmentsAreScansInWhichSomethingIsDue(block: UInt64) throws {
        var actions: Set<String> = []
        for seed in block * 500..<(block + 1) * 500 {
            let script = try LifecycleScript.widerRandom(seed: seed)
            let grid = try grid(first: Int64(seed % 5), interval: 1 + Int64(seed % 13))
            let walking = try run(script, .everyScan(grid))
            let waiting = try run(script, .appointments(grid))
            try #require(walking == waiting, "LifecycleScript.widerRandom(seed: \(seed)), \(grid)")
            actions.formUnion(walking.decisions.map { String("\($0.action)".prefix { $0 != "(" }) })
            // Each decision is at a scan.
            #expect(walking.decisions.allSatisfy { grid.firstScan(notBefore: $0.instant) == $0.instant })
        }
        #expect(actions == ["becameRecoverable", "retry", "withholdRetry", "becameSevere", "sendEnd"])
    }

    /// On a grid that includes every deadline, scanning is not later than the deadline.
    @Test(arguments: [1, 7, 1_000_000] as [Int64])
    func aGridThatDividesAllTimesDecidesAtTheDeadline(interval: Int64) throws {
        for seed in 0..<1000 as Range<UInt64> {
            var script = try LifecycleScript.widerRandom(seed: seed)
            if interval > 1 {
                // Jitter and the fifteen minutes would not fit coarse grids, and a budget counts in real time.
                script.jitter = .none
                script.obeysFifteenMinutes = false
                script = script.scaled(by: interval)
            }
            let scanning = try run(script, .appointments(grid(first: 0, interval: interval)))
            let acting = try run(script, .deadlines)
            try #require(scanning == acting, "LifecycleScript.widerRandom(seed: \(seed))")
        }
    }

    /// On a coarse grid, an episode without recovery takes each step at the first scan after its deadline.
    @Test func aCoarseGridOnlyDelays() throws {
        let script = LifecycleScript(
            timeToLive: 60,
            freshLimit: 30,
            recoveryWindow: 60,
            retryOffsets: [0, 10, 30],
            endOffsets: [0, 5, 15],
            updates: [],
            fates: [],
            until: 1000
        )
        let run = try run(script, .appointments(grid(first: 1, interval: 20)))
        #expect(
            run.trace.log.map { "\($0.microseconds) \($0.text)" } == [
                "0 start", "101 class stale", "101 send retry", "101 send retry", "121 send retry",
                "161 class severe", "161 send end", "181 send end", "181 send end",
            ]
        )
        #expect(run.trace.staleMicroseconds == 71)
    }
}
