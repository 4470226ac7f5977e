package import Experiments
import Histogram
import Quantities

/// What came of a live run.
package struct LiveOutcome: Sendable {
    /// What was measured, by the simulator's names.
    package var result: RunResult
    /// How far the driver itself was behind.
    package let lateness: Lateness
    /// How much faster than the wall clock it ran.
    package let speed: Double
    /// What it counted.
    package let progress: LiveProgress
    /// That it was ended before its time.
    package var earlyEnd: EarlyEndMark?

    /// From when requests were due to when they were handed to the wire [wall-clock µs]: the run's own part of what it measures.
    package struct Lateness: Sendable {
        private var times = Histogram<UInt32>(
            highestTrackableValue: 3_600_000_000,
            numberOfSignificantValueDigits: .two
        )

        /// Nothing measured.
        package init() {}

        mutating func record(_ span: TimeSpan) { _ = times.record(UInt64(max(0, span.microseconds))) }

        /// How many requests there were.
        package var count: UInt64 { times.totalCount }

        /// A quantile [µs], at a share in percent.
        package func percentile(_ percent: Double) -> UInt64 { times.valueAtPercentile(percent) }
    }

    /// Whether the driver was so late that the result is that of an overloaded load generator.
    ///
    /// One in a hundred requests later than a quarter of a virtual second, and than a wall-clock millisecond.
    package var isDriverOverloaded: Bool {
        lateness.count > 0 && Double(lateness.percentile(99)) > max(1000, 250_000 / speed)
    }
}
