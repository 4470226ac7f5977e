/// A length of time in whole microseconds.
///
/// Integers make sums exact: class times add up to live times to the last microsecond, whatever the order of addition.
public struct TimeSpan: Hashable, Comparable, BitwiseCopyable, Sendable {
    /// The length [µs]; negative only as a difference of two moments.
    public let microseconds: Int64

    /// A span in microseconds.
    @inlinable
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// No time at all.
    @inlinable
    public static var zero: TimeSpan { TimeSpan(microseconds: 0) }

    /// The longest span a scenario may state: 3,650 days.
    ///
    /// Sums of any few thousand of them stay far from overflow.
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

    /// Whether the shorter of two spans stands on the left.
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

    /// A span several times as long.
    @inlinable
    public static func * (span: TimeSpan, factor: Int64) -> TimeSpan {
        TimeSpan(microseconds: span.microseconds * factor)
    }
}
