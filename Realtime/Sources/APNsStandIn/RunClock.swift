import NIOCore
import Quantities

/// The scenario's time, which may go faster than the wall clock's.
struct RunClock: Sendable {
    /// When the run was at its start.
    let begin: NIODeadline
    let speed: Double
    /// What the wall clock shows.
    let wall: @Sendable () -> NIODeadline

    /// A clock that begins now.
    init(speed: Double, by wall: @escaping @Sendable () -> NIODeadline) {
        begin = wall()
        self.speed = speed
        self.wall = wall
    }

    var now: NIODeadline { wall() }

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
