public import Quantities

/// A limit on the retries of many instances, or of many requests, together.
///
/// When the service itself fails, every request fails and retries only add to the load; a budget limits that load. It
/// is a ``TokenBucket`` from which each retry takes a token. Tokens come with time, with each first attempt, or both.
/// Tokens that come only with first attempts bound retries to a share of the load (gRPC's proposal A6, "Retry
/// Throttling", and Google's "Site Reliability Engineering", chapter 21).
@frozen
public struct RetryBudget: Hashable, Sendable {
    private var bucket: TokenBucket
    private let thousandthsPerPush: Int
    private let reserveThousandths: Int

    /// Creates a full budget.
    ///
    /// - Parameters:
    ///   - capacityThousandths: The number of retries that can be made at once, in thousandths, 0...10^12.
    ///   - thousandthsPerSecond: The long-term number of retries per 1,000 s, 0...1,000,000,000.
    ///   - thousandthsPerPush: The amount that each first attempt adds, in thousandths of a retry, 0...1,000,000.
    ///   - reserveThousandths: The amount that retries must leave, in thousandths of a retry, 0...10^12.
    /// - Throws: ``PolicyError/outOfRange(name:got:allowed:)``.
    public init(
        capacityThousandths: Int,
        thousandthsPerSecond: Int,
        thousandthsPerPush: Int = 0,
        reserveThousandths: Int = 0
    ) throws(PolicyError) {
        try PolicyError.check(thousandthsPerPush, in: 0...1_000_000, name: "thousandthsPerPush")
        try PolicyError.check(reserveThousandths, in: 0...1_000_000_000_000, name: "reserveThousandths")
        bucket = try TokenBucket(capacityThousandths: capacityThousandths, thousandthsPerSecond: thousandthsPerSecond)
        self.thousandthsPerPush = thousandthsPerPush
        self.reserveThousandths = reserveThousandths
    }

    /// Takes a token for one retry, if that leaves the reserve.
    ///
    /// - Parameter now: Not before the `now` of an earlier call.
    /// - Returns: `true` if the retry may be made.
    public mutating func spend(at now: Instant) -> Bool {
        bucket.take(leavingThousandths: reserveThousandths, at: now)
    }

    /// Adds the amount that a first attempt earns.
    ///
    /// - Parameter now: Not before the `now` of an earlier call.
    public mutating func earn(at now: Instant) {
        guard thousandthsPerPush > 0 else { return }
        bucket.deposit(thousandths: thousandthsPerPush, at: now)
    }
}
