/// A length of time in whole microseconds.
///
/// Integers make sums exact: class times add up to live times to the microsecond, whatever the order of addition.
public struct TimeSpan: Hashable, Comparable, BitwiseCopyable, Sendable {
    /// The length [µs]; negative only as a difference of two instants.
    public let microseconds: Int64

    /// Creates a span in microseconds.
    @inlinable
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Converts the duration of a clock, truncated to microseconds.
    public init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(microseconds: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    /// The span of length zero.
    @inlinable
    public static var zero: TimeSpan { TimeSpan(microseconds: 0) }

    /// The longest span that a scenario may state: 3,650 days.
    ///
    /// Sums of several thousand such spans are far from overflow.
    @inlinable
    public static var longest: TimeSpan { .hours(24 * 3650) }

    /// A span of whole milliseconds.
    @inlinable
    public static func milliseconds(_ count: Int64) -> TimeSpan {
        TimeSpan(microseconds: count * 1000)
    }

    /// A span of whole seconds.
    @inlinable
    public static func seconds(_ count: Int64) -> TimeSpan {
        TimeSpan(microseconds: count * 1_000_000)
    }

    /// A span of whole minutes.
    @inlinable
    public static func minutes(_ count: Int64) -> TimeSpan {
        TimeSpan(microseconds: count * 60_000_000)
    }

    /// A span of whole hours.
    @inlinable
    public static func hours(_ count: Int64) -> TimeSpan {
        TimeSpan(microseconds: count * 3_600_000_000)
    }

    /// Returns `true` if the left span is shorter.
    @inlinable
    public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The sum of two spans.
    @inlinable
    public static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        TimeSpan(microseconds: left.microseconds + right.microseconds)
    }

    /// The difference of two spans.
    @inlinable
    public static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        TimeSpan(microseconds: left.microseconds - right.microseconds)
    }

    /// Adds a span in place.
    @inlinable
    public static func += (left: inout TimeSpan, right: TimeSpan) {
        left = left + right
    }

    /// A multiple of a span.
    @inlinable
    public static func * (span: TimeSpan, factor: Int64) -> TimeSpan {
        TimeSpan(microseconds: span.microseconds * factor)
    }
}
