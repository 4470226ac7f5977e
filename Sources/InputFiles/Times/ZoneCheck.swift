/// Rejects a file that mixes times with and without a zone, because they cannot be compared.
package struct ZoneCheck {
    private var zoned: LocatedText?
    private var local: LocatedText?

    /// A Boolean value that indicates whether a time had a zone.
    package var hasZones: Bool { zoned != nil }

    /// Creates a check that has seen nothing.
    package init() {}

    /// Records the time in a field of a table's current row.
    package mutating func note(_ moment: Moment, _ field: Int, in row: borrowing CSVRecord) {
        if moment.offset == nil {
            if local == nil { local = LocatedText(field, in: row) }
        } else if zoned == nil {
            zoned = LocatedText(field, in: row)
        }
    }

    /// Reports an error if there were times of both kinds.
    package func check(_ table: inout CSVTable) {
        guard let zoned, let local else { return }
        LocatedText.report(
            (local, "has no zone"),
            (zoned, "has a zone"),
            rule: "all times of a file must have one, or none",
            in: &table
        )
    }
}
