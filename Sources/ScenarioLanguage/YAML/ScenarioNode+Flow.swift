import TextFormats

extension ScenarioNode {
    /// The value as YAML on one line.
    var yamlFlow: String {
        switch content {
        case .scalar(let text, let isPlain):
            // On one line, a plain text of a block may be read as structure.
            isPlain && !text.contains(where: { ",[]{}#:".contains($0) }) ? text : QuotedText.doubleQuoted(text)
        case .list(let nodes): "[\(nodes.map(\.yamlFlow).joined(separator: ", "))]"
        case .mapping(let entries): "{\(entries.map { "\($0.key): \($0.value.yamlFlow)" }.joined(separator: ", "))}"
        }
    }
}
