import FreshnessCore
import Quantities
import Testing

@testable import Benchmarking

struct CoreShardTests {
    private static func settings(_ instances: Int, silent: Double) throws -> CoreSettings {
        var settings = try CoreSettings.brisk(instances: instances)
        settings.silentShare = Probability(silent)
        return settings
    }

    /// Makes a scan per second without updates.
    private static func scans(_ shard: inout CoreShard, _ scans: ClosedRange<Int>) -> [TimeSpan] {
        var waits: [TimeSpan] = []
        for scan in scans {
            let now = Instant(microseconds: Int64(scan) * 1_000_000)
            shard.scan(at: now)
            shard.decide(scan: scan, at: now) { since in waits.append(now - since) }
        }
        return waits
    }

    @Test("without updates every instance lapses, and the first attempt recovers it within a scan of its lapse")
    func lapses() throws {
        var shard = try CoreShard(Self.settings(1000, silent: 0))
        // All initial content lapses within TTL plus fresh limit, 10 s.
        let waits = Self.scans(&shard, 1...10)
        #expect(shard.counts.episodes == 1000)
        #expect(shard.counts.retries == 1000)
        #expect(shard.counts.recoveredByRetry == 1000)
        #expect(shard.counts.updates == 0)
        #expect(shard.counts.givenUp == 0)
        #expect(waits.count == 1000)
        #expect(waits.allSatisfy { $0 >= .zero && $0 < .seconds(1) })
        #expect(shard.wheel.count == 0)
    }

    @Test("a silent instance gets three attempts, is given up, gets three end events and is replaced")
    func silence() throws {
        var shard = try CoreShard(Self.settings(1000, silent: 1))
        _ = Self.scans(&shard, 1...25)
        let counts = shard.counts
        // A lapse within 10 s, the recovery window of 10 s, then end events for 5 s, each at a scan.
        #expect(counts.episodes == 1000)
        #expect(counts.retries == 3000)
        #expect(counts.recoveredByRetry == 0)
        #expect(counts.givenUp == 1000)
        #expect(counts.ends == 3000)
        #expect(counts.invalidated == 0)
        #expect(counts.abandoned == 1000)
        #expect(shard.wheel.count == 0)
    }

    @Test("every outcome occurs; equal settings give equal counts")
    func updates() throws {
        let counts = try Self.busyCounts()
        #expect(counts.refused > 0)
        #expect(counts.recoveredByUpdate > 0)
        #expect(counts.episodes >= counts.recoveredByUpdate)
        #expect(counts.givenUp > 0)
        #expect(counts.invalidated > 0)
        #expect(try counts == Self.busyCounts())
    }

    /// Runs 500 instances for forty seconds with 6,400 updates/s.
    private static func busyCounts() throws -> CoreCounts {
        var shard = try CoreShard(settings(500, silent: 0.05))
        var first = 0
        for scan in 1...40 {
            for part in 0..<50 {
                let now = Int64(scan - 1) * 1_000_000 + Int64(part) * 20_000 + 1000
                let dues = (0..<CoreShard.batch).map { Instant(microseconds: now - 200 + Int64($0)) }
                dues.withUnsafeBufferPointer { shard.apply(first: first, due: $0, at: Instant(microseconds: now)) }
                first += dues.count
            }
            _ = scans(&shard, scan...scan)
        }
        #expect(shard.counts.updates == first)
        return shard.counts
    }

    @Test("missed scans lose no wake-up")
    func missedScans() throws {
        var shard = try CoreShard(Self.settings(100, silent: 1))
        _ = Self.scans(&shard, 1...10)
        let attempts = shard.counts.retries
        let now = Instant(microseconds: 13_000_000)
        shard.scan(at: now)
        shard.decide(scan: 13, at: now) { _ in }
        // By scan 10 each of the hundred has had its first attempt, and by scan 13 its second, 3 s later.
        #expect(attempts >= 100)
        #expect(shard.counts.retries >= 200)
    }
}
