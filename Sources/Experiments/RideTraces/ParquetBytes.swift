import ExternalPrograms
import Foundation

/// Some columns of a Parquet file as CSV, which Apache Arrow's Python package writes while it is read.
///
/// No Swift package reads Parquet. Neither process holds more than a part of the file.
final class ParquetBytes: ByteSource {
    private let file: String
    private let program: RunningProgram

    /// Begins to read a file.
    ///
    /// - Parameters:
    ///   - columns: The columns to read, as far as the file has them; where it has none, its header comes alone. Nil for all.
    ///   - variables: Of the environment, which say where Python's packages lie.
    ///   - tell: Told, in a line, when something will take a while.
    /// - Throws: When there is no such Python.
    init(
        file: String,
        columns: [String]?,
        variables: [String: String] = ProcessInfo.processInfo.environment,
        tell: (String) -> Void
    ) throws(DataFileError) {
        self.file = file
        let python: String
        do {
            python = try PythonEnvironment.parquet.executable(variables: variables, tell: tell)
        } catch {
            throw .unavailable(file: file, reason: Self.wayOn("\(error)"))
        }
        let script = String(decoding: PackageResources.read_parquet_py, as: UTF8.self)
        let arguments = [PythonProgram.absolute(file)] + (columns ?? ["*"])
        guard let program = PythonProgram(python, script: script, arguments).start() else {
            throw .unavailable(file: file, reason: Self.wayOn("\(python) cannot be run"))
        }
        self.program = program
    }

    /// Whether a file begins as Parquet files do.
    static func isParquet(_ path: String) -> Bool {
        // A stream gives each byte once.
        guard !InputFile.isOpenStream(path), let file = try? InputFile(path) else { return false }
        var start = [UInt8](repeating: 0, count: mark.count)
        return (try? start.withUnsafeMutableBytes(file.read)) == mark.count && start == mark
    }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(DataFileError) -> Int {
        let count = program.read(into: buffer)
        if count > 0 { return count }
        let outcome = program.outcome()
        guard count == 0, outcome.status == 0 else {
            let reason = outcome.text.split(separator: "\n").last.map { OneLine.excerpt(String($0), longest: 300) }
            throw .unreadable(
                file: file,
                reason: "cannot be read as Parquet: \(reason ?? "its reader was stopped by signal \(outcome.status)")"
            )
        }
        return 0
    }

    private static let mark = Array("PAR1".utf8)

    private static func wayOn(_ reason: String) -> String {
        "is a Parquet file, which the Python package pyarrow reads, and that is not here: \(reason); or write it as CSV, "
            + "as duckdb -csv -c \"FROM 'trips.parquet'\" > trips.csv does"
    }
}

extension CSVReader {
    /// Opens a file, which may be Parquet: then it reads it as CSV with commas.
    ///
    /// - Parameters:
    ///   - columns: The columns to read, in any case and with any characters between their words; nil for all.
    ///   - notify: Reports, in a line, a step that takes a while.
    init(
        path: String,
        columns: [String]?,
        format: DelimitedFormat = .recognized,
        notify: (String) -> Void
    ) throws(DataFileError) {
        if ParquetBytes.isParquet(path) {
            self.init(
                file: path,
                source: try ParquetBytes(file: path, columns: columns, tell: notify),
                format: .comma
            )
        } else {
            try self.init(path: path, format: format)
        }
    }
}
