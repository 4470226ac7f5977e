/// A block of a report; its texts are Markdown.
///
/// One list of blocks gives `report.md`, `report.html` and the text for a terminal.
enum Block: Hashable, Sendable {
    case heading(Int, String)
    case paragraph(String)
    case list([String])
    case code(String, language: String = "")
    case table(TextTable)
    /// A link to the specification of a chart, which a page replaces by the chart.
    case chart(title: String, path: String)

    /// The language of a text drawing; a page leaves it out because it shows a chart instead.
    static let drawing = "text drawing"

    /// The block in Markdown.
    var markdown: String {
        switch self {
        case .heading(let level, let text): String(repeating: "#", count: level) + " \(text)"
        case .paragraph(let text): text
        case .list(let items): items.map { "- \($0)" }.joined(separator: "\n")
        case .code(let text, let language): "```\(language)\n\(text)\n```"
        case .table(let table): table.markdown
        case .chart(let title, let path): "[\(title)](\(path))"
        }
    }

    /// The block for a terminal, which has neither headings nor charts.
    fileprivate var plain: String? {
        switch self {
        case .heading, .chart: nil
        case .paragraph(let text), .code(let text, _): text
        case .list(let items): items.joined(separator: "\n")
        case .table(let table): table.plain
        }
    }
}

extension [Block] {
    /// The blocks in Markdown; ends with a newline.
    var markdown: String { map(\.markdown).joined(separator: "\n\n") + "\n" }

    /// The blocks for a terminal; ends with a newline.
    var plain: String { compactMap(\.plain).joined(separator: "\n\n") + "\n" }
}

/// Collects blocks: a text is a paragraph, and an empty one is left out.
@resultBuilder
enum BlockBuilder {
    static func buildExpression(_ text: String?) -> [Block] {
        text.map { $0.isEmpty ? [] : [.paragraph($0)] } ?? []
    }

    static func buildExpression(_ table: TextTable?) -> [Block] { table.map { [.table($0)] } ?? [] }

    static func buildExpression(_ chart: Chart?) -> [Block] { chart.map { [$0.block] } ?? [] }

    static func buildExpression(_ block: Block) -> [Block] { [block] }

    static func buildExpression(_ blocks: [Block]) -> [Block] { blocks }

    static func buildBlock(_ parts: [Block]...) -> [Block] { Array(parts.joined()) }

    static func buildOptional(_ blocks: [Block]?) -> [Block] { blocks ?? [] }

    static func buildEither(first blocks: [Block]) -> [Block] { blocks }

    static func buildEither(second blocks: [Block]) -> [Block] { blocks }

    static func buildArray(_ parts: [[Block]]) -> [Block] { Array(parts.joined()) }
}

/// Returns a section of a report; empty if it has no content.
func section(_ title: String, @BlockBuilder _ content: () -> [Block]) -> [Block] {
    let content = content()
    return content.isEmpty ? [] : [.heading(2, title)] + content
}
