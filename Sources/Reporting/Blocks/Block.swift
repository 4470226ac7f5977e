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

/// A part of a report: a block, blocks, or a value that becomes one.
protocol ReportPart {
    var blocks: [Block] { get }
}

extension Block: ReportPart {
    var blocks: [Block] { [self] }
}

extension TextTable: ReportPart {
    var blocks: [Block] { [.table(self)] }
}

/// A text is a paragraph; an empty one is left out.
extension String: ReportPart {
    var blocks: [Block] { isEmpty ? [] : [.paragraph(self)] }
}

extension Array: ReportPart where Element: ReportPart {
    var blocks: [Block] { flatMap(\.blocks) }
}

extension [Block] {
    /// Creates blocks from parts.
    init(_ parts: (any ReportPart)?...) { self = parts.flatMap { $0?.blocks ?? [] } }

    /// Returns a section of a report; empty if it has no content.
    static func section(_ title: String, _ parts: (any ReportPart)?...) -> [Block] {
        let content = parts.flatMap { $0?.blocks ?? [] }
        return content.isEmpty ? [] : [.heading(2, title)] + content
    }
}
