internal import Histogram

/// Latencies with three significant digits, from nanoseconds to an hour.
///
/// An HdrHistogram (Gil Tene): recording costs a few nanoseconds and no allocation, records add up, and the greatest values are
/// kept as exactly as the small ones. What is longer than an hour counts as an hour.
public struct LatencyRecord: Sendable {
    private var histogram: Histogram<UInt64>
    private static let longest: Int64 = 3_600_000_000_000

    /// Nothing recorded.
    public init() {
        histogram = Histogram(
            highestTrackableValue: UInt64(LatencyRecord.longest),
            numberOfSignificantValueDigits: .three
        )
    }

    /// Records a latency [ns]; one below zero counts as none.
    @inline(__always)
    public mutating func record(_ nanoseconds: Int64) {
        histogram.record(UInt64(min(max(0, nanoseconds), LatencyRecord.longest)))
    }

    /// Adds what another record holds.
    public mutating func add(_ other: LatencyRecord) {
        guard other.histogram.totalCount > 0 else { return }
        histogram.add(other.histogram)
    }

    /// Forgets everything, and keeps the memory.
    public mutating func reset() {
        guard histogram.totalCount > 0 else { return }
        histogram.reset()
    }

    /// How many were recorded.
    public var count: Int { Int(histogram.totalCount) }

    /// The latency that a share of all does not exceed [ns], as the upper end of its bucket; nil when nothing was recorded.
    public func quantile(_ share: Double) -> Int64? {
        guard count > 0 else { return nil }
        return Int64(histogram.valueAtPercentile(share * 100))
    }

    /// The longest [ns], to three digits; nil when nothing was recorded.
    public var longest: Int64? { count > 0 ? Int64(histogram.max) : nil }

    /// The mean [ns]; nil when nothing was recorded.
    public var mean: Double? { count > 0 ? histogram.mean : nil }

    /// A bucket that holds anything.
    public struct Bucket: Hashable, Sendable {
        /// The least latency that belongs to it [ns].
        public let low: Int64
        /// The least latency above it [ns].
        public let high: Int64
        /// How many were recorded in it.
        public let count: Int
    }

    /// The buckets that hold anything, from the shortest on.
    public var buckets: [Bucket] {
        histogram.recordedValues()
            .map { step in
                Bucket(
                    low: Int64(histogram.lowestEquivalentForValue(step.value)),
                    high: Int64(histogram.nextNonEquivalentForValue(step.value)),
                    count: Int(step.count)
                )
            }
    }
}
