extension String {
    // Looked at byte by byte: a regular expression is made anew each time that it is tried, and a design of thousands of
    // points reads some hundred names and numbers for each.

    /// Whether there is nothing but decimal digits, one at least.
    var isDigits: Bool { !isEmpty && utf8.allSatisfy(\.isDigit) }

    /// Whether it is a whole number: digits, perhaps behind a minus sign.
    var isWholeNumber: Bool { (hasPrefix("-") ? String(dropFirst()) : self).isDigits }

    /// Whether its length is within bounds, and all of it are letters and digits of ASCII, or bytes of another text.
    func isPlain(_ count: ClosedRange<Int>, also others: String) -> Bool {
        count.contains(utf8.count) && utf8.allSatisfy { $0.isDigit || $0.isLetter || others.utf8.contains($0) }
    }

    /// Whether it has the form of a text in which each 0 stands for a digit.
    func hasForm(_ form: String) -> Bool {
        utf8.count == form.utf8.count
            && zip(utf8, form.utf8).allSatisfy { $1 == UInt8(ascii: "0") ? $0.isDigit : $0 == $1 }
    }
}

extension UInt8 {
    /// Whether it is a decimal digit.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    /// Whether it is a letter of ASCII.
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
