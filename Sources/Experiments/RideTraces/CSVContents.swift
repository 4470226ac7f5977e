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

    /// Reads some columns of a file; others may be there.
    ///
    /// - Throws: What is wrong with the file, all at once.
    /// - Complexity: Linear in the size of the file, in time and memory.
    package init(path: String, columns: [String]) throws(DataFileError) {
        var table = try CSVTable(CSVReader(path: path, format: .comma))
        var indices: [Int] = []
        for column in columns {
            if let index = table.column(column) { indices.append(index) }
        }
        try table.throwIfInvalid()
        var rows: [Row] = []
        while try table.advance() {
            let record = table.row
            rows.append(Row(fields: indices.map(record.text), line: record.line))
        }
        try table.throwIfInvalid()
        self.rows = rows
    }
}
