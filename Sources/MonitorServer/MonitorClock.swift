import Foundation
package import Quantities

/// The monitor's time: microseconds of UNIX time that never go back.
///
/// The calendar is asked once; from there on the system's monotonic clock counts, so no correction of the calendar while the
/// monitor runs can end an episode or begin one.
package struct MonitorClock: Sendable {
    private let epoch: Instant
    private let began: ContinuousClock.Instant

    /// A clock that begins now.
    package init() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        epoch = Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
        began = .now
    }

    /// Now.
    package var now: Instant {
        let passed = began.duration(to: .now).components
        return epoch
            + TimeSpan(microseconds: passed.seconds * 1_000_000 + passed.attoseconds / 1_000_000_000_000)
    }
}
