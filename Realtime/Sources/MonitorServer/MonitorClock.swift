import LoadGenerator
package import Quantities
import Synchronization

/// The monitor's time: microseconds of UNIX time that never go back.
///
/// The calendar is asked once; from there on the system's monotonic clock counts, so no correction of the calendar while the
/// monitor runs can end an episode or begin one.
///
/// In trials its time may go faster than the wall clock. What the monitor hears or says in its own time, stale dates in whole
/// seconds included, is then as in a slower world; only wall-clock times that it hears have to be translated.
package struct MonitorClock: Sendable {
    /// How much faster than the wall clock.
    let speed: Double
    private let epoch: Instant
    private let began: ContinuousClock.Instant
    /// What it shows in place of the system's time; nil: nothing.
    private let setTime: SetTime?

    /// A clock that begins now; its speed is above 0.
    package init(speed: Double = 1) {
        precondition(speed > 0, "time goes forward")
        self.speed = speed
        epoch = Instant(microseconds: WallClock.microseconds)
        began = .now
        setTime = nil
    }

    /// A clock that shows what it is set to: timers that wait by it never fire.
    init(_ time: SetTime) {
        speed = 1
        (epoch, began) = (time.now, .now)
        setTime = time
    }

    /// Now.
    package var now: Instant {
        if let setTime { return setTime.now }
        let passed = began.duration(to: .now).components
        let microseconds = passed.seconds * 1_000_000 + passed.attoseconds / 1_000_000_000_000
        return epoch + TimeSpan(microseconds: scaled(microseconds))
    }

    /// A wall-clock time in the monitor's time.
    func instant(ofWall time: Instant) -> Instant {
        guard speed != 1 else { return time }
        return Instant(microseconds: epoch.microseconds + scaled(time.microseconds - epoch.microseconds))
    }

    /// How long a span of the monitor's time takes.
    func wall(_ span: TimeSpan) -> Duration {
        setTime != nil
            ? .seconds(1_000_000_000)
            : .microseconds(speed == 1 ? span.microseconds : Int64(Double(span.microseconds) / speed))
    }

    /// Real time's own microseconds stay whole: no rounding where there is nothing to scale.
    private func scaled(_ microseconds: Int64) -> Int64 {
        // APNs may say any number; a hundred thousand years are enough.
        speed == 1 ? microseconds : Int64(max(-3e18, min(3e18, (Double(microseconds) * speed).rounded())))
    }
}

/// A time that its owner sets, for a service in virtual time.
final class SetTime: Sendable {
    private let microseconds: Atomic<Int64>

    init(_ now: Instant) {
        microseconds = Atomic(now.microseconds)
    }

    var now: Instant { Instant(microseconds: microseconds.load(ordering: .relaxed)) }

    func set(_ now: Instant) {
        microseconds.store(now.microseconds, ordering: .relaxed)
    }
}
