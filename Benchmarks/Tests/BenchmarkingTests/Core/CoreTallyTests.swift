import Testing

@testable import Benchmarking

struct CoreTallyTests {
    /// A tally of 98 updates with a latency of a millisecond and two with the longest latency.
    private static func tally(longest: Int64 = 1_000_000, missedScans: Int = 0, backlog: Int = 0) -> CoreTally {
        var tally = CoreTally()
        for _ in 0..<98 { tally.updateLatency.record(1_000_000) }
        for _ in 0..<2 { tally.updateLatency.record(longest) }
        tally.counts.missedScans = missedScans
        tally.backlog = backlog
        return tally
    }

    @Test("With slow updates, a missed scan or too long a queue it does not keep up")
    func keepsUp() {
        #expect(Self.tally().keepsUp(with: 1000))
        #expect(Self.tally(longest: 9_900_000).keepsUp(with: 1000))
        #expect(!Self.tally(longest: 10_100_000).keepsUp(with: 1000))
        #expect(!Self.tally(missedScans: 1).keepsUp(with: 1000))
        #expect(Self.tally(backlog: 10).keepsUp(with: 1000))
        #expect(!Self.tally(backlog: 11).keepsUp(with: 1000))
        #expect(!CoreTally().keepsUp(with: 1000))
    }

    @Test("Shards add up, except for the time that they share")
    func shards() {
        var (total, other) = (Self.tally(backlog: 1), Self.tally(longest: 5_000_000, missedScans: 3, backlog: 2))
        (total.wall, other.wall, total.worked, other.worked) = (1_000_000_000, 2_000_000_000, 10, 20)
        (total.counts.confirmed, other.counts.withoutEffect) = (100, 300)
        total.add(other)
        #expect(total.updateLatency.quantile(0.98).map { $0 / 1000 } == 1000)
        #expect(total.updateLatency.quantile(1) == other.updateLatency.quantile(1))
        #expect((total.backlog, total.wall, total.worked) == (3, 2_000_000_000, 30))
        #expect(total.counts.missedScans == 3 && total.updatesPerSecond == 200)
        #expect(Set(total.counts.named.map(\.count)) == [0, 3, 100, 300])
    }
}
