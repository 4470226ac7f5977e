import FreshnessCore
import Quantities
import Testing

@Suite struct ScanGridTests {
    @Test(
        arguments: [
            // first, interval, not before, scan [µs]
            (5, 10, 0, 5),
            (5, 10, 4, 5),
            (5, 10, 5, 5),
            (5, 10, 6, 15),
            (5, 10, 14, 15),
            (5, 10, 15, 15),
            (5, 10, 16, 25),
            (0, 1, 0, 0),
            (0, 1, 123_456_789, 123_456_789),
            (0, 1, .max - 1, .max - 1),
            (0, 30_000_000, 90_000_000, 90_000_000),
            (0, 30_000_000, 90_000_001, 120_000_000),
            (5, 10, .max, .max),
            // The next scan is beyond the last instant.
            (0, 10, .max - 1, .max),
            (5, 10, .max - 1, .max),
            (315_360_000_000_000, 315_360_000_000_000, .max - 1, .max),
        ] as [(Int64, Int64, Int64, Int64)]
    )
    func firstScan(first: Int64, interval: Int64, notBefore: Int64, scan: Int64) throws {
        let grid = try ScanGrid(first: Instant(microseconds: first), interval: TimeSpan(microseconds: interval))
        #expect(grid.firstScan(notBefore: Instant(microseconds: notBefore)) == Instant(microseconds: scan))
    }

    /// Compared with a walk over the grid.
    @Test func firstScanAgainstAWalk() throws {
        for first in 0...4 as ClosedRange<Int64> {
            for interval in 1...7 as ClosedRange<Int64> {
                let grid = try ScanGrid(first: Instant(microseconds: first), interval: TimeSpan(microseconds: interval))
                for instant in 0...40 as ClosedRange<Int64> {
                    var scan = first
                    while scan < instant { scan += interval }
                    #expect(grid.firstScan(notBefore: Instant(microseconds: instant)).microseconds == scan)
                }
            }
        }
    }
}
