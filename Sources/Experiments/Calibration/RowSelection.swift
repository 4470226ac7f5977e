/// The rows of a table that count: those that meet all conditions.
///
/// Some programs write several measures to one file, a row for each value and a column that says which: without a condition on
/// that column the values of all of them would be taken for one. Such a file is refused.
struct RowSelection {
    private let filters: [DataColumn.Filter]
    /// The column of each condition.
    private let places: [Int]
    /// The column that says which measure a row has, where no condition is on it.
    private let measure: Int?
    private var measures: [String] = []

    /// The names of columns that say which measure a row has.
    static let namesOfMeasures = ["metric_name", "metric", "measurement"]
    /// How many measures are remembered.
    private static let mostMeasures = 20

    /// The rows that meet conditions; nil, with a report to the table, where a condition has no column.
    ///
    /// - Parameter values: The column that is read.
    init?(_ filters: [DataColumn.Filter], in table: inout CSVTable, values: Int?) {
        self.filters = filters
        let found = filters.map { table.column($0.column) }
        places = found.compactMap(\.self)
        let names = table.columnNames
        measure = Self.namesOfMeasures
            .compactMap { name in names.firstIndex { $0.key == ColumnName(name).key } }
            .first { [places] in $0 != values && !places.contains($0) }
        if found.contains(nil) { return nil }
    }

    /// Returns `true` if a row counts.
    mutating func takes(_ row: borrowing CSVRecord) -> Bool {
        for (place, filter) in zip(places, filters) {
            guard row[place].elementsEqual(filter.value.utf8) || row.text(place) == filter.value else { return false }
        }
        if let measure, measures.count < Self.mostMeasures { note(row.text(measure)) }
        return true
    }

    private mutating func note(_ text: String) {
        // A number under such a name is a value.
        if !text.isEmpty, NumberText.number(text) == nil, !measures.contains(text) { measures.append(text) }
    }

    /// Refuses a table whose rows are of several measures.
    func check(_ table: inout CSVTable) {
        guard let measure, measures.count > 1 else { return }
        let name = table.header[measure]
        table.reportInHeader(
            field: measure,
            column: name,
            "\(table.name(of: measure)) has the rows of several measures; choose one by --where \(OneLine.excerpt(name))="
                + "VALUE; the values are \(CSVTable.list(measures))"
        )
    }
}
