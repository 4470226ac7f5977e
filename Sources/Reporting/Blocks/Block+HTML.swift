/// Blocks as HTML elements.
extension Block {
    /// Returns the element, with an id if it is the target of a link; nil for a text drawing.
    func html(id: String? = nil) -> String? {
        switch self {
        case .heading(let level, let text):
            let id = id.map { " id=\"\(HTMLText.escaped($0))\"" } ?? ""
            return "<h\(level)\(id)>\(Block.inline(text))</h\(level)>"
        case .paragraph(let text):
            return "<p>\(Block.inline(text))</p>"
        case .chart:
            return "<p>\(Block.inline(markdown))</p>"
        case .code(let text, let language):
            return language == Block.drawing ? nil : "<pre tabindex=\"0\"><code>\(HTMLText.escaped(text))</code></pre>"
        case .list(let items):
            let lines = items.map { "<li>\(Block.inline($0))</li>" }
            return "<ul>\n\(lines.joined(separator: "\n"))\n</ul>"
        case .table(let table):
            return Block.html(table)
        }
    }

    /// The header of the column with verdicts: in a table wider than the page it stays visible.
    private static let decidingHeader = "verdict"

    /// Returns a table whose first column names the rows; a header without text is left out.
    private static func html(_ table: TextTable) -> String {
        func cell(_ tag: String, _ column: Int, _ text: String, scope: String? = nil) -> String {
            let column = table.columns[column]
            let classes =
                (column.alignment == .right ? ["number"] : []) + (column.title == decidingHeader ? ["deciding"] : [])
            let attributes =
                (scope.map { " scope=\"\($0)\"" } ?? "")
                + (classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\"")
            return "<\(tag)\(attributes)>\(inlineOfCell(text))</\(tag)>"
        }
        var lines = ["<div class=\"table\" tabindex=\"0\">", "<table>"]
        let titles = table.columns.map(\.title)
        if titles.contains(where: { !$0.isEmpty }) {
            let cells = titles.enumerated().map { $1.isEmpty ? "<td></td>" : cell("th", $0, $1, scope: "col") }
            lines.append("<thead><tr>\(cells.joined())</tr></thead>")
        }
        lines.append("<tbody>")
        for row in table.cells {
            let cells = row.enumerated().map { $0 == 0 ? cell("th", $0, $1, scope: "row") : cell("td", $0, $1) }
            lines.append("<tr>\(cells.joined())</tr>")
        }
        return (lines + ["</tbody>", "</table>", "</div>"]).joined(separator: "\n")
    }

    /// Returns the text of a cell with possible line breaks inside names of metrics and keys, so that columns stay as
    /// narrow as their numbers; a time of day stays whole.
    static func inlineOfCell(_ text: String) -> String {
        let html = inline(text)
        guard !html.contains(/[<&]/) else { return html }
        return html.replacing(/[_{@]|:(?![0-9]{2}(?![0-9]))|\.(?=[a-z]{2})/) {
            $0.output == "_" ? "_<wbr>" : "<wbr>\($0.output)"
        }
    }

    // MARK: - Inline elements

    /// The entities that a report uses to escape text from elsewhere.
    private static let entities = ["&amp;", "&lt;", "&#91;"]

    /// Returns a text with code, strong and emphasised parts and links.
    static func inline(_ text: some StringProtocol) -> String {
        var html = ""
        var rest = Substring(text)
        while let character = rest.first {
            if character == "`", let (code, after) = enclosed(rest, by: "`") {
                html += "<code>\(HTMLText.escaped(code))</code>"
                rest = after
            } else if rest.hasPrefix("**"), let (strong, after) = enclosed(rest, by: "**") {
                html += "<strong>\(inline(strong))</strong>"
                rest = after
            } else if character == "*", let (emphasised, after) = enclosed(rest, by: "*"),
                emphasised.first?.isWhitespace == false
            {
                html += "<em>\(inline(emphasised))</em>"
                rest = after
            } else if character == "[", let (label, target, after) = link(rest) {
                html += "<a href=\"\(HTMLText.escaped(target))\">\(inline(label))</a>"
                rest = after
            } else if let entity = entities.first(where: { rest.hasPrefix($0) }) {
                html += entity
                rest = rest.dropFirst(entity.count)
            } else {
                html += HTMLText.escaped(rest.prefix(1))
                rest = rest.dropFirst()
            }
        }
        return html
    }

    /// Returns the text between a mark and its next occurrence, and the text after it; nil if there is none.
    private static func enclosed(_ text: Substring, by mark: String) -> (inner: Substring, after: Substring)? {
        let inner = text.dropFirst(mark.count)
        guard let end = inner.firstRange(of: mark), end.lowerBound > inner.startIndex else { return nil }
        return (inner[..<end.lowerBound], inner[end.upperBound...])
    }

    /// Parses `[label](target)` at the beginning of a text.
    ///
    /// Only targets within the results and on the web become links, because a report may contain names from elsewhere.
    static func link(_ text: Substring) -> (label: Substring, target: Substring, after: Substring)? {
        guard let middle = text.firstRange(of: "]("), let end = text[middle.upperBound...].firstIndex(of: ")") else {
            return nil
        }
        let label = text[..<middle.lowerBound].dropFirst()
        let target = text[middle.upperBound..<end]
        let scheme = target.prefix { $0 != ":" && $0 != "/" && $0 != "#" }
        let hasScheme = target.dropFirst(scheme.count).first == ":"
        guard !label.contains("["), !hasScheme || ["http", "https"].contains(scheme) else { return nil }
        return (label, target, text[text.index(after: end)...])
    }
}
