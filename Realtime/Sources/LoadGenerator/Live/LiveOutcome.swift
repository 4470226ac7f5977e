package import Experiments
import Histogram
import Quantities
package import Reporting

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
    /// Requests over time; nil where nothing has kept it.
    package var course: LoadCourse?

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

        /// In a few numbers, for a run at a speed.
        ///
        /// One in a hundred requests may be late by a quarter of a virtual second, and by a wall-clock millisecond.
        package func summary(atSpeed speed: Double) -> DriverLateness {
            func quantile(_ percent: Double) -> Int { count > 0 ? Int(percentile(percent)) : 0 }
            return DriverLateness(
                median: quantile(50),
                p99: quantile(99),
                largest: quantile(100),
                allowed: Int(max(1000, 250_000 / speed))
            )
        }
    }
}
