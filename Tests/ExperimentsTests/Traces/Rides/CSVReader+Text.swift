@testable import InputFiles

extension CSVReader {
    /// Reads bytes as the contents of the file `rides.csv`.
    init(bytes: [UInt8], _ format: DelimitedFormat = .recognized) {
        self.init(file: "rides.csv", source: MemoryBytes(bytes), format: format)
    }

    /// Reads text as the contents of the file `rides.csv`.
    init(_ text: String, _ format: DelimitedFormat = .recognized) {
        self.init(bytes: Array(text.utf8), format)
    }

    /// Reads to the end; returns the fields of valid records and the text of diagnostics.
    mutating func everything() throws -> (records: [[String]], diagnostics: [String]) {
        var records: [[String]] = []
        var diagnostics: [String] = []
        while true {
            switch try advance() {
            case .record: records.append(record.fields.indices.map(record.text))
            case .malformed(let diagnostic): diagnostics.append(diagnostic.description)
            case .end: return (records, diagnostics)
            }
        }
    }
}

extension DataFileError {
    /// Returns the lines of the error that an operation throws; empty if there is none.
    static func lines(of operation: () throws(DataFileError) -> Void) -> [String] {
        do {
            try operation()
            return []
        } catch {
            return error.description.split(separator: "\n").map(String.init)
        }
    }
}
