import Histogram

/// Latencies with three significant digits, from nanoseconds to an hour.
///
/// An HdrHistogram (Gil Tene): recording costs a few nanoseconds and no allocation, records add up, and the greatest values are
/// kept as exactly as the small ones. What is longer than an hour counts as an hour.
package struct LatencyRecord: Sendable {
    private var histogram = Histogram<UInt64>(
        highestTrackableValue: UInt64(LatencyRecord.longest),
        numberOfSignificantValueDigits: .three
    )
    private static let longest: Int64 = 3_600_000_000_000

    /// Records a latency [ns]; one below zero counts as none.
    @inline(__always)
    mutating func record(_ nanoseconds: Int64) {
        histogram.record(UInt64(min(max(0, nanoseconds), LatencyRecord.longest)))
    }

    /// Adds what another record holds.
    mutating func add(_ other: LatencyRecord) {
        guard other.histogram.totalCount > 0 else { return }
        histogram.add(other.histogram)
    }

    /// Forgets everything, and keeps the memory.
    mutating func reset() {
        guard histogram.totalCount > 0 else { return }
        histogram.reset()
    }

    /// How many were recorded.
    var count: Int { Int(histogram.totalCount) }

    /// The latency that a share of all does not exceed [ns], as the upper end of its bucket; nil when nothing was recorded.
    package func quantile(_ share: Double) -> Int64? {
        guard count > 0 else { return nil }
        return Int64(histogram.valueAtPercentile(share * 100))
    }

    /// The longest [ns], to three digits; nil when nothing was recorded.
    package var longest: Int64? { count > 0 ? Int64(histogram.max) : nil }

    /// The mean [ns]; nil when nothing was recorded.
    package var mean: Double? { count > 0 ? histogram.mean : nil }

    /// The buckets that hold anything, from the shortest on: each from its low bound to just below its high one [ns].
    package var buckets: [(low: Int64, high: Int64, count: Int)] {
        histogram.recordedValues()
            .map { step in
                let low = Int64(histogram.lowestEquivalentForValue(step.value))
                return (low, Int64(histogram.nextNonEquivalentForValue(step.value)), Int(step.count))
            }
    }
}
