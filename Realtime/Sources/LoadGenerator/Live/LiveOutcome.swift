package import Evaluation
import Histogram
import Quantities

/// The results of a scenario's load.
package struct LiveOutcome: Sendable {
    /// The measurements, with the simulator's names.
    package var result: RunResult
    /// The lateness of the driver.
    package let lateness: Lateness
    /// The speed relative to the wall clock.
    package let speed: Double
    /// The progress at the end.
    package let progress: LiveProgress
    /// The early end; nil for a run that ran to its end.
    package var earlyEnd: EarlyEndMark?
    /// The time of day at the beginning of the run [µs since 1970]; 0 for a run in progress.
    package var epochMicroseconds: Int64 = 0
    /// The time series of requests; nil if none was kept.
    package var course: LoadCourse?

    /// Times from when requests were due to when they were handed to the wire [wall-clock µs].
    ///
    /// These delays are the driver's own part of the measured latencies.
    package struct Lateness: Sendable {
        private var times = Histogram<UInt32>(
            highestTrackableValue: 3_600_000_000,
            numberOfSignificantValueDigits: .two
        )

        /// A record without requests.
        package init() {}

        mutating func record(_ span: TimeSpan) { _ = times.record(UInt64(max(0, span.microseconds))) }

        /// The number of requests.
        package var count: UInt64 { times.totalCount }

        /// A percentile [µs].
        package func percentile(_ percent: Double) -> UInt64 { times.valueAtPercentile(percent) }

        /// The summary for a run at a speed.
        ///
        /// One in a hundred requests may be late by a quarter of a virtual second or by a wall-clock millisecond, whichever is
        /// longer.
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
