import Histogram
package import Quantities
package import Reporting

/// Latencies of a live run second by second, by when answers came, and of all that is measured.
///
/// One second's latencies are kept at a time: what came of earlier ones is a few numbers each.
package struct LatencyCourse: Sendable {
    /// What came of a second.
    struct Second: Hashable, Sendable {
        /// How many answers came in it.
        var answered = 0
        /// Their latencies; nil without any.
        var latency: LoadCourse.Latency?
    }

    private var closed: [Second] = []
    private var open = PushTally.Times(
        highestTrackableValue: LatencyCourse.longestMicroseconds,
        numberOfSignificantValueDigits: .three
    )
    private var measured = PushTally.Times(
        highestTrackableValue: LatencyCourse.longestMicroseconds,
        numberOfSignificantValueDigits: .three
    )

    private static let longestMicroseconds: UInt64 = 3_600_000_000

    /// No answer yet.
    package init() {}

    /// The seconds, up to the one in which the last answer came.
    var seconds: [Second] { closed + (open.totalCount > 0 ? [newest] : []) }

    /// 99 in a hundred of those that are measured took no longer [µs]; nil without any.
    var percentile99: Double? { LoadCourse.Latency(measured)?.percentile99 }

    /// Records an answer.
    ///
    /// - Parameters:
    ///   - latency: From when the request was due [wall clock].
    ///   - elapsed: When the answer came, since the beginning of the run [wall clock]; no earlier than the one before,
    ///     or it is taken to have come with that.
    ///   - isMeasured: Whether it counts, as what belongs to the warm-up does not.
    package mutating func record(_ latency: TimeSpan, at elapsed: TimeSpan, isMeasured: Bool) {
        let microseconds = min(UInt64(max(0, latency.microseconds)), Self.longestMicroseconds)
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
    /// Latencies [µs]; nil where there are none.
    package init?(_ times: PushTally.Times) {
        guard times.totalCount > 0 else { return nil }
        self.init(
            median: Double(times.valueAtPercentile(50)),
            percentile99: Double(times.valueAtPercentile(99)),
            longest: Double(times.max)
        )
    }
}
