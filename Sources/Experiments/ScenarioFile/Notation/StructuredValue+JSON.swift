extension StructuredValue {
    /// This value as JSON, indented by two columns a level.
    var json: String { json(indentation: "") }

    /// A text between double quotes, with the escapes that JSON and YAML share.
    static func doubleQuoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\u{20}"..."\u{7E}", "\u{A0}"..."\u{2027}", "\u{202A}"..."\u{D7FF}", "\u{10000}"...:
                quoted.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return quoted + "\""
    }

    private func json(indentation: String) -> String {
        let inner = indentation + "  "
        switch self {
        case .null: return "null"
        case .boolean(let value): return value ? "true" : "false"
        case .number(let text): return text
        case .word(let text), .text(let text): return Self.doubleQuoted(text)
        case .list(let values):
            guard !values.isEmpty else { return "[]" }
            let lines = values.map { inner + $0.json(indentation: inner) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indentation)]"
        case .mapping(let entries, _):
            guard !entries.isEmpty else { return "{}" }
            let lines = entries.map { "\(inner)\(Self.doubleQuoted($0.key)): \($0.value.json(indentation: inner))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indentation)}"
        }
    }
}
