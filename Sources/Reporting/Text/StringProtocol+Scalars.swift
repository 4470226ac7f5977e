extension StringProtocol {
    /// Returns the text with some scalars replaced; a scalar stays if its replacement is nil.
    ///
    /// Other programs read a text scalar by scalar. In Swift, CR and LF together are one character, and so is a quote
    /// with a combining mark.
    func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if let other = replacement(scalar) { text += other } else { text.unicodeScalars.append(scalar) }
        }
    }
}
