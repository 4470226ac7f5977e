/// A tally of shares that all have the same weight, regardless of the whole.
///
/// The mean of shares differs from the share of the sums: a short-lived activity counts as much here as a long-lived
/// one.
public struct ShareTally: Hashable, BitwiseCopyable, Sendable {
    /// The number of shares.
    public private(set) var count: Int64 = 0
    /// The sum in units of 2^-32, which is exact enough for 2^31 shares and independent of their order.
    private var sum: Int64 = 0

    /// Creates an empty tally.
    public init() {}

    /// Adds a share, rounded to 2^-32.
    ///
    /// - Precondition: 0 ≤ `part` ≤ `whole`, and `whole` is above 0.
    mutating func record(part: Int64, of whole: Int64) {
        precondition(0 <= part && part <= whole && whole > 0, "a share lies within 0...1")
        count += 1
        sum += Int64((Int128(part) << 32 + Int128(whole) / 2) / Int128(whole))
    }

    /// Adds all shares of another tally.
    mutating func add(_ other: ShareTally) {
        count += other.count
        sum += other.sum
    }

    mutating func transfer(through numbers: inout some NumberTransfer) {
        numbers.transfer(&count)
        numbers.transfer(&sum)
    }

    /// The sum of the shares.
    public var total: Double { Double(sum) * 0x1p-32 }
}
