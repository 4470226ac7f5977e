import Quantities
import Shell
import Testing

@testable import LoadCommands
@testable import LoadGenerator

@Suite("Runs of loads on the core")
struct LoadCoreSessionTests {
    private static func session(shards: Int = 2, duration: TimeSpan, ramp: TimeSpan) throws -> LoadCoreSession {
        LoadCoreSession(
            settings: try .brisk(instances: 1000),
            shards: shards,
            speed: 1,
            rate: 2000,
            duration: duration,
            ramp: ramp,
            bound: .milliseconds(10),
            showsProgress: false
        )
    }

    @Test("Shards divide the rate among them")
    func run() async throws {
        let outcome = try await Self.session(duration: .milliseconds(400), ramp: .zero).run()
        #expect(outcome.tally.due == 800)
        #expect(outcome.tally.counts.updates + outcome.tally.backlog == 800)
        #expect(outcome.asked == 2000 && outcome.shardCount == 2)
        #expect(outcome.copySpeed > 0)
    }

    /// The number of seconds and their beginnings depend on the machine.
    @Test("The ramp is shown and not measured")
    func ramp() async throws {
        let outcome = try await Self.session(shards: 1, duration: .milliseconds(1200), ramp: .seconds(1)).run()
        // From 200/s to 2000/s within a second, and 200 ms at that rate.
        #expect(outcome.windows.map(\.due).reduce(0, +) == 1500)
        let measured = outcome.windows.filter { $0.start >= 1_000_000_000 }
        #expect(outcome.tally.due == measured.map(\.due).reduce(0, +))
        #expect(outcome.warmUp == .seconds(1))
    }

    /// A tally of 98 updates with a latency of a millisecond and two with the longest latency.
    private static func tally(longest: Int64 = 1_000_000, missedScans: Int = 0, backlog: Int = 0) -> CoreTally {
        var tally = CoreTally()
        for _ in 0..<98 { tally.updateLatency.record(1_000_000) }
        for _ in 0..<2 { tally.updateLatency.record(longest) }
        tally.missedScans = missedScans
        tally.backlog = backlog
        return tally
    }

    @Test("With slow updates, a missed scan or too long a queue it does not keep up")
    func keepsUp() {
        func keepsUp(_ tally: CoreTally) -> Bool {
            LoadCoreSession.keepsUp(tally, rate: 1000, bound: .milliseconds(10))
        }
        #expect(keepsUp(Self.tally()))
        #expect(keepsUp(Self.tally(longest: 9_900_000)))
        #expect(!keepsUp(Self.tally(longest: 10_100_000)))
        #expect(!keepsUp(Self.tally(missedScans: 1)))
        #expect(keepsUp(Self.tally(backlog: 10)))
        #expect(!keepsUp(Self.tally(backlog: 11)))
        #expect(!keepsUp(CoreTally()))
    }

    @Test("A second is complete once every shard has reported it, however far ahead one of them is")
    func windows() {
        func window(_ start: Int64, due: Int) -> CoreWindow {
            var window = CoreWindow(CoreTally(), start: start, residentBytes: 1)
            window.due = due
            return window
        }
        let windows = LoadCoreSession.Windows(shards: 3)
        func add(_ window: CoreWindow, ofShard shard: Int) -> CoreWindow? {
            windows.add(window, CoreTally(), ofShard: shard)?.0
        }
        #expect(add(window(0, due: 1), ofShard: 0) == nil)
        #expect(add(window(1, due: 10), ofShard: 0) == nil)
        #expect(add(window(0, due: 2), ofShard: 2) == nil)
        #expect(add(window(0, due: 4), ofShard: 1)?.due == 7)
        #expect(add(window(1, due: 20), ofShard: 1) == nil)
        #expect(add(window(1, due: 40), ofShard: 2)?.due == 70)
        #expect(windows.all.map(\.due) == [7, 70])
        #expect(windows.all.map(\.start) == [0, 1])
    }

    @Test("A cancelled search ends without results")
    func cancelled() async throws {
        let session = try Self.session(duration: .hours(1), ramp: .zero)
        for isSearch in [false, true] {
            let task = Task { isSearch ? try await session.findLimit() : try await session.run() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("The line of a large load fits 80 columns")
    func line() {
        var tally = CoreTally()
        tally.counts.confirmed = 99_999_999
        var window = CoreWindow(tally, start: 86_399_000_000_000, residentBytes: 1)
        window.length = 1_000_000_000
        (window.percentile99, window.longestScan) = (99_900_000_000, 999_000_000)
        (window.backlog, window.worked) = (99_999_999, 1_000_000_000)
        let line = LoadCoreSession.line(window, rate: 99_999_999)
        #expect(line.count <= ProgressLine.width, "\(line)")
    }
}
