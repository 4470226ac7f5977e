/// The quantiles of the exponential distribution with mean one, in integers alone.
///
/// 1,024 linear segments between exact nodes: a draw's top 10 bits select the segment, the next 20 the position on it.
/// The lower 32 bits of the draw are unused, and available for another choice. The segment of the largest values ends
/// two means above its lower node, which preserves the mean, so no value exceeds 8.94 means. Nodes are computed from
/// the bits of a logarithm by repeated squaring, so another language gets the same table and thus the same trajectory.
@frozen
public struct ExponentialTable: ~Copyable {
    /// The number of fractional bits of a value.
    @inlinable
    public static var places: UInt64 { 28 }

    @usableFromInline
    let nodes: UnsafeMutablePointer<UInt32>

    /// Creates the table.
    public init() {
        nodes = .allocate(capacity: 1025)
        for index in 1...1024 {
            nodes[index] = ExponentialTable.negativeLogarithm(of1024ths: UInt64(index))
        }
        nodes[0] = nodes[1] + 2 << 28
    }

    deinit {
        nodes.deallocate()
    }

    /// The quantile of a draw, in units of 2^-28 means.
    ///
    /// - Complexity: O(1).
    @inlinable
    public func value(for draw: UInt64) -> UInt64 {
        let line = Int(truncatingIfNeeded: draw &>> 54)
        let upper = UInt64(nodes[line])
        let lower = UInt64(nodes[line &+ 1])
        return upper &- ((upper &- lower) &* (draw &>> 34 & 0xFFFFF)) &>> 20
    }

    /// -ln(index / 1024) in units of 2^-28.
    private static func negativeLogarithm(of1024ths index: UInt64) -> UInt32 {
        let exponent = UInt64(63 - index.leadingZeroBitCount)
        var power = index << (31 - exponent)
        var logarithm = exponent
        for _ in 0..<28 {
            power = (power * power) >> 31
            logarithm <<= 1
            if power >= 2 << 31 {
                power >>= 1
                logarithm += 1
            }
        }
        // ln 2 in units of 2^-32.
        return UInt32(((10 << 28 - logarithm) * 2_977_044_472) >> 32)
    }
}
