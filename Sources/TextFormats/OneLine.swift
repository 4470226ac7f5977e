/// Text from elsewhere made safe for a message: on one line, without commands to a terminal or a build system, and
/// shortened.
public enum OneLine {
    /// Returns the text with a space for every control character, line end and invisible formatting character.
    ///
    /// A terminal obeys escape sequences, direction marks disguise a text as another one, and GitHub reads commands
    /// from the output of a step.
    public static func text(_ text: String) -> String {
        let isClean = !text.unicodeScalars.contains(where: isInvisible)
        return withoutCommands(isClean ? text : text.unicodeScalars.map { isInvisible($0) ? " " : String($0) }.joined())
    }

    /// Returns the beginning of the text, with an ellipsis if more follows.
    ///
    /// The length is counted in Unicode scalars, because a single character may have any length.
    public static func excerpt(_ text: String, longest: Int = 40) -> String {
        let start = text.unicodeScalars.prefix(longest)
        return Self.text(String(start)) + (start.endIndex < text.unicodeScalars.endIndex ? "…" : "")
    }

    /// Returns several lines, with a space for every other control character.
    public static func lines(_ text: String) -> String {
        func isKept(_ scalar: Unicode.Scalar) -> Bool { !isControl(scalar) || scalar == "\n" || scalar == "\t" }
        let isClean = text.unicodeScalars.allSatisfy(isKept)
        return withoutCommands(isClean ? text : text.unicodeScalars.map { isKept($0) ? String($0) : " " }.joined())
    }

    /// Returns true if messages show the text unchanged.
    public static func isOne(_ text: String) -> Bool { Self.text(text) == text }

    /// Returns true if a terminal, a build system or a line reader may obey a part of the text.
    public static func isObeyed(_ text: String) -> Bool { hasControls(text) || withoutCommands(text) != text }

    /// Returns true if the text has an escape sequence, a second line or another control character.
    public static func hasControls(_ text: String) -> Bool { text.unicodeScalars.contains(where: isControl) }

    /// Returns true if a spreadsheet would take a cell with the text for a formula.
    ///
    /// Signed numbers are not formulas, nor are percentages, durations, time zones and single operators.
    public static func isFormula(_ text: String) -> Bool {
        switch text.utf8.first {
        case UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
            return text.contains { $0.isLetter || $0.isNumber }
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            return text.utf8.count > 64 || !text.unicodeScalars.allSatisfy(isOfNumber)
        default:
            return false
        }
    }

    /// Returns the text with a space inside the marks of GitHub's commands: `::` at the beginning of a line, `##[`
    /// anywhere.
    private static func withoutCommands(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ":")) || text.utf8.contains(UInt8(ascii: "#")),
            text.contains("::") || text.contains("##[")
        else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                let words = line.drop { $0.isWhitespace }
                let command = words.hasPrefix("::") ? ": " + words.dropFirst() : String(words)
                return line[..<words.startIndex] + command.replacing("##[", with: "## [")
            }
            .joined(separator: "\n")
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
    }

    private static func isOfNumber(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return scalar.isASCII
            && (properties.isAlphabetic || properties.numericType != nil || ".%+-:_".unicodeScalars.contains(scalar))
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        isControl(scalar) || (scalar.value > 0x7E && scalar.properties.generalCategory == .format)
    }
}
