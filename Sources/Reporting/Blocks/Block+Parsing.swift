internal import Foundation

/// Blocks of a `report.md`.
///
/// The supported subset of GitHub's Markdown has headings, paragraphs, tables, fenced code and flat lists, with strong
/// and emphasised text, code and links inside. No package with a full parser is available. Anything else is shown as it
/// is written.
extension Block {
    /// Parses a text into blocks.
    ///
    /// - Complexity: Linear in the length of the text.
    static func blocks(of markdown: String) -> [Block] {
        var lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)[...]
        var blocks: [Block] = []
        while let line = lines.first {
            if line.allSatisfy(\.isWhitespace) {
                lines.removeFirst()
            } else if let block = heading(line) {
                blocks.append(block)
                lines.removeFirst()
            } else if line.hasPrefix("```") {
                lines.removeFirst()
                let code = lines.prefix { !$0.hasPrefix("```") }
                lines = lines.dropFirst(code.count + 1)
                blocks.append(.code(code.joined(separator: "\n"), language: String(line.dropFirst(3))))
            } else if line.hasPrefix("|"), let second = lines.dropFirst().first, let alignment = alignment(second) {
                let rows = lines.prefix { $0.hasPrefix("|") }
                lines = lines.dropFirst(rows.count)
                blocks.append(table(cells(line), alignment, rows.dropFirst(2).map { cells($0) }))
            } else if item(line) != nil {
                blocks.append(list(&lines))
            } else {
                let text = lines.prefix { !$0.allSatisfy(\.isWhitespace) && !$0.hasPrefix("```") }
                lines = lines.dropFirst(text.count)
                blocks.append(paragraph(orChart: text.joined(separator: "\n")))
            }
        }
        return blocks
    }

    private static func heading(_ line: Substring) -> Block? {
        let level = line.prefix { $0 == "#" }.count
        guard (1...6).contains(level), line.dropFirst(level).first == " " else { return nil }
        return .heading(level, trimmed(line.dropFirst(level)))
    }

    /// Returns a paragraph, or a chart if it consists of a link to a specification.
    private static func paragraph(orChart text: String) -> Block {
        guard text.hasPrefix("["), let link = link(Substring(text)), link.after.isEmpty,
            link.target.hasSuffix(Chart.fileSuffix)
        else { return .paragraph(text) }
        return .chart(title: String(link.label), path: String(link.target))
    }

    private static func list(_ lines: inout ArraySlice<Substring>) -> Block {
        var items: [String] = []
        while let line = lines.first, !line.allSatisfy(\.isWhitespace) {
            if let item = item(line) {
                items.append(item)
            } else {
                // A line that begins no item continues the one before.
                items[items.count - 1] += "\n" + trimmed(line)
            }
            lines.removeFirst()
        }
        return .list(items)
    }

    /// Returns the text of a list item, after `- `; nil if the line begins no item.
    private static func item(_ line: Substring) -> String? {
        line.hasPrefix("- ") ? trimmed(line.dropFirst(2)) : nil
    }

    /// Returns a table; rows of another length than the header are cut or filled.
    private static func table(_ header: [String], _ alignment: [TextTable.Alignment], _ rows: [[String]]) -> Block {
        let columns = header.enumerated()
            .map { TextTable.Column(title: $1, alignment: $0 < alignment.count ? alignment[$0] : .left) }
        let blanks = Array(repeating: "", count: columns.count)
        return .table(TextTable(columns, rows: rows.map { Array(($0 + blanks).prefix(columns.count)) }))
    }

    /// Returns the alignments from the second line of a table; nil if it is not such a line.
    private static func alignment(_ line: Substring) -> [TextTable.Alignment]? {
        guard line.contains("-"), line.allSatisfy({ "|-: ".contains($0) }) else { return nil }
        return cells(line).map { $0.hasSuffix(":") ? .right : .left }
    }

    /// Returns the cells of a row; an escaped bar is part of its cell.
    private static func cells(_ line: Substring) -> [String] {
        // No report contains a NUL.
        var cells = line.dropFirst().replacing("\\|", with: "\u{0}")
            .split(separator: "|", omittingEmptySubsequences: false)
        // The last bar closes the row.
        if let last = cells.last, last.allSatisfy(\.isWhitespace) { cells.removeLast() }
        return cells.map { trimmed($0.replacing("\u{0}", with: "|")) }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
