/// Found text on its way into a message: on one line, obeyed by no terminal, and not at full length.
package enum OneLine {
    /// The text with a space in place of every control character, line end and invisible mark of formatting.
    ///
    /// A terminal obeys escape sequences, and marks of direction make a text look like another one.
    package static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isInvisible) else { return text }
        return text.unicodeScalars.map { isInvisible($0) ? " " : String($0) }.joined()
    }

    /// The beginning of the text, with an ellipsis where more follows.
    ///
    /// Counted in Unicode scalars: a single character may be of any length.
    package static func excerpt(_ text: String, longest: Int = 40) -> String {
        let start = text.unicodeScalars.prefix(longest)
        return Self.text(String(start)) + (start.endIndex < text.unicodeScalars.endIndex ? "…" : "")
    }

    /// Whether the text is one that messages show as it is.
    package static func isOne(_ text: String) -> Bool {
        !text.unicodeScalars.contains(where: isInvisible)
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value < 0x20 || scalar.value > 0x7E else { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
