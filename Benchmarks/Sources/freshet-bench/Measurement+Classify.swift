import Benchmarking
import Foundation
import FreshnessCore
import Quantities
import TextFormats

extension Measurement {
    /// The scan of a table of instances, compared with a plain copy of the same number of bytes.
    ///
    /// Both are measured in turn, so that disturbances of the machine affect both. The copy is as large as the table.
    /// Bytes read and written are counted. A scan reads five bytes per instance; the bytes that it writes for changed
    /// classes are not counted. A copy writes as many bytes as it reads. Small tables are scanned several times in a
    /// run.
    ///
    /// - Throws: Never, because the policy is valid.
    static func classify(instances: Int = 10_000_000, runs: Int) throws -> Measurement {
        let policy = try FreshnessPolicy(
            freshLimit: .minutes(1),
            recoveryWindow: .minutes(8),
            retry: RetryPolicy(schedule: [.zero]),
            endSchedule: [.zero]
        )
        var table = try FreshnessTable(rows: instances, policy: policy, at: .start)
        var draws = DrawSequence(seed: 2026)
        for row in 0..<instances {
            // Nine in ten are fresh at the instant of the scans, the rest are evenly divided between the other two
            // classes.
            table.set(row, freshUntil: Instant(microseconds: Int64(draws.next() % 9_600_000_000)))
        }
        let scans = max(1, 50_000_000 / instances)
        let scannedBytes = instances * FreshnessTable.scannedBytesPerRow * scans
        let copiedBytes = instances * FreshnessTable.scannedBytesPerRow
        let source = UnsafeMutableRawPointer.allocate(byteCount: copiedBytes, alignment: 64)
        let target = UnsafeMutableRawPointer.allocate(byteCount: copiedBytes, alignment: 64)
        defer {
            source.deallocate()
            target.deallocate()
        }
        memset(source, 1, copiedBytes)
        memset(target, 2, copiedBytes)

        var counts = FreshnessTable.Counts()
        var (scanRates, copyRates, ratios): ([Double], [Double], [Double]) = ([], [], [])
        for run in -1..<runs {
            let began = threadCPUNanoseconds()
            for scan in 0..<scans {
                counts = table.scan(at: Instant(microseconds: 960_000_000 + Int64(scan % 2) * 10_000_000))
            }
            let scanned = threadCPUNanoseconds()
            for _ in 0..<scans {
                Measurement.copy(target, source, copiedBytes)
            }
            let copied = threadCPUNanoseconds()
            // The first run is only a warm-up.
            guard run >= 0 else { continue }
            scanRates.append(Double(scannedBytes) / Double(scanned - began) * 1e9)
            copyRates.append(Double(2 * copiedBytes * scans) / Double(copied - scanned) * 1e9)
            ratios.append((scanRates.last ?? 0) / (copyRates.last ?? 1))
        }
        let bytes = RunSeries(scanRates)
        var measurement = Measurement(fields: [
            ("workload", "classify"),
            ("instances", .integer(Int64(instances))),
            ("runs", .integer(Int64(runs))),
            ("bytes_per_row", .integer(Int64(FreshnessTable.scannedBytesPerRow))),
            ("fresh", .integer(Int64(counts.fresh))),
            ("recoverable", .integer(Int64(counts.recoverable))),
            ("severe", .integer(Int64(counts.severe))),
        ])
        let rowBytes = Double(FreshnessTable.scannedBytesPerRow)
        measurement.add("rows_per_second", RunSeries(scanRates.map { $0 / rowBytes }), places: 0)
        measurement.add("bytes_per_second", bytes, places: 0)
        measurement.add("copy_bytes_per_second", RunSeries(copyRates), places: 0)
        measurement.add("ratio_to_copy", RunSeries(ratios), places: 3)
        let scanTime = Double(instances) * rowBytes / bytes.median * 1000
        measurement.add("scan_milliseconds", .decimal(scanTime, places: 3))
        return measurement
    }

    /// Not inlined, so that the copy is made even if its result is not read.
    @inline(never)
    private static func copy(_ target: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer, _ count: Int) {
        memcpy(target, source, count)
    }
}
