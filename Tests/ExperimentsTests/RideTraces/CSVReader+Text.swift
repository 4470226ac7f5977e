@testable import Experiments

extension CSVReader {
    /// Reads bytes as if they were the file `rides.csv`.
    init(bytes: [UInt8], _ format: DelimitedFormat = .recognized) {
        self.init(file: "rides.csv", source: MemoryBytes(bytes), format: format)
    }

    /// Reads text as if it were the file `rides.csv`.
    init(_ text: String, _ format: DelimitedFormat = .recognized) {
        self.init(bytes: Array(text.utf8), format)
    }

    /// Reads on to the end: the fields of sound records, the text of diagnostics.
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
    /// The lines of what an operation throws; none if it does not.
    static func lines(of operation: () throws(DataFileError) -> Void) -> [String] {
        do {
            try operation()
            return []
        } catch {
            return error.description.split(separator: "\n").map(String.init)
        }
    }
}
