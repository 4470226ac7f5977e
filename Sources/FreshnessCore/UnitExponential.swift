/// Draws from the exponential distribution of mean 1.
///
/// The system's logarithm differs in its last bits between processors with and without FMA. This implementation uses
/// only additions, multiplications and divisions, which IEEE 754 rounds identically everywhere.
enum UnitExponential {
    /// The natural logarithm of 2, to the nearest `Double`.
    private static var logOfTwo: Double { 0x1.62E42FEFA39EFp-1 }
    /// The approximate square root of 1/2; it only splits the range.
    private static var rootOfHalf: Double { 0x1.6A09E667F3BCDp-1 }

    /// The quantile of a draw that is uniform on all 64-bit integers: -ln(1 - draw/2^64).
    ///
    /// From 0, for a draw of 0, up to 64 ln 2 = 44.4; larger draws give larger values. The relative error is below 1e-15.
    static func value(for draw: UInt64) -> Double {
        // 1 - draw/2^64 as mantissa · 2^-exponent, with a mantissa between the roots of 1/2 and 2.
        let distance = Double(draw) * 0x1p-64
        guard draw != 0 else { return 0 }
        let rest = 0 &- draw
        let leadingZeros = rest.leadingZeroBitCount
        var mantissa = Double(rest << UInt64(leadingZeros)) * 0x1p-64
        var exponent = Double(leadingZeros)
        guard leadingZeros > 0 || mantissa < rootOfHalf else {
            // Near 0 the distance from 1 is more precise than the mantissa.
            return minusLog(numerator: distance, denominator: 2 - distance)
        }
        if mantissa < rootOfHalf {
            mantissa *= 2
            exponent += 1
        }
        return exponent * logOfTwo + minusLog(numerator: 1 - mantissa, denominator: 1 + mantissa)
    }

    /// -ln m from z = (1 - m)/(1 + m): 2 atanh z = 2 (z + z³/3 + z⁵/5 + …).
    ///
    /// |z| is at most 0.172, so the first omitted term is below 1e-18 of the sum.
    private static func minusLog(numerator: Double, denominator: Double) -> Double {
        let z = numerator / denominator
        let square = z * z
        var sum = 0.0
        var divisor = 21.0
        while divisor > 1 {
            sum = (sum + 1 / divisor) * square
            divisor -= 2
        }
        return 2 * z * (1 + sum)
    }
}
