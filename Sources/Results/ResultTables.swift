import InputFiles
import ScenarioLanguage

/// The numbers and errors of all tables of results.
extension CSVTable {
    /// Returns the indices of columns that results must have.
    mutating func columns(_ names: [String]) throws(DataFileError) -> [Int] {
        let columns = names.compactMap { column($0, besides: names) }
        try throwIfInvalid()
        return columns
    }

    /// Returns the value in a column of the row; nil if it is empty, or no value, which is reported.
    ///
    /// No result exceeds 1e19, and arithmetic with smaller values stays finite.
    mutating func value(in column: Int) -> Double? {
        let text = row.text(column)
        guard !text.isEmpty else { return nil }
        if let value = NumberText.number(text), value.magnitude <= 1e19 { return value }
        reportInRow(field: column, "must be a number within ±1e19 or empty, got \(ScenarioNode.quoted(text))")
        return nil
    }
}

extension ScenarioError {
    /// Reads data files of results and throws their errors as errors of the results.
    static func of<Value>(_ read: () throws(DataFileError) -> Value) throws(ScenarioError) -> Value {
        do throws(DataFileError) {
            return try read()
        } catch {
            throw ScenarioError(error)
        }
    }

    /// Creates the same error about a data file.
    init(_ error: DataFileError) {
        switch error {
        case .missing(let file): self = .missing(path: file)
        case .unreadable(let file, let reason): self = .unreadable(path: file, reason: reason)
        case .unavailable(let file, let reason): self = .unavailable(path: file, reason: reason)
        case .invalid(let diagnostics, let omitted):
            let more = diagnostics.last.map { [Diagnostic(file: $0.file, message: "and \(omitted) more")] } ?? []
            self = .invalid(diagnostics + (omitted > 0 ? more : []))
        }
    }
}
