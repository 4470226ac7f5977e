/// Texts quoted as files of JSON, YAML and CSV require.
public enum QuotedText {
    /// A text in quotes, as in JSON and YAML; control characters, and characters that some readers treat as line breaks, are escaped.
    public static func doubleQuoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\r": quoted += "\\r"
            case "\u{20}"..."\u{7E}", "\u{A0}"..."\u{2027}", "\u{202A}"..."\u{D7FF}", "\u{10000}"...:
                quoted.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return quoted + "\""
    }

    /// A line of CSV by RFC 4180, with LF at its end.
    ///
    /// Fields with a separator, a quote or a line end are quoted. An apostrophe precedes a text that a spreadsheet would
    /// take for a formula.
    public static func csvLine(_ fields: [String]) -> String {
        var line = ""
        for (index, field) in fields.enumerated() {
            if index > 0 { line += "," }
            let text = OneLine.isFormula(field) ? "'" + field : field
            if text.utf8.contains(where: { [0x2C, 0x22, 0x0A, 0x0D].contains($0) }) {
                line += "\""
                for scalar in text.unicodeScalars {
                    if scalar == "\"" { line += "\"" }
                    line.unicodeScalars.append(scalar)
                }
                line += "\""
            } else {
                line += text
            }
        }
        return line + "\n"
    }
}
