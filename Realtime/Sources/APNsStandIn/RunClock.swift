package import NIOCore
import Quantities

/// The wall clock, and timers by it.
///
/// Tests have their own clock, so that results do not depend on the speed of the machine.
package struct WallTime: Sendable {
    /// Returns the current time.
    package var now: @Sendable () -> NIODeadline
    /// Performs an action on a loop at a time, or at once if that has passed.
    package var schedule: @Sendable (NIODeadline, any EventLoop, @escaping @Sendable () -> Void) -> Void

    /// The system's clock and timers.
    package static var system: WallTime {
        WallTime(now: { .now() }, schedule: { deadline, loop, work in loop.scheduleTask(deadline: deadline, work) })
    }

    /// Creates a clock.
    package init(
        now: @escaping @Sendable () -> NIODeadline,
        schedule: @escaping @Sendable (NIODeadline, any EventLoop, @escaping @Sendable () -> Void) -> Void
    ) {
        self.now = now
        self.schedule = schedule
    }
}

/// The scenario's time, which may be faster than the wall clock.
struct RunClock: Sendable {
    /// The wall-clock time at the start of the run.
    let begin: NIODeadline
    let speed: Double
    let wall: WallTime

    /// Creates a clock that starts now.
    init(speed: Double, by wall: WallTime) {
        begin = wall.now()
        self.speed = speed
        self.wall = wall
    }

    var now: NIODeadline { wall.now() }

    func instant(at deadline: NIODeadline) -> Instant {
        Instant(microseconds: Int64(Double((deadline - begin).nanoseconds) / 1000 * speed))
    }

    /// Returns the wall-clock time of an instant.
    func deadline(of instant: Instant) -> NIODeadline { deadline(after: instant - .start, from: begin) }

    /// Returns the wall-clock time at which a span from a time has passed.
    func deadline(after span: TimeSpan, from deadline: NIODeadline) -> NIODeadline {
        let nanoseconds = Double(span.microseconds) * 1000 / speed
        // Three centuries are effectively never.
        return nanoseconds < 1e18 ? deadline + .nanoseconds(Int64(nanoseconds)) : .distantFuture
    }
}
