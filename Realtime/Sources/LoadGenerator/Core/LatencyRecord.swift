import Histogram

/// A record of latencies from nanoseconds to an hour with three significant digits.
///
/// It is an HdrHistogram (Gil Tene). Recording takes a few nanoseconds and allocates nothing, records can be added, and large
/// values are as exact as small ones. Latencies above an hour count as an hour.
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
    mutating func add(_ other: LatencyRecord) {
        guard other.histogram.totalCount > 0 else { return }
        histogram.add(other.histogram)
    }

    /// Resets the record without freeing its memory.
    mutating func reset() {
        guard histogram.totalCount > 0 else { return }
        histogram.reset()
    }

    /// The number of latencies.
    var count: Int { Int(histogram.totalCount) }

    /// A quantile [ns], as the upper end of its bucket; nil for an empty record.
    package func quantile(_ share: Double) -> Int64? {
        guard count > 0 else { return nil }
        return Int64(histogram.valueAtPercentile(share * 100))
    }

    /// The longest latency [ns], to three digits; nil for an empty record.
    package var longest: Int64? { count > 0 ? Int64(histogram.max) : nil }

    /// The mean [ns]; nil for an empty record.
    package var mean: Double? { count > 0 ? histogram.mean : nil }

    /// The non-empty buckets in rising order, each from its low bound to just below its high bound [ns].
    package var buckets: [(low: Int64, high: Int64, count: Int)] {
        histogram.recordedValues()
            .map { step in
                let low = Int64(histogram.lowestEquivalentForValue(step.value))
                return (low, Int64(histogram.nextNonEquivalentForValue(step.value)), Int(step.count))
            }
    }
}
