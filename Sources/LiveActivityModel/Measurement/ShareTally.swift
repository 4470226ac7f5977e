/// Shares of whole numbers, each of which weighs the same whatever it is a share of.
///
/// A mean of shares is not the share of the sums: a short-lived activity counts as much here as a long-lived one.
public struct ShareTally: Hashable, BitwiseCopyable, Sendable {
    /// How many shares there are.
    public private(set) var count: Int64 = 0
    /// Their sum in units of 2^-32; exact enough for 2^31 shares, and the same in any order.
    private var sum: Int64 = 0

    /// No shares.
    public init() {}

    /// Takes in a share, rounded to 2^-32.
    ///
    /// - Precondition: 0 ≤ `part` ≤ `whole`, `whole` is above 0.
    mutating func record(part: Int64, of whole: Int64) {
        precondition(0 <= part && part <= whole && whole > 0, "a share lies within 0...1")
        count += 1
        sum += Int64((Int128(part) << 32 + Int128(whole) / 2) / Int128(whole))
    }

    /// Takes in all shares of another tally.
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
