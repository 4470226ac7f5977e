/// Decimal numbers with a fixed number of places, written from the exact value of a `Double`.
///
/// Integer arithmetic throughout: the text depends neither on a locale nor on the C library.
public enum FixedPoint {
    /// Formats a number rounded to a number of places, with ties to even; `-0.0000001` is `0.000000`.
    ///
    /// - Parameters:
    ///   - number: Any number.
    ///   - places: 0...6.
    /// - Returns: Nil unless the number is finite and below 2^64, which every quotient of two 64-bit sums is.
    public static func text(_ number: Double, places: Int) -> String? {
        precondition((0...6).contains(places), "a fixed-point number has 0 to 6 places")
        let magnitude = number.magnitude
        guard magnitude < 0x1p64 else { return nil }
        var scale: UInt128 = 1
        for _ in 0..<places { scale *= 10 }
        // In multiples of 2^-83 every fraction from 2^-30 on is exact; smaller ones are far below half of 10^-6.
        let whole = magnitude.rounded(.towardZero)
        let fraction = UInt128((magnitude - whole) * 0x1p83) * scale
        var units = UInt128(whole) * scale + fraction >> 83
        let rest = fraction & (1 << 83 - 1)
        let half: UInt128 = 1 << 82
        if rest > half || rest == half && units % 2 == 1 { units += 1 }
        let sign = number < 0 && units > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(units)" }
        let digits = String(units)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
    }

    /// Formats a span of time in seconds, with six decimals.
    ///
    /// - Precondition: It is not negative.
    public static func seconds(microseconds: Int64) -> String {
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
    }
}
