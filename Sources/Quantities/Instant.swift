/// An instant of the run, in whole microseconds since its start.
///
/// Simulated and real time use the same type: the simulator's clock and the load tester's monotonic clock both count
/// from the start of the run, so no decision can depend on a calendar, a time zone or a leap second.
public struct Instant: Hashable, Comparable, BitwiseCopyable, Sendable {
    /// Time since the start of the run [µs].
    public let microseconds: Int64

    /// Creates an instant, in microseconds after the start of the run.
    @inlinable
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The first instant of the run.
    @inlinable
    public static var start: Instant { Instant(microseconds: 0) }

    /// An instant that is never reached.
    ///
    /// Adding a span does not change it, so "no deadline" needs no optional.
    @inlinable
    public static var never: Instant { Instant(microseconds: .max) }

    /// Returns `true` if the left instant is earlier.
    @inlinable
    public static func < (left: Instant, right: Instant) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The instant a span after another; saturates at ``never``.
    @inlinable
    public static func + (instant: Instant, span: TimeSpan) -> Instant {
        let (sum, overflow) = instant.microseconds.addingReportingOverflow(span.microseconds)
        return overflow || instant == .never ? .never : Instant(microseconds: sum)
    }

    /// The span from one instant to a later one.
    ///
    /// - Precondition: neither instant is ``never``.
    @inlinable
    public static func - (later: Instant, earlier: Instant) -> TimeSpan {
        TimeSpan(microseconds: later.microseconds - earlier.microseconds)
    }
}
