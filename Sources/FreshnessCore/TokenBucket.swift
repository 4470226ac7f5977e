public import Quantities

/// A token bucket: what limits a rate and yet lets a burst through.
///
/// It starts full and never holds more than its capacity. Arithmetic is exact: the level is kept in billionths of a
/// token, of which a rate in thousandths of a token per second brings a whole number each microsecond.
///
/// Instants of successive calls must not go back.
@frozen
public struct TokenBucket: Hashable, Sendable {
    /// How tokens come.
    public enum Refill: String, CaseIterable, Sendable {
        /// As a steady flow: after a tenth of the time there is a tenth of a token.
        case continuous
        /// One whole token at a time, on a grid from the start of the run; one that does not fit is lost.
        case whole
    }

    /// Billionths of a token in the bucket.
    private var level: UInt64
    private let fullLevel: UInt64
    /// Billionths of a token that flow in per microsecond, that is thousandths per second.
    private let inflow: UInt64
    private let refill: Refill
    private var filledAt = Instant.start

    private static let tokenLevel: UInt64 = 1_000_000_000

    /// A full bucket.
    ///
    /// - Parameters:
    ///   - capacityThousandths: The most that it holds, in thousandths of a token, 0...10^12.
    ///   - thousandthsPerSecond: How much comes in 1,000 s, in tokens, 0...10^9.
    ///   - refill: How it comes.
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

    /// Whether a token can be taken.
    public mutating func hasToken(at now: Instant) -> Bool {
        fill(to: now)
        return level >= TokenBucket.tokenLevel
    }

    /// Takes a token, if it leaves enough.
    ///
    /// - Parameters:
    ///   - reserveThousandths: What must be left, in thousandths of a token, 0...10^12.
    ///   - now: The instant.
    /// - Returns: Whether the token was taken.
    public mutating func take(leavingThousandths reserveThousandths: Int = 0, at now: Instant) -> Bool {
        fill(to: now)
        guard level >= TokenBucket.tokenLevel + TokenBucket.level(ofThousandths: reserveThousandths) else {
            return false
        }
        level -= TokenBucket.tokenLevel
        return true
    }

    /// Puts something in; what does not fit is lost.
    ///
    /// - Parameters:
    ///   - thousandths: How much, in thousandths of a token, 0...10^12.
    ///   - now: The instant.
    public mutating func deposit(thousandths: Int, at now: Instant) {
        fill(to: now)
        level += min(TokenBucket.level(ofThousandths: thousandths), fullLevel - level)
    }

    /// The first instant, not before now, at which a token can be taken if none is before.
    ///
    /// Never where none comes, or the bucket cannot hold one.
    public mutating func nextToken(notBefore now: Instant) -> Instant {
        fill(to: now)
        guard level < TokenBucket.tokenLevel else { return now }
        guard inflow > 0, fullLevel >= TokenBucket.tokenLevel else { return .never }
        let missing = TokenBucket.tokenLevel - level
        switch refill {
        case .continuous:
            return now + TimeSpan(microseconds: Int64((missing + inflow - 1) / inflow))
        case .whole:
            // The next token is enough, and with it comes the instant k / rate, rounded up.
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
        // A bucket that would overflow even 64 bits is full.
        level = overflow || gain > fullLevel - level ? fullLevel : level + gain
        filledAt = now
    }

    /// How many whole tokens have come since the start of the run.
    private func wholeTokens(by instant: Instant) -> UInt64 {
        // The quotient fits: an instant of 2^63 µs at 10^9 gives less than 2^63.
        let product = UInt64(instant.microseconds).multipliedFullWidth(by: inflow)
        return TokenBucket.tokenLevel.dividingFullWidth(product).quotient
    }

    private static func level(ofThousandths thousandths: Int) -> UInt64 {
        UInt64(thousandths) * 1_000_000
    }
}
