/// Exact arithmetic on decimal numbers in text form, as in result files.
enum DecimalText {
    /// Converts microseconds to seconds with all digits, by moving the decimal point six places.
    ///
    /// - Returns: The seconds; nil if the text is not a plain decimal number.
    static func seconds(fromMicroseconds text: String) -> String? {
        guard isNumber(text) else { return nil }
        let sign = text.hasPrefix("-") ? "-" : ""
        let parts = text.dropFirst(sign.count).split(separator: ".", omittingEmptySubsequences: false)
        let whole = String(repeating: "0", count: max(0, 7 - parts[0].count)) + parts[0]
        var fraction = String(whole.suffix(6)) + (parts.count > 1 ? String(parts[1]) : "")
        while fraction.last == "0" { fraction.removeLast() }
        let integer = whole.dropLast(6).drop { $0 == "0" }
        return sign + (integer.isEmpty ? "0" : integer) + (fraction.isEmpty ? "" : ".\(fraction)")
    }

    /// Returns true if a text is a decimal number without an exponent: `-12`, `0.25`.
    static func isNumber(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count)
            && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}
