public import Quantities

/// A token bucket that limits the retries of many instances together.
///
/// When the service itself is ill, every instance becomes stale at once and retries only add to the load; a budget turns
/// that storm into a trickle. The bucket starts full, fills at a constant rate and never holds more than its capacity.
///
/// Arithmetic is exact: the level is kept in billionths of a token.
@frozen
public struct RetryBudget: Hashable, Sendable {
    /// Billionths of a token in the bucket.
    private var level: UInt64
    private let fullLevel: UInt64
    /// Billionths of a token that flow in per microsecond.
    private let inflow: UInt64
    private var filledAt = Instant.start

    private static let tokenLevel: UInt64 = 1_000_000_000

    /// A full bucket.
    ///
    /// - Parameters:
    ///   - capacity: Retries that may be made at once, 0...1,000,000,000.
    ///   - thousandthsPerSecond: Retries per 1,000 s in the long run, 0...1,000,000,000.
    /// - Throws: ``PolicyError/outOfRange(name:got:allowed:)``.
    public init(capacity: Int, thousandthsPerSecond: Int) throws(PolicyError) {
        try PolicyError.check(capacity, in: 0...1_000_000_000, name: "capacity")
        try PolicyError.check(thousandthsPerSecond, in: 0...1_000_000_000, name: "thousandthsPerSecond")
        fullLevel = UInt64(capacity) * RetryBudget.tokenLevel
        level = fullLevel
        inflow = UInt64(thousandthsPerSecond)
    }

    /// Takes a token for one retry, if there is one.
    ///
    /// - Parameter now: Not before the `now` of an earlier call.
    /// - Returns: Whether the retry may be made.
    public mutating func spend(at now: Instant) -> Bool {
        let elapsed = UInt64((now - filledAt).microseconds)
        let (gain, overflow) = elapsed.multipliedReportingOverflow(by: inflow)
        // A bucket that would overflow even 64 bits is full.
        level = overflow || gain > fullLevel - level ? fullLevel : level + gain
        filledAt = now
        guard level >= RetryBudget.tokenLevel else { return false }
        level -= RetryBudget.tokenLevel
        return true
    }
}
