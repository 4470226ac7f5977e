extension String {
    // These functions work byte by byte, because a regular expression is compiled at each use, and a design of
    // thousands of points reads several hundred names and numbers for each point.

    /// `true` if there are only decimal digits, at least one.
    package var isDigits: Bool { !isEmpty && utf8.allSatisfy(\.isDigit) }

    /// `true` if it is a whole number: digits with an optional minus sign.
    package var isWholeNumber: Bool { (hasPrefix("-") ? String(dropFirst()) : self).isDigits }

    /// Returns true if the length is within bounds, and all characters are ASCII letters, digits, or bytes of another
    /// text.
    package func isPlain(_ count: ClosedRange<Int>, also others: String) -> Bool {
        count.contains(utf8.count) && utf8.allSatisfy { $0.isLetterOrDigit || others.utf8.contains($0) }
    }

    /// Returns true if it has the form of a text in which each 0 is a placeholder for a digit.
    package func hasForm(_ form: String) -> Bool {
        utf8.count == form.utf8.count
            && zip(utf8, form.utf8).allSatisfy { $1 == UInt8(ascii: "0") ? $0.isDigit : $0 == $1 }
    }
}

extension UInt8 {
    /// `true` if it is a decimal digit.
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    /// `true` if it is an ASCII letter or a decimal digit.
    var isLetterOrDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
