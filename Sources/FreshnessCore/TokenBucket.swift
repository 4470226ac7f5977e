public import Quantities

/// A token bucket: it limits a rate but allows bursts.
///
/// It starts full and never holds more than its capacity. Arithmetic is exact: the level is kept in billionths of a
/// token, so a rate in thousandths of a token per second adds a whole number of them each microsecond.
///
/// The instants of successive calls must not decrease.
@frozen
public struct TokenBucket: Hashable, Sendable {
    /// The refill of tokens.
    public enum Refill: String, CaseIterable, Sendable {
        /// A steady flow: after a tenth of the time there is a tenth of a token.
        case continuous
        /// One whole token at a time, on a grid from the start of the run; a token that does not fit is lost.
        case whole
    }

    /// The level, in billionths of a token.
    private var level: UInt64
    private let fullLevel: UInt64
    /// The refill in billionths of a token per microsecond, that is, thousandths per second.
    private let inflow: UInt64
    private let refill: Refill
    private var filledAt = Instant.start

    private static let tokenLevel: UInt64 = 1_000_000_000

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - capacityThousandths: The maximum level, in thousandths of a token, 0...10^12.
    ///   - thousandthsPerSecond: The refill in tokens per 1,000 s, 0...10^9.
    ///   - refill: The kind of refill.
    /// - Throws: ``PolicyError/outOfRange(name:got:allowed:)``.
    public init(
        capacityThousandths: Int,
        thousandthsPerSecond: Int,
        refill: Refill = .continuous
    ) throws(PolicyError) {
        try PolicyError.check(capacityThousandths, in: 0...1_000_000_000_000, name: "capacityThousandths")
        try PolicyError.check(thousandthsPerSecond, in: 0...1_000_000_000, name: "thousandthsPerSecond")
        fullLevel = TokenBucket.level(ofThousandths: capacityThousandths)
        level = fullLevel
        inflow = UInt64(thousandthsPerSecond)
        self.refill = refill
    }

    /// Returns `true` if a token can be taken.
    public mutating func hasToken(at now: Instant) -> Bool {
        fill(to: now)
        return level >= TokenBucket.tokenLevel
    }

    /// Takes a token if that leaves the reserve.
    ///
    /// - Parameters:
    ///   - reserveThousandths: The amount that must be left, in thousandths of a token, 0...10^12.
    ///   - now: The current instant.
    /// - Returns: `true` if a token was taken.
    public mutating func take(leavingThousandths reserveThousandths: Int = 0, at now: Instant) -> Bool {
        fill(to: now)
        guard level >= TokenBucket.tokenLevel + TokenBucket.level(ofThousandths: reserveThousandths) else {
            return false
        }
        level -= TokenBucket.tokenLevel
        return true
    }

    /// Adds tokens; those that do not fit are lost.
    ///
    /// - Parameters:
    ///   - thousandths: The amount, in thousandths of a token, 0...10^12.
    ///   - now: The current instant.
    public mutating func deposit(thousandths: Int, at now: Instant) {
        fill(to: now)
        level += min(TokenBucket.level(ofThousandths: thousandths), fullLevel - level)
    }

    /// The first instant, not before now, at which a token can be taken if none is taken before.
    ///
    /// `never` if no token comes, or if the bucket cannot hold one.
    public mutating func nextToken(notBefore now: Instant) -> Instant {
        fill(to: now)
        guard level < TokenBucket.tokenLevel else { return now }
        guard inflow > 0, fullLevel >= TokenBucket.tokenLevel else { return .never }
        let missing = TokenBucket.tokenLevel - level
        switch refill {
        case .continuous:
            return now + TimeSpan(microseconds: Int64((missing + inflow - 1) / inflow))
        case .whole:
            // The next token suffices; it comes at instant k / rate, rounded up.
            let product = (wholeTokens(by: now) + 1).multipliedFullWidth(by: TokenBucket.tokenLevel)
            let (quotient, remainder) = inflow.dividingFullWidth(product)
            return Instant(microseconds: Int64(quotient + (remainder == 0 ? 0 : 1)))
        }
    }

    private mutating func fill(to now: Instant) {
        let gain: UInt64
        let overflow: Bool
        switch refill {
        case .continuous:
            (gain, overflow) = UInt64((now - filledAt).microseconds).multipliedReportingOverflow(by: inflow)
        case .whole:
            let tokens = wholeTokens(by: now) - wholeTokens(by: filledAt)
            (gain, overflow) = tokens.multipliedReportingOverflow(by: TokenBucket.tokenLevel)
        }
        // A bucket that would exceed even 64 bits is full.
        level = overflow || gain > fullLevel - level ? fullLevel : level + gain
        filledAt = now
    }

    /// The number of whole tokens that have come since the start of the run.
    private func wholeTokens(by instant: Instant) -> UInt64 {
        // The quotient fits: an instant of 2^63 µs at 10^9 gives less than 2^63.
        let product = UInt64(instant.microseconds).multipliedFullWidth(by: inflow)
        return TokenBucket.tokenLevel.dividingFullWidth(product).quotient
    }

    private static func level(ofThousandths thousandths: Int) -> UInt64 {
        UInt64(thousandths) * 1_000_000
    }
}
