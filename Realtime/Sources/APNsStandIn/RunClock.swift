package import NIOCore
import Quantities

/// The wall clock, and how to do something at a moment that it will show.
///
/// Tests have one of their own, so that nothing depends on how fast the machine is.
package struct WallTime: Sendable {
    /// The moment that it shows.
    package var now: @Sendable () -> NIODeadline
    /// Does something on a loop at a moment, or at once if that has passed.
    package var schedule: @Sendable (NIODeadline, any EventLoop, @escaping @Sendable () -> Void) -> Void

    /// The system's clock and timers.
    package static var system: WallTime {
        WallTime(now: { .now() }, schedule: { deadline, loop, work in loop.scheduleTask(deadline: deadline, work) })
    }

    /// A clock.
    package init(
        now: @escaping @Sendable () -> NIODeadline,
        schedule: @escaping @Sendable (NIODeadline, any EventLoop, @escaping @Sendable () -> Void) -> Void
    ) {
        self.now = now
        self.schedule = schedule
    }
}

/// The scenario's time, which may go faster than the wall clock's.
struct RunClock: Sendable {
    /// When the run was at its start.
    let begin: NIODeadline
    let speed: Double
    let wall: WallTime

    /// A clock that begins now.
    init(speed: Double, by wall: WallTime) {
        begin = wall.now()
        self.speed = speed
        self.wall = wall
    }

    var now: NIODeadline { wall.now() }

    func instant(at deadline: NIODeadline) -> Instant {
        Instant(microseconds: Int64(Double((deadline - begin).nanoseconds) / 1000 * speed))
    }

    /// The moment of an instant.
    func deadline(of instant: Instant) -> NIODeadline { deadline(after: instant - .start, from: begin) }

    /// When a span from a moment has passed.
    func deadline(after span: TimeSpan, from deadline: NIODeadline) -> NIODeadline {
        let nanoseconds = Double(span.microseconds) * 1000 / speed
        // Three centuries are as good as never.
        return nanoseconds < 1e18 ? deadline + .nanoseconds(Int64(nanoseconds)) : .distantFuture
    }
}
