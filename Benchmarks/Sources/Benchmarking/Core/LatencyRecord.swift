import Histogram

/// A record of latencies from nanoseconds to an hour with three significant digits.
///
/// It is an HdrHistogram (Gil Tene). Recording takes a few nanoseconds and allocates nothing, and large values are as exact as
/// small ones. Latencies above an hour count as an hour.
package struct LatencyRecord: Sendable {
    private var histogram = Histogram<UInt64>(
        highestTrackableValue: UInt64(LatencyRecord.longest),
        numberOfSignificantValueDigits: .three
    )
    private static let longest: Int64 = 3_600_000_000_000

    /// Records a latency [ns]; a negative one counts as zero.
    @inline(__always)
    mutating func record(_ nanoseconds: Int64) {
        histogram.record(UInt64(min(max(0, nanoseconds), LatencyRecord.longest)))
    }

    /// Adds another record.
    mutating func add(_ other: LatencyRecord) { histogram.add(other.histogram) }

    /// A quantile [ns], as the upper end of its bucket; nil for an empty record.
    package func quantile(_ share: Double) -> Int64? {
        histogram.totalCount > 0 ? Int64(histogram.valueAtPercentile(share * 100)) : nil
    }
}
