import TextFormats

/// Rejects a file that mixes times with and without a zone, because they cannot be compared.
package struct ZoneCheck {
    /// A time with its location.
    private struct Example {
        let line: Int
        let column: Int
        let field: Int
        let text: String
    }

    private var zoned: Example?
    private var local: Example?

    /// A Boolean value that indicates whether a time had a zone.
    package var hasZones: Bool { zoned != nil }

    /// Creates a check that has seen nothing.
    package init() {}

    /// Records the time in a field of a table's current row.
    package mutating func note(_ moment: Moment, _ field: Int, in row: borrowing CSVRecord) {
        if moment.offset == nil {
            if local == nil { local = Self.example(field, row) }
        } else if zoned == nil {
            zoned = Self.example(field, row)
        }
    }

    private static func example(_ field: Int, _ row: borrowing CSVRecord) -> Example {
        let place = row.place(ofField: field)
        let text = OneLine.excerpt(row.text(field))
        return Example(line: place.line, column: place.column, field: field, text: text)
    }

    /// Reports an error if there were times of both kinds.
    package func check(_ table: inout CSVTable) {
        guard let zoned, let local else { return }
        let (first, second) = zoned.line < local.line ? (zoned, local) : (local, zoned)
        table.report(
            at: (second.line, second.column),
            column: table.header[second.field],
            "\(table.name(of: second.field)) \(Self.kind(second, zoned: zoned)), \"\(second.text)\", but "
                + "\(table.name(of: first.field)) of line \(first.line) \(Self.kind(first, zoned: zoned)), \"\(first.text)\"; "
                + "all times of a file must have one, or none"
        )
    }

    private static func kind(_ example: Example, zoned: Example) -> String {
        example.line == zoned.line && example.column == zoned.column ? "has a zone" : "has no zone"
    }
}
