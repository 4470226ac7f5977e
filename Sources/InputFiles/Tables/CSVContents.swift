/// A small CSV file, read whole: results of the program that later steps read again.
///
/// Fields stay text, so that numbers keep their digits.
package struct CSVContents: Hashable, Sendable {
    /// One row.
    package struct Row: Hashable, Sendable {
        /// The fields of the requested columns, in the requested order.
        package let fields: [String]
        /// The line on which the row begins, from 1.
        package let line: Int
    }

    /// The rows in file order.
    package let rows: [Row]

    /// The largest size of the kept fields and their metadata in memory [bytes]: about 400,000 rows of a summary.
    static let most = 1 << 26

    /// Reads some columns of a file and ignores others.
    ///
    /// - Parameter isKept: Returns `true` if the row with these fields is kept.
    /// - Throws: ``DataFileError`` with all errors of the file, or if it is too large.
    /// - Complexity: Time is linear in the size of the file, memory in the kept rows.
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
                table.reportInRow(field: 0, "the file is too large; allowed: \(Self.most) bytes in memory")
                break
            }
            rows.append(Row(fields: fields, line: record.line))
        }
        try table.throwIfInvalid()
        self.rows = rows
    }
}
