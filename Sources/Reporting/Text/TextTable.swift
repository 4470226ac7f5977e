/// Rows of text in aligned columns, for Markdown and for terminals.
public struct TextTable: Hashable, Sendable {
    /// The alignment of a column's cells.
    enum Alignment {
        case left
        case right
    }

    /// A column: its title, which ends with a colon if cells are aligned to the right, as in Markdown's `---:`.
    public struct Column: Hashable, Sendable {
        let title: String
        let alignment: Alignment
    }

    /// The titles of the columns, with the alignment of their cells.
    let columns: [Column]
    /// The rows, with one cell per column.
    private(set) var rows: [[String]] = []
    /// The columns with text from elsewhere: Markdown syntax in them is escaped.
    var othersWords: Set<Int> = []

    /// Creates a table with its first rows.
    ///
    /// - Precondition: Each row has a cell for each column.
    public init(_ columns: [Column], rows: [[String]] = []) {
        self.columns = columns
        for row in rows { add(row) }
    }

    /// Adds a row.
    ///
    /// - Precondition: There is a cell for each column.
    mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count, "a row has a cell for each column")
        rows.append(cells)
    }

    /// Adds a row of cells.
    public mutating func add(_ cells: String...) {
        add(cells)
    }

    /// The rows with Markdown inside their cells.
    var cells: [[String]] {
        rows.map { $0.enumerated().map { othersWords.contains($0) ? MarkdownText.escaped($1) : $1 } }
    }

    /// The table in Markdown, padded so that it reads well unrendered too.
    public var markdown: String {
        let escaped = cells.map { $0.map { $0.replacing("|", with: "\\|") } }
        // Markdown requires at least three dashes under a title.
        let widths = widths(of: escaped).map { max(3, $0) }
        let rule = zip(columns, widths)
            .map { column, width -> String in
                let dashes = String(repeating: "-", count: width)
                return column.alignment == .left ? dashes : dashes.dropLast() + ":"
            }
        var lines = ([columns.map(\.title)] + escaped).map { padded($0, widths) }
        lines.insert(rule, at: 1)
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    /// The table as plain text, with two spaces between columns and none at the end of a line.
    public var plain: String {
        let lines = [columns.map(\.title)] + rows
        let widths = widths(of: rows)
        return
            lines.map { line in
                var text = padded(line, widths).joined(separator: "  ")
                while text.last == " " { text.removeLast() }
                return text
            }
            .joined(separator: "\n")
    }

    /// Returns the table as several with some columns each; each has all rows and repeats the first columns.
    func parts(ofColumns count: Int, repeating leading: Int) -> [TextTable] {
        let first = Array(columns.indices.prefix(leading))
        let rest = Array(columns.indices.dropFirst(leading))
        return stride(from: 0, to: max(1, rest.count), by: count)
            .map { part(first + rest[$0..<min($0 + count, rest.count)]) }
    }

    /// Returns some columns of the table.
    private func part(_ chosen: [Int]) -> TextTable {
        TextTable(chosen.map { columns[$0] }, rows: rows.map { row in chosen.map { row[$0] } })
    }

    /// Returns the table as several that are no wider than a terminal; each has all rows and repeats the first columns.
    ///
    /// A column that is wider than the terminal has a table of its own. No column is left out.
    func parts(width: Int, repeating leading: Int) -> [TextTable] {
        let widths = widths(of: rows)
        func size(_ columns: [Int]) -> Int { columns.reduce(-2) { $0 + widths[$1] + 2 } }
        let first = Array(columns.indices.prefix(leading))
        var parts = [first]
        for column in columns.indices.dropFirst(leading) {
            let last = parts.count - 1
            if parts[last].count > leading, size(parts[last] + [column]) > width {
                parts.append(first + [column])
            } else {
                parts[last].append(column)
            }
        }
        return parts.map(part)
    }

    private func widths(of rows: [[String]]) -> [Int] {
        columns.indices.map { column in
            rows.reduce(columns[column].title.count) { max($0, $1[column].count) }
        }
    }

    private func padded(_ cells: [String], _ widths: [Int]) -> [String] {
        cells.indices.map { index in
            let blanks = String(repeating: " ", count: widths[index] - cells[index].count)
            return columns[index].alignment == .left ? cells[index] + blanks : blanks + cells[index]
        }
    }
}

extension TextTable.Column {
    /// Returns a column of numbers, aligned to the right.
    static func number(_ title: String) -> TextTable.Column { TextTable.Column(title: title, alignment: .right) }
}

extension TextTable.Column: ExpressibleByStringInterpolation {
    /// Creates a column from its title, without the colon at its end.
    public init(stringLiteral text: String) {
        let isRight = text.hasSuffix(":")
        self.init(title: isRight ? String(text.dropLast()) : text, alignment: isRight ? .right : .left)
    }
}
