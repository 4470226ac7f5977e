public import Quantities

/// The instants at which a scanning monitor checks its instances.
///
/// A monitor that acts at the first scan at or after each deadline makes the same decisions as a monitor that acts at
/// the deadline, only later. Neither the simulator nor the load tester therefore needs a second set of rules: the
/// simulator rounds deadlines up to the grid, and the load tester actually scans.
public struct ScanGrid: Hashable, Sendable {
    /// The first scan.
    public let first: Instant
    /// The time between scans; above zero.
    public let interval: TimeSpan

    /// Creates a grid.
    ///
    /// - Throws: `PolicyError` for an interval outside 1 µs...3,650 days or a first scan that never comes.
    public init(first: Instant, interval: TimeSpan) throws(PolicyError) {
        let longest = TimeSpan.longest.microseconds
        try PolicyError.check(interval.microseconds, in: 1...longest, name: "interval")
        try PolicyError.check(first.microseconds, in: 0...longest, name: "first")
        self.first = first
        self.interval = interval
    }

    /// The first scan at or after an instant; `never` if it is beyond the last instant.
    public func firstScan(notBefore instant: Instant) -> Instant {
        guard instant > first else { return first }
        guard instant != .never else { return .never }
        let steps = ((instant - first).microseconds - 1) / interval.microseconds + 1
        let (offset, overflow) = interval.microseconds.multipliedReportingOverflow(by: steps)
        return overflow ? .never : first + TimeSpan(microseconds: offset)
    }
}
