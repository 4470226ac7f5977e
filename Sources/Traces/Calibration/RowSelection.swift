import InputFiles
import TextFormats

/// The rows of a table that meet all conditions.
///
/// Some programs write several measures to one file, with a row for each value and a column that names the measure.
/// Without a condition on that column, the values of all measures would be mixed. Such a file is rejected.
struct RowSelection {
    private let filters: [DataColumn.Filter]
    /// The column of each condition.
    private let places: [Int]
    /// The column that names the measure of a row, if there is no condition on it.
    private let measure: Int?
    private var measures: [String] = []
    /// The first values in the column of each condition, from rows that do not meet it.
    private var others: [[[UInt8]]]
    /// The number of rows that met each condition.
    private var met: [Int]

    /// The usual names of columns that name the measure of a row.
    static let namesOfMeasures = ["metric_name", "metric", "measurement"]
    /// The largest number of measures that are remembered.
    private static let mostMeasures = 20

    /// Creates the selection for some conditions; nil, with an error for each missing column, if a condition has no
    /// column.
    ///
    /// - Parameter values: The column with the values.
    init?(_ filters: [DataColumn.Filter], in table: inout CSVTable, values: Int?) {
        self.filters = filters
        let found = filters.map { table.column($0.column) }
        places = found.compactMap(\.self)
        others = filters.map { _ in [] }
        met = filters.map { _ in 0 }
        let names = table.columnNames
        measure = Self.namesOfMeasures
            .compactMap { name in names.firstIndex { $0.key == ColumnName(name).key } }
            .first { [places] in $0 != values && !places.contains($0) }
        if found.contains(nil) { return nil }
    }

    /// Returns `true` if a row meets all conditions.
    mutating func takes(_ row: borrowing CSVRecord) -> Bool {
        var isTaken = true
        for index in filters.indices {
            let (place, filter) = (places[index], filters[index])
            if row[place].elementsEqual(filter.value.utf8) || row.text(place) == filter.value {
                met[index] += 1
            } else {
                isTaken = false
                let isKnown = others[index].contains { row[place].elementsEqual($0) }
                if !isKnown, others[index].count <= Self.mostMeasures { others[index].append(Array(row[place])) }
            }
        }
        guard isTaken else { return false }
        if let measure, measures.count < Self.mostMeasures { note(row.text(measure)) }
        return true
    }

    /// The values in the columns of conditions that no row meets, for messages.
    var advice: String {
        filters.indices.filter { met[$0] == 0 && !others[$0].isEmpty }
            .map { index in
                let values = others[index].map { String(decoding: $0, as: UTF8.self) }
                let shown = CSVTable.list(Array(values.prefix(Self.mostMeasures)))
                let more = values.count > Self.mostMeasures ? " and more" : ""
                return "; the values of \(OneLine.excerpt(filters[index].column)) are \(shown)\(more)"
            }
            .joined()
    }

    private mutating func note(_ text: String) {
        // A number in such a column is a value, not a measure.
        if !text.isEmpty, NumberText.number(text) == nil, !measures.contains(text) { measures.append(text) }
    }

    /// Rejects a table with rows of several measures.
    func check(_ table: inout CSVTable) {
        guard let measure, measures.count > 1 else { return }
        let name = table.header[measure]
        table.reportInHeader(
            field: measure,
            column: name,
            "\(table.name(of: measure)) has rows of several measures; choose one with --where \(OneLine.excerpt(name))="
                + "VALUE; the values are \(CSVTable.list(measures))"
        )
    }
}
