import TextFormats

/// A text in a field of a table, with its place.
struct LocatedText {
    let line: Int
    private let column: Int
    private let field: Int
    let text: String

    /// Reads a field of a table's current row.
    init(_ field: Int, in row: borrowing CSVRecord) {
        let place = row.place(ofField: field)
        (line, column, self.field) = (place.line, place.column, field)
        text = OneLine.excerpt(row.text(field))
    }

    /// Reports the later of two contradictory texts of a table; of one line, the second of the two.
    ///
    /// - Parameters:
    ///   - one: A text with its form: `has a zone`.
    ///   - rule: The rule that the two break.
    static func report(
        _ one: (text: LocatedText, form: String),
        _ other: (text: LocatedText, form: String),
        rule: String,
        in table: inout CSVTable
    ) {
        let (first, second) = other.text.line < one.text.line ? (other, one) : (one, other)
        table.report(
            at: (second.text.line, second.text.column),
            column: table.header[second.text.field],
            "\(table.name(of: second.text.field)) \(second.form), \"\(second.text.text)\", but "
                + "\(table.name(of: first.text.field)) of line \(first.text.line) \(first.form), \"\(first.text.text)\"; \(rule)"
        )
    }
}
