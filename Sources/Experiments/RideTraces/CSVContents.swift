/// A small CSV file, read whole: what the program itself has written, for what is made of results later.
///
/// Fields stay texts, so that a number can be passed on with the digits it came with.
package struct CSVContents: Hashable, Sendable {
    /// One row.
    package struct Row: Hashable, Sendable {
        /// The fields of the columns asked for, in the order of asking.
        package let fields: [String]
        /// The line on which it begins, from 1.
        package let line: Int
    }

    /// In file order.
    package let rows: [Row]

    /// The most that is kept of a file, fields and their places in memory [bytes]: some 400,000 rows of a summary.
    static let most = 1 << 26

    /// Reads some columns of a file; others may be there.
    ///
    /// - Parameter isKept: Returns `true` for the fields of a row that is kept.
    /// - Throws: All errors of the file at once, or that it holds more than can be kept.
    /// - Complexity: Linear in the size of the file in time, in what is kept in memory.
    package init(
        path: String,
        columns: [String],
        isKept: ([String]) -> Bool = { _ in true }
    ) throws(DataFileError) {
        var table = try CSVTable(CSVReader(path: path, format: .comma))
        var indices: [Int] = []
        for column in columns {
            if let index = table.column(column) { indices.append(index) }
        }
        try table.throwIfInvalid()
        var rows: [Row] = []
        var size = 0
        while try table.advance() {
            let record = table.row
            let fields = indices.map(record.text)
            guard isKept(fields) else { continue }
            size += fields.reduce(0) { $0 + $1.utf8.count + MemoryLayout<String>.size }
            guard size <= Self.most else {
                table.reportInRow(field: 0, "the file holds too much; allowed: \(Self.most) bytes in memory")
                break
            }
            rows.append(Row(fields: fields, line: record.line))
        }
        try table.throwIfInvalid()
        self.rows = rows
    }
}
