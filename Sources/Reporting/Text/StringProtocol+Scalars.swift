extension StringProtocol {
    /// The text with some scalars replaced; those for which there is nil stay.
    ///
    /// Scalar by scalar, as other programs read a text: for Swift, CR and LF together are one character, and so is a quote
    /// with a mark above it.
    func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if let other = replacement(scalar) { text += other } else { text.unicodeScalars.append(scalar) }
        }
    }
}
