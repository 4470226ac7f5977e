/// A CSV file with a header, read row by row; collects everything that is wrong with it.
///
/// A row that breaks the format is reported and passed over, so that one reading finds all of them.
struct CSVTable: ~Copyable {
    /// How many names, and how long ones [bytes], are compared with a missing one: a hostile header has a million names.
    private static let comparedNames = (count: 1000, length: 64)

    /// The header's names.
    private(set) var header: [String] = []

    private var reader: CSVReader
    private var headerRecord = CSVRecord()
    private var problems = DataFileProblems()

    /// Reads the header.
    init(_ reader: consuming CSVReader) throws(DataFileError) {
        self.reader = reader
        switch try self.reader.advance() {
        case .record:
            headerRecord = self.reader.record
            header = headerRecord.fields.indices.map(headerRecord.text)
        case .malformed(let diagnostic):
            problems.report(diagnostic)
        case .end:
            reportInHeader(field: 0, "the file is empty; it must begin with a header")
        }
        try problems.throwIfAny()
    }

    /// The row found last.
    var row: CSVRecord {
        _read { yield reader.record }
    }

    /// Goes to the next sound row; false at the end of the file.
    mutating func advance() throws(DataFileError) -> Bool {
        while true {
            switch try reader.advance() {
            case .end:
                return false
            case .malformed(let diagnostic):
                problems.report(diagnostic)
            case .record:
                let count = row.fields.count
                if count == header.count { return true }
                reportInRow(
                    field: header.count,
                    "the row has \(count) \(count == 1 ? "field" : "fields"), must have \(header.count) as the header has"
                )
            }
        }
    }

    /// The index of a column that must be there exactly once; reports if it is not.
    ///
    /// Names of `known` have a meaning of their own, and so are not taken for the name misspelt.
    mutating func column(_ name: String, besides known: [String] = []) -> Int? {
        let index = optionalColumn(name)
        if index == nil {
            let candidates = header.prefix(Self.comparedNames.count)
                .filter { candidate in
                    candidate.utf8.count <= Self.comparedNames.length && !known.contains(candidate)
                }
            let near = Suggestion.nearest(to: name, among: candidates).map { "did you mean \"\($0)\"?" }
            reportInHeader(
                field: 0,
                column: name,
                "column \"\(name)\" is missing; \(near ?? "the header has \(Self.list(header))")"
            )
        }
        return index
    }

    /// The index of a column that may be absent; reports if it is there more than once.
    mutating func optionalColumn(_ name: String) -> Int? {
        guard let first = header.firstIndex(of: name) else { return nil }
        if let second = header[(first + 1)...].firstIndex(of: name) {
            reportInHeader(
                field: second,
                column: name,
                "column \"\(name)\" is there more than once; its first place is field \(first + 1)"
            )
        }
        return first
    }

    /// Reports a problem of a field of the current row.
    mutating func reportInRow(field: Int, column: String = "", _ message: String) {
        report(at: row.place(ofField: field), column: column, message)
    }

    /// Refuses a field of the current row: what it must be, what it is, and what is allowed.
    mutating func refuseInRow(field: Int, _ rule: String, allowed: String) {
        let got = OneLine.excerpt(row.text(field))
        let message = "\(header[field]) must be \(rule), got \"\(got)\"; allowed: \(allowed)"
        reportInRow(field: field, column: header[field], message)
    }

    /// Reports a problem of a field of the header.
    mutating func reportInHeader(field: Int, column: String = "", _ message: String) {
        report(at: headerRecord.place(ofField: field), column: column, message)
    }

    /// Throws what was reported, if anything was.
    func throwIfInvalid() throws(DataFileError) {
        try problems.throwIfAny()
    }

    private mutating func report(at place: (line: Int, column: Int), column: String, _ message: String) {
        problems.report(
            Diagnostic(file: reader.file, line: place.line, column: place.column, path: column, message: message)
        )
    }

    /// Names for a message, of which a header may hold any number.
    static func list(_ names: [String], limit: Int = 20) -> String {
        let shown = names.prefix(limit).map { "\"\(OneLine.excerpt($0))\"" }.joined(separator: ", ")
        return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
    }
}
