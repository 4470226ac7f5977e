import TextFormats

extension StructuredValue {
    /// The lines of this value as YAML, without indentation of their own.
    package var yamlLines: [String] {
        switch self {
        case .mapping(let entries, isCompact: false) where !entries.isEmpty:
            entries.flatMap { entry in
                entry.value.isOnOneLine
                    ? ["\(entry.key): \(entry.value.yamlFlow)"]
                    : ["\(entry.key):"] + entry.value.yamlLines.map { "  \($0)" }
            }
        case .list(let values) where !isOnOneLine:
            values.flatMap { value in
                value.yamlLines.enumerated().map { $0.offset == 0 ? "- \($0.element)" : "  \($0.element)" }
            }
        default:
            [yamlFlow]
        }
    }

    private var isOnOneLine: Bool {
        switch self {
        case .mapping(let entries, let isCompact): isCompact || entries.isEmpty
        case .list(let values): values.allSatisfy(\.isOnOneLine)
        default: true
        }
    }

    /// The value as YAML on one line.
    var yamlFlow: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let text), .word(let text): text
        case .text(let text): QuotedText.doubleQuoted(text)
        case .list(let values): "[\(values.map(\.yamlFlow).joined(separator: ", "))]"
        case .mapping(let entries, _): "{\(entries.map { "\($0.key): \($0.value.yamlFlow)" }.joined(separator: ", "))}"
        }
    }
}
