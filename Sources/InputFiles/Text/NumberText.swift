internal import Foundation

/// Decimal numbers as text, read strictly and written to give the same number when read.
public enum NumberText {
    /// Returns the number in a text; nil for anything except a finite decimal number such as `-1.5` or `2e-3`.
    ///
    /// Swift's own conversion also accepts `nan`, `inf` and hexadecimal numbers.
    public static func number(_ text: String) -> Double? {
        guard isDecimal(text[...], takesExponent: true), let number = Double(text), number.isFinite
        else { return nil }
        return number == 0 ? 0 : number
    }

    /// Returns the number in a text of hundredths, correctly rounded: `0.1` gives the same bits as the literal 0.001.
    package static func hundredths(_ text: String) -> Double? {
        isDecimal(text[...], takesExponent: false) ? number(text + "e-2") : nil
    }

    /// Returns the number in a text, which may be a percentage.
    package static func share(_ text: String) -> Double? {
        text.hasSuffix("%") ? hundredths(String(text.dropLast())) : number(text)
    }

    /// Returns the text that ``hundredths(_:)`` reads as the same number: the shortest text of the number, with its
    /// point moved.
    package static func hundredthsText(_ number: Double) -> String {
        let parts = text(number.magnitude).split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        let digits = mantissa.joined()
        let point = mantissa[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) + 2
        func zeros(_ count: Int) -> String { String(repeating: "0", count: max(0, count)) }
        let whole = (digits.prefix(max(0, point)) + zeros(point - digits.count)).drop { $0 == "0" }
        var decimals = zeros(-point) + digits.dropFirst(max(0, point))
        while decimals.last == "0" { decimals.removeLast() }
        let plain = (whole.isEmpty ? "0" : String(whole)) + (decimals.isEmpty ? "" : "." + decimals)
        return (number < 0 ? "-" : "") + plain
    }

    /// Returns true if a text has the form `-1.5` or, with an exponent, `2e-3`.
    ///
    /// It is written by hand because a regular expression is compiled at each use, and a scenario has about a hundred
    /// numbers.
    private static func isDecimal(_ text: Substring, takesExponent: Bool) -> Bool {
        var rest = text.utf8
        func dropDigits() -> Bool {
            let count = rest.count
            rest = rest.drop(while: \.isDigit)
            return rest.count < count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        guard dropDigits() else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard dropDigits() else { return false }
        }
        if takesExponent, let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard dropDigits() else { return false }
        }
        return rest.isEmpty
    }

    /// Returns the shortest text that ``number(_:)`` reads as the same number, without a point for whole numbers.
    public static func text(_ number: Double) -> String {
        if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 {
            "\(whole)"
        } else {
            "\(number)"
        }
    }

    /// Returns the text of a number with six significant digits.
    package static func rounded(_ number: Double) -> String {
        Double(String(format: "%.6g", number)).map(text) ?? text(number)
    }

    /// Returns the text with the fewest significant digits whose number `accepts` accepts.
    package static func shortest(_ number: Double, accepts: (Double) -> Bool) -> String {
        for digits in 1..<17 {
            if let shorter = Double(String(format: "%.*g", digits, number)), accepts(shorter) { return text(shorter) }
        }
        return text(number)
    }

    /// Returns the number rounded to some significant digits, as printf rounds it.
    public static func rounded(_ number: Double, digits: Int) -> Double {
        Double(String(format: "%.*g", digits, number)) ?? number
    }

    /// Returns the shortest text without an exponent that `accepts` accepts, adding one decimal place at a time.
    package static func plainText(_ number: Double, accepts: (String) -> Bool) -> String {
        for places in 0..<60 {
            let text = String(format: "%.*f", places, number)
            if accepts(text) { return text }
        }
        return String(format: "%.60f", number)
    }
}
