import TextFormats

extension StructuredValue {
    /// The value as JSON, indented by two spaces per level.
    var json: String { json(indentation: "") }

    private func json(indentation: String) -> String {
        let inner = indentation + "  "
        switch self {
        case .null: return "null"
        case .boolean(let value): return value ? "true" : "false"
        case .number(let text): return text
        case .word(let text), .text(let text): return QuotedText.doubleQuoted(text)
        case .list(let values):
            guard !values.isEmpty else { return "[]" }
            let lines = values.map { inner + $0.json(indentation: inner) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indentation)]"
        case .mapping(let entries, _):
            guard !entries.isEmpty else { return "{}" }
            let lines = entries.map {
                "\(inner)\(QuotedText.doubleQuoted($0.key)): \($0.value.json(indentation: inner))"
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indentation)}"
        }
    }
}
