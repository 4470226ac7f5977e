package import Evaluation
import Histogram
package import Quantities

/// The latencies of a scenario's load, second by second and over all measured answers.
///
/// An answer counts in the second in which it arrived. Only the latencies of the current second are kept; each earlier second
/// is reduced to a few numbers.
package struct LatencyCourse: Sendable {
    /// The summary of a second.
    struct Second: Hashable, Sendable {
        /// The number of answers in it.
        var answered = 0
        /// Their latencies; nil without any.
        var latency: LoadCourse.Latency?
    }

    private var closed: [Second] = []
    private var open = LoadTally.times
    private var measured = LoadTally.times

    /// A record without answers.
    package init() {}

    /// The seconds, up to the second of the last answer.
    var seconds: [Second] { closed + (open.totalCount > 0 ? [newest] : []) }

    /// The p99 of the measured latencies [µs]; nil without any.
    var percentile99: Double? { LoadCourse.Latency(measured)?.percentile99 }

    /// Records an answer.
    ///
    /// - Parameters:
    ///   - latency: The wall-clock time from the request's due time to its answer.
    ///   - elapsed: The wall-clock time of the answer since the beginning of the run. An earlier time than that of the answer
    ///     before counts as that time.
    ///   - isMeasured: `true` if the answer counts, `false` in the warm-up.
    package mutating func record(_ latency: TimeSpan, at elapsed: TimeSpan, isMeasured: Bool) {
        let microseconds = min(UInt64(max(0, latency.microseconds)), LoadTally.longestMicroseconds)
        let second = Int(elapsed.microseconds / 1_000_000)
        if closed.count < second {
            closed.append(newest)
            open.reset()
            closed += Array(repeating: Second(), count: second - closed.count)
        }
        open.record(microseconds)
        if isMeasured { measured.record(microseconds) }
    }

    private var newest: Second { Second(answered: Int(open.totalCount), latency: LoadCourse.Latency(open)) }
}

extension LoadCourse.Latency {
    /// The summary of latencies [µs]; nil if there are none.
    package init?(_ times: LoadTally.Buckets<some FixedWidthInteger & Codable & Sendable>) {
        guard times.totalCount > 0 else { return nil }
        self.init(
            median: Double(times.valueAtPercentile(50)),
            percentile99: Double(times.valueAtPercentile(99)),
            longest: Double(times.max)
        )
    }
}
